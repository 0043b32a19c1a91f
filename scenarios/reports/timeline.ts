import type { Fact } from '../run/fact.ts';
import type { RunOutcome } from '../run/outcome.ts';
import { factText, isAbout } from './fact-text.ts';
import type { RunFailure } from './failure.ts';
import { limits } from './limits.ts';
import { shortened } from './time-text.ts';

/** One line of what happened around a failure. */
export interface TimelineLine {
  /** Milliseconds from the beginning of the scenario. */
  readonly atMs: number;
  readonly text: string;
  readonly isAfter: boolean;
}

export interface Timeline {
  readonly lines: readonly TimelineLine[];
  /** How many facts of the same time are not shown. */
  readonly leftOut: number;
}

/**
 * What happened to the vehicle of a failure and to the service shortly before and after it, within bounds. First comes
 * what was still so from earlier: faults in force, a service that was down, the session of the box, and acts on the
 * vehicle that were refused, since no other line gives the reason. A failure without a time counts as one at the end.
 * For a stuck or crashed run all vehicles are included.
 */
export function timelineAround({ kind, atMs: at, vehicle }: RunFailure, outcome: RunOutcome): Timeline {
  const { startMs, endMs, facts } = outcome;
  const atMs = at ?? endMs;
  const near = facts.filter(
    (fact) =>
      fact.atMs >= atMs - limits.beforeMs &&
      fact.atMs <= atMs + limits.afterMs &&
      (isAbout(fact, vehicle) || (kind === 'run' && fact.kind !== 'journal')),
  );
  const told = withoutRuns(near);
  const refused = facts.filter(
    (fact) =>
      fact.kind === 'act' &&
      fact.refusal !== undefined &&
      fact.vehicle === vehicle &&
      fact.atMs < atMs - limits.beforeMs,
  );
  const before = told.filter((fact) => fact.atMs <= atMs);
  const after = told.filter((fact) => fact.atMs > atMs);
  const shown = [
    ...refused.slice(-limits.refusals),
    ...before.slice(-limits.linesBefore),
    ...after.slice(0, limits.linesAfter),
  ];
  const [firstShown] = before.slice(-limits.linesBefore);
  const stillSo = inForceAt(facts, atMs, vehicle).filter(
    ({ atMs: sinceMs }) => sinceMs < Math.max(atMs - limits.beforeMs, firstShown?.atMs ?? 0),
  );
  return {
    lines: [
      ...vehicleLines(vehicle, outcome),
      ...stillSo.slice(-limits.inForce).map((fact) => ({
        atMs: fact.atMs - startMs,
        text: shortened(`still so: ${factText(fact, outcome)}`, limits.characters),
        isAfter: false,
      })),
      ...shown.map((fact) => ({
        atMs: fact.atMs - startMs,
        text: shortened(factText(fact, outcome), limits.characters),
        isAfter: fact.atMs > atMs,
      })),
    ],
    leftOut: near.length + refused.length - shown.length,
  };
}

/** What was drawn for the vehicle, where the scenario left it open. */
function vehicleLines(
  number: RunFailure['vehicle'],
  { vehicles, startMs, facts }: RunOutcome,
): readonly TimelineLine[] {
  const vehicle = vehicles.find((one) => one.number === number);
  if (vehicle === undefined) return [];
  const { model, group, firmware, boxId } = vehicle;
  const box =
    boxId === undefined ? '' : `, box ${boxId}${firmware === undefined ? '' : ` with firmware ${firmware}`}`;
  const text = `vehicle ${vehicle.number} of ${group} is a ${model}${box}`;
  return [{ atMs: Math.min(0, (facts[0]?.atMs ?? startMs) - startMs), text, isAfter: false }];
}

/** What had begun by then and not ended, about the vehicle or the service, in the order in which it began. */
function inForceAt(facts: readonly Fact[], atMs: number, vehicle: RunFailure['vehicle']): readonly Fact[] {
  const inForce = new Map<string, Fact>();
  for (const fact of facts) {
    if (fact.atMs > atMs) break;
    if (!isAbout(fact, vehicle)) continue;
    if (fact.kind === 'fault') {
      const key = `fault ${fact.name} ${fact.detail} ${fact.vehicles.join(' ')}`;
      if (fact.phase === 'begins') inForce.set(key, fact);
      else if (fact.phase === 'ends') inForce.delete(key);
    } else if (fact.kind === 'connectivity' || (fact.kind === 'service' && fact.state === 'down')) {
      inForce.delete(fact.kind);
      inForce.set(fact.kind, fact);
    } else if (fact.kind === 'service') inForce.delete(fact.kind);
  }
  return [...inForce.values()].sort((one, other) => one.atMs - other.atMs);
}

/** While a journal only grows or shrinks, its last value is enough. */
function withoutRuns(facts: readonly Fact[]): readonly Fact[] {
  return facts.filter((fact, index) => fact.kind !== 'journal' || facts[index + 1]?.kind !== 'journal');
}
