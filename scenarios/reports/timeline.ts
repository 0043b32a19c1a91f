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
 * What happened to the vehicle of a failure and to the service shortly before and after it, within bounds.
 * Earlier acts on the vehicle that were refused come first, since no other line gives the reason. A failure
 * without a time counts as one at the end. For a stuck or crashed run all vehicles are included.
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
  return {
    lines: shown.map((fact) => ({
      atMs: fact.atMs - startMs,
      text: shortened(factText(fact, outcome), limits.characters),
      isAfter: fact.atMs > atMs,
    })),
    leftOut: near.length + refused.length - shown.length,
  };
}

/** While a journal only grows or shrinks, its last value is enough. */
function withoutRuns(facts: readonly Fact[]): readonly Fact[] {
  return facts.filter((fact, index) => fact.kind !== 'journal' || facts[index + 1]?.kind !== 'journal');
}
