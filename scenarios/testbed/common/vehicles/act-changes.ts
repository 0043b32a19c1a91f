import { limits } from '../../../../simulator/limits.ts';
import { VEHICLE_ACTS, type VehicleAct } from '../../../language/steps/vehicle-acts.ts';

/** The warning about an act that changed nothing. */
export const NO_CHANGE = 'it was so already, and nothing has changed';

type Seen = Readonly<Record<string, unknown>> | undefined;

/** A vehicle and its box as they are now; undefined: there is none, or nothing is known of it. */
export interface SeenVehicle {
  /** With belts and gear, which show only in motion. */
  readonly truth: () => Seen;
  readonly belief: () => Seen;
}

/**
 * Reads the state of a vehicle before an act. The returned function compares it with the state after the act, and returns
 * a warning if nothing changed although truth or belief would show a change.
 */
export function watchForChange(
  { name, settings }: VehicleAct,
  { truth, belief }: SeenVehicle,
): () => string | undefined {
  const { shownBy } = VEHICLE_ACTS[name].change;
  if (shownBy === undefined) return () => undefined;
  if (shownBy === 'belief') {
    const { version } = settings as { readonly version: string };
    const isUnchanged = has(belief(), version.split('.').map(Number).join('.'));
    return () => (isUnchanged ? NO_CHANGE : undefined);
  }
  const before = truth();
  if (before === undefined || (shownBy === 'truth-at-rest' && !isAtRest(before))) return () => undefined;
  const text = textOf(before);
  return () => (textOf(truth()) === text ? NO_CHANGE : undefined);
}

/** The box has that firmware in the bank with which it starts, and is getting no other one. */
function has(belief: Seen, version: string): boolean {
  const { banks, update } = belief ?? {};
  const { starts, ...programs } = (banks ?? {}) as Readonly<Record<string, unknown>>;
  const { phase = 'over' } = (update ?? {}) as Readonly<Record<string, unknown>>;
  return programs[String(starts)] === version && phase === 'over';
}

/** The vehicle does not move, and nothing but acts changes its supply. */
function isAtRest(truth: Readonly<Record<string, unknown>>): boolean {
  const { speedKph, driverWish, installationFault, supplyMillivolts } = truth;
  const isSinking =
    typeof supplyMillivolts === 'number' &&
    supplyMillivolts > 0 &&
    supplyMillivolts < limits.brownOutMillivolts;
  return speedKph === 0 && driverWish !== 'drive' && (installationFault ?? null) === null && !isSinking;
}

/** Without what drifts between two readings: the time, and the levels, such as the pressure of tyres, slightly. */
function textOf(truth: Seen): string {
  const levels = Object.entries((truth?.['levels'] ?? {}) as Readonly<Record<string, number>>);
  const rounded = levels.map(([name, percent]) => [name, percent.toFixed(2)]);
  return JSON.stringify({ ...truth, atMs: undefined, levels: rounded });
}
