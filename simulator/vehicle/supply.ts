import type { Journey } from './driver.ts';
import { limits } from './limits.ts';
import type { Condition } from './stretch.ts';

/** How the box is fed: as it should be, over a corroded terminal or from a flat battery, or not at all. */
export const SUPPLIES = ['good', 'low', 'cut'] as const;
export type Supply = (typeof SUPPLIES)[number];

/** A supply that is cut: since when, and what the backup battery held then. */
export interface Cut {
  readonly sinceMs: number;
  readonly backupPercent: number;
}

/** What the backup battery holds: it feeds the box, and is not charged, while the supply is cut. */
export function backupPercentAt(cut: Cut | undefined, condition: Condition, atMs: number): number {
  if (cut === undefined) return condition.backupPercent;
  const used = ((atMs - cut.sinceMs) / 1_000) * limits.backupPercentUsedPerS;
  return Math.max(0, cut.backupPercent - used);
}

/** The journey with a backup battery that holds so much now, at `atS`. */
export function withBackup(journey: Journey, atS: number, percent: number): Journey {
  const { stretch } = journey;
  const { from } = stretch;
  const charged = stretch.engine === 'running' ? (atS - from.atS) * limits.backupPercentPerS : 0;
  return { ...journey, stretch: { ...stretch, from: { ...from, backupPercent: percent - charged } } };
}
