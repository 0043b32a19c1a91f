import { limits } from '../../../../simulator/limits.ts';
import type { VehicleAct } from '../../../language/steps/vehicle-acts.ts';

/** When an act counts as having done something. */
export interface ActChangeRow {
  /** Completes "it has done something when ...". */
  readonly when: string;
  /**
   * What tells it: the physical truth, whenever the act is done, or only of a vehicle that stands, since one that drives
   * first brakes; or the belief of the box, of an act that asks for a firmware. Absent: the act does something whenever it
   * is not refused.
   */
  readonly toldBy?: 'truth' | 'truth-at-rest' | 'belief';
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
  firmware: { when: 'the box had another firmware before', toldBy: 'belief' },
  update: DONE,
  crash: DONE,
  shock: DONE,
  bump: DONE,
  tow: DONE,
  smoke: DONE,
  'swap-battery': DONE,
  belts: OTHER,
  cards: OTHER,
  gear: OTHER,
  wear: OTHER,
  due: OTHER,
  workshop: OTHER,
  sleep: DONE,
};

/** What is told of an act that has changed nothing. */
export const SO_ALREADY = 'it was so already, and nothing has changed';

type Seen = Readonly<Record<string, unknown>> | undefined;

/** A vehicle and its box as they are now; undefined: there is none, or nothing is known of it. */
export interface SeenVehicle {
  /** With what people hold in it, which shows only on the way. */
  readonly truth: () => Seen;
  readonly belief: () => Seen;
}

/**
 * Looks at a vehicle before an act; the returned function looks again behind it, and says what is to be told where
 * nothing has changed, although truth or belief would show it.
 */
export function lookForChange(
  { name, settings }: VehicleAct,
  { truth, belief }: SeenVehicle,
): () => string | undefined {
  const toldBy = ACT_CHANGES[name]?.toldBy;
  if (toldBy === undefined) return () => undefined;
  if (toldBy === 'belief') {
    const { version } = settings as { readonly version: string };
    const isSoAlready = has(belief(), version.split('.').map(Number).join('.'));
    return () => (isSoAlready ? SO_ALREADY : undefined);
  }
  const before = truth();
  if (before === undefined || (toldBy === 'truth-at-rest' && !isAtRest(before))) return () => undefined;
  const text = textOf(before);
  return () => (textOf(truth()) === text ? SO_ALREADY : undefined);
}

/** The box has that firmware in the bank with which it starts, and is getting no other one. */
function has(belief: Seen, version: string): boolean {
  const { banks, update } = belief ?? {};
  const { starts, ...programs } = (banks ?? {}) as Readonly<Record<string, unknown>>;
  const { phase = 'over' } = (update ?? {}) as Readonly<Record<string, unknown>>;
  return programs[String(starts)] === version && phase === 'over';
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

/** Two looks are never at the same moment of a wall clock, and tyres lose some air until the second one. */
function textOf(truth: Seen): string {
  const levels = Object.entries((truth?.['levels'] ?? {}) as Readonly<Record<string, number>>);
  const rounded = levels.map(([name, percent]) => [name, percent.toFixed(2)]);
  return JSON.stringify({ ...truth, atMs: undefined, levels: rounded });
}
