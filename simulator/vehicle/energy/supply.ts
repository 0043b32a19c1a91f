import type { Journey } from '../driving/journey.ts';
import { limits } from '../limits.ts';
import type { PhysicalState } from '../motion-segment.ts';

/** The supply of the box: normal, low (a corroded terminal or a flat battery), or none. */
export const SUPPLIES = ['good', 'low', 'cut'] as const;
export type Supply = (typeof SUPPLIES)[number];

/** A cut supply: since when, and the backup battery's charge at that time. */
export interface SupplyCut {
  readonly sinceMs: number;
  readonly backupPercent: number;
}

/** The backup battery's charge: while the supply is cut it supplies the box and is not charged. */
export function backupPercentAt(
  cut: SupplyCut | undefined,
  physicalState: PhysicalState,
  atMs: number,
): number {
  if (cut === undefined) return physicalState.backupPercent;
  const used = ((atMs - cut.sinceMs) / 1_000) * limits.backupPercentUsedPerS;
  return Math.max(0, cut.backupPercent - used);
}

/** The journey with this charge of the backup battery at `atS`. */
export function withBackup(journey: Journey, atS: number, percent: number): Journey {
  const { segment } = journey;
  const { from } = segment;
  const charged = segment.engine === 'running' ? (atS - from.atS) * limits.backupPercentPerS : 0;
  return { ...journey, segment: { ...segment, from: { ...from, backupPercent: percent - charged } } };
}
