import { isDeepStrictEqual } from 'node:util';
import type { SimulatedVehicle } from '../testbed/port/simulated-vehicle.ts';
import type { Testbed } from '../testbed/port/testbed.ts';
import type { Fact } from './fact.ts';
import { limits } from './limits.ts';

/** What an expectation that does not hold looked at: a name in the truth, or a property of the state. */
export interface LookedAt {
  readonly of: 'truth' | 'state';
  readonly name: string;
  /** The time of the property's value, epoch milliseconds; absent for the truth and where the API tells none. */
  readonly toldMs?: number;
}

export interface ChangeContext {
  readonly testbed: Pick<Testbed, 'evidence'>;
  readonly facts: readonly Fact[];
  /** Epoch milliseconds: when the scenario began, and when it was looked. */
  readonly startMs: number;
  readonly atMs: number;
}

/**
 * When what was looked at became as it was found, and what happened to the vehicle last before that, for the text of a
 * failure: `so since 12.5 s, after drive`. Empty where nobody knows.
 */
export function lastChangeText(
  { of, name, toldMs }: LookedAt,
  vehicle: SimulatedVehicle,
  { testbed: { evidence }, facts, startMs, atMs }: ChangeContext,
): string {
  const changedMs = of === 'state' ? toldMs : truthChangedMs();
  if (changedMs === undefined) return '';
  // The API tells whole seconds.
  const latestMs = of === 'state' ? changedMs + 999 : changedMs;
  const cause = facts.findLast(
    (fact) => fact.atMs <= latestMs && causeOf(fact, vehicle.number) !== undefined,
  );
  const by = cause === undefined ? '' : `, after ${causeOf(cause, vehicle.number)} at ${seconds(cause.atMs)}`;
  return `; ${of === 'state' ? 'told' : 'so since'} ${seconds(changedMs)}${by}`;

  function truthChangedMs(): number | undefined {
    const truths =
      evidence.truthsBetween(vehicle, Math.max(startMs, atMs - limits.changeSearchMs), atMs) ?? [];
    const now = truths.at(-1)?.[name];
    const before = truths.findLastIndex((truth) => !isDeepStrictEqual(truth[name], now));
    const since = truths[before + 1]?.['atMs'];
    return before < 0 || typeof since !== 'number' ? undefined : since;
  }

  function seconds(ms: number): string {
    return `${((ms - startMs) / 1_000).toFixed(1)} s`;
  }
}

/** What can have changed a vehicle, in words; undefined: not this fact. */
function causeOf(fact: Fact, vehicle: number): string | undefined {
  switch (fact.kind) {
    case 'act':
      return fact.vehicle === vehicle && fact.refusal === undefined ? fact.name : undefined;
    case 'fault':
      if (fact.vehicles.length > 0 && !fact.vehicles.includes(vehicle)) return undefined;
      return fact.phase === 'ends' ? `the end of ${fact.name}` : fact.name;
    case 'call':
      return fact.vehicle === vehicle ? `call ${fact.call} (${fact.what})` : undefined;
    default:
      return undefined;
  }
}
