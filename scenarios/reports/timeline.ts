import type { Fact } from '../../judge/evidence/fact.ts';
import { withArticle } from '../../world/article.ts';
import { reportLimits } from '../limits.ts';
import type { RunOutcome } from '../run/outcome.ts';
import { shortened } from '../run/time-text.ts';
import { factText, isAbout } from './fact-text.ts';
import type { RunFailure } from './failure.ts';

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
 * What happened to the vehicle of a failure and to the service shortly before and after it, within bounds. First come
 * earlier states that persist: active faults, a service that was down, the session of the box, and acts on the
 * vehicle that were refused, since no other line gives the reason. A failure without a time counts as one at the end.
 * For a stuck or crashed run all vehicles are included. `RANKS` decides what is omitted.
 */
export function timelineAround({ kind, atMs: at, vehicle }: RunFailure, outcome: RunOutcome): Timeline {
  const { startMs, endMs, facts } = outcome;
  const atMs = at ?? endMs;
  const near = facts.filter(
    (fact) =>
      fact.atMs >= atMs - reportLimits.beforeMs &&
      fact.atMs <= atMs + reportLimits.afterMs &&
      (isAbout(fact, vehicle) || (kind === 'run' && fact.kind !== 'journal')),
  );
  const told = withoutRuns(near);
  const refused = facts.filter(
    (fact) =>
      fact.kind === 'act' &&
      fact.refusal !== undefined &&
      fact.vehicle === vehicle &&
      fact.atMs < atMs - reportLimits.beforeMs,
  );
  const shown = [
    ...refused.slice(-reportLimits.refusals),
    ...mostTelling(
      told.filter((fact) => fact.atMs <= atMs),
      atMs,
    ),
    ...told.filter((fact) => fact.atMs > atMs).slice(0, reportLimits.linesAfter),
  ];
  const isShown = new Set(shown);
  const stillSo = inForceAt(facts, atMs, vehicle).filter((fact) => !isShown.has(fact));
  return {
    lines: [
      ...vehicleLines(vehicle, outcome),
      ...stillSo.slice(-reportLimits.inForce).map((fact) => ({
        atMs: fact.atMs - startMs,
        text: shortened(`still so: ${factText(fact, outcome)}`, reportLimits.characters),
        isAfter: false,
      })),
      ...shown.map((fact) => ({
        atMs: fact.atMs - startMs,
        text: shortened(factText(fact, outcome), reportLimits.characters),
        isAfter: fact.atMs > atMs,
      })),
    ],
    leftOut: near.length + refused.length - shown.length + Math.max(0, stillSo.length - reportLimits.inForce),
  };
}

/** Which facts before a failure are kept when there are too many: possible causes stay longest. */
const RANKS: Readonly<Record<Fact['kind'], number>> = {
  fault: 0,
  act: 0,
  service: 0,
  call: 1,
  answer: 2,
  expectation: 2,
  finding: 2,
  step: 3,
  connectivity: 4,
  message: 5,
  journal: 5,
};

/** At most `limits.linesBefore` of them, in their order. Of the same rank the latest ones. */
function mostTelling(before: readonly Fact[], atMs: number): readonly Fact[] {
  const rank = (fact: Fact): number =>
    fact.kind === 'expectation' && !fact.isMet && fact.atMs === atMs ? 0 : RANKS[fact.kind];
  const kept = before
    .map((fact, place) => ({ fact, place }))
    .sort((one, other) => rank(one.fact) - rank(other.fact) || other.place - one.place)
    .slice(0, reportLimits.linesBefore);
  return kept.sort((one, other) => one.place - other.place).map(({ fact }) => fact);
}

/** The drawn values of the vehicle, where the scenario has none. */
function vehicleLines(
  number: RunFailure['vehicle'],
  { vehicles, startMs, facts }: RunOutcome,
): readonly TimelineLine[] {
  const vehicle = vehicles.find((one) => one.number === number);
  if (vehicle === undefined) return [];
  const { model, group, firmware, boxId } = vehicle;
  const box =
    boxId === undefined ? '' : `, box ${boxId}${firmware === undefined ? '' : ` with firmware ${firmware}`}`;
  const text = `vehicle ${vehicle.number} of ${group} is ${withArticle(model)}${box}`;
  return [{ atMs: Math.min(0, (facts[0]?.atMs ?? startMs) - startMs), text, isAfter: false }];
}

/**
 * What had begun by then and not ended, about the vehicle or the service, in the order in which it began. What ended
 * at that very moment counts: a last step that fails ends the run, and with it every lasting fault, in the same
 * millisecond.
 */
function inForceAt(facts: readonly Fact[], atMs: number, vehicle: RunFailure['vehicle']): readonly Fact[] {
  const inForce = new Map<string, Fact[]>();
  for (const fact of facts) {
    if (fact.atMs > atMs) break;
    if (!isAbout(fact, vehicle)) continue;
    const isOver = fact.atMs < atMs;
    if (fact.kind === 'fault') {
      const key = `fault ${fact.name} ${fact.detail} ${fact.vehicles.join(' ')}`;
      // The same fault may be applied again before it ends.
      if (fact.phase === 'begins') inForce.set(key, [...(inForce.get(key) ?? []), fact]);
      else if (fact.phase === 'ends' && isOver) inForce.get(key)?.shift();
    } else if (fact.kind === 'connectivity' || (fact.kind === 'service' && fact.state === 'down')) {
      inForce.set(fact.kind, [fact]);
    } else if (fact.kind === 'service' && isOver) inForce.delete(fact.kind);
  }
  return [...inForce.values()].flat().sort((one, other) => one.atMs - other.atMs);
}

/** While a journal only grows or shrinks, its last value is enough. */
function withoutRuns(facts: readonly Fact[]): readonly Fact[] {
  return facts.filter((fact, index) => fact.kind !== 'journal' || facts[index + 1]?.kind !== 'journal');
}
