import type { Fact } from '../run/fact.ts';
import type { Outcome } from '../run/outcome.ts';
import { factText, isAbout } from './fact-text.ts';
import type { Failure } from './failure.ts';
import { limits } from './limits.ts';
import { shortened } from './moment.ts';

/** One line of what happened around a failure. */
export interface TimelineLine {
  /** From the beginning of the scenario. */
  readonly atMs: number;
  readonly text: string;
  readonly isAfter: boolean;
}

export interface Timeline {
  readonly lines: readonly TimelineLine[];
  /** What happened in the same time and is not shown. */
  readonly leftOut: number;
}

/**
 * What the vehicle of a failure and the service did shortly before it and after it, within bounds; first what was to be
 * done to the vehicle at any time before that and could not be, since no other line tells why. Without a time of its
 * own a failure is taken to be at the end. Where the run itself got stuck or crashed, all vehicles are told of.
 */
export function timelineAround({ kind, atMs: at, vehicle }: Failure, outcome: Outcome): Timeline {
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
  return {
    lines: shown.map((fact) => ({
      atMs: fact.atMs - startMs,
      text: shortened(factText(fact, outcome), limits.characters),
      isAfter: fact.atMs > atMs,
    })),
    leftOut: near.length + refused.length - shown.length,
  };
}

/** Of a journal that only grows or shrinks for a while the last word is enough. */
function withoutRuns(facts: readonly Fact[]): readonly Fact[] {
  return facts.filter((fact, index) => fact.kind !== 'journal' || facts[index + 1]?.kind !== 'journal');
}
