import { limits } from '../../../../simulator/limits.ts';
import type { VehicleAct } from '../../../language/steps/vehicle-acts.ts';

/** When an act counts as having done something. */
export interface ActChangeRow {
  /** Completes "it has done something when ...". */
  readonly when: string;
  /**
   * When the physical truth tells it: whenever the act is done, or only of a vehicle that stands, since one that drives
   * first brakes. Absent: the act does something whenever it is not refused.
   */
  readonly toldBy?: 'truth' | 'truth-at-rest';
}

const DONE: ActChangeRow = { when: 'it is not refused' };
const OTHER: ActChangeRow = { when: 'it was not so before', toldBy: 'truth' };
const OTHER_AT_REST: ActChangeRow = {
  when: 'it was not so before; of a vehicle that drives it is not told',
  toldBy: 'truth-at-rest',
};

/** By the name of the act. */
export const ACT_CHANGES: Readonly<Record<string, ActChangeRow>> = {
  drive: { when: 'it is not refused; a vehicle that drives already drives on' },
  park: OTHER,
  open: OTHER_AT_REST,
  close: OTHER_AT_REST,
  charge: OTHER_AT_REST,
  unplug: OTHER_AT_REST,
  ignition: OTHER_AT_REST,
  'center-stand': OTHER_AT_REST,
  'shut-battery-compartment': OTHER_AT_REST,
  mechanics: OTHER,
  'lock-motor': OTHER,
  supply: OTHER_AT_REST,
  refuel: OTHER_AT_REST,
  key: OTHER_AT_REST,
  'driving-aids': OTHER_AT_REST,
  'trouble-code': OTHER,
  sensor: OTHER,
  brake: DONE,
  corner: DONE,
  'emergency-stop': DONE,
  bluetooth: DONE,
  firmware: DONE,
  update: DONE,
  crash: DONE,
  shock: DONE,
  bump: DONE,
  tow: DONE,
  smoke: DONE,
  'swap-battery': DONE,
  belts: DONE,
  cards: DONE,
  gear: DONE,
  wear: DONE,
  due: DONE,
  workshop: DONE,
  sleep: DONE,
};

/** What is told of an act that has changed nothing. */
export const SO_ALREADY = 'it was so already, and nothing has changed';

/**
 * Looks at a vehicle before an act; the returned function looks again behind it, and says what is to be told where
 * nothing has changed, although the truth would show it.
 */
export function lookForChange(
  { name }: VehicleAct,
  truthOf: () => Readonly<Record<string, unknown>> | undefined,
): () => string | undefined {
  const toldBy = ACT_CHANGES[name]?.toldBy;
  const before = toldBy === undefined ? undefined : truthOf();
  if (before === undefined || (toldBy === 'truth-at-rest' && !isAtRest(before))) return () => undefined;
  const text = textOf(before);
  return () => (textOf(truthOf()) === text ? SO_ALREADY : undefined);
}

/** It stands, and nothing else than what is done to it has a hand in its supply. */
function isAtRest(truth: Readonly<Record<string, unknown>>): boolean {
  const { speedKph, driverWish, installationFault, supplyMillivolts } = truth;
  const isSinking =
    typeof supplyMillivolts === 'number' &&
    supplyMillivolts > 0 &&
    supplyMillivolts < limits.brownOutMillivolts;
  return speedKph === 0 && driverWish !== 'drive' && (installationFault ?? null) === null && !isSinking;
}

/** Two looks are never at the same moment of a wall clock. */
function textOf(truth: Readonly<Record<string, unknown>> | undefined): string {
  return JSON.stringify({ ...truth, atMs: undefined });
}
