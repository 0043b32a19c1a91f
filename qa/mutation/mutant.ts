/** A place in a file, as Stryker's reports have it: both from 1. */
export interface Place {
  readonly line: number;
  readonly column: number;
}

/** One change of one expression or statement. */
export interface Mutant {
  /** From the root of the checkout. */
  readonly file: string;
  readonly start: Place;
  readonly end: Place;
  /** Stryker's name of the kind of change. */
  readonly mutator: string;
  readonly replacement: string;
}

/** What two listings of the same sources have in common for one mutant. */
export function keyOf({ file, start, end, mutator, replacement }: Mutant): string {
  return `${file}:${start.line}:${start.column}-${end.line}:${end.column} ${mutator} ${replacement}`;
}

/** What became of a mutant. `did not load` is one with which no test could begin: it says nothing of the tests. */
export const OUTCOMES = ['killed', 'timed out', 'survived', 'no coverage', 'did not load'] as const;
export type MutantOutcome = (typeof OUTCOMES)[number];

export interface PlayedMutant extends Mutant {
  readonly outcome: MutantOutcome;
  /** What stands there, cut at a bound. */
  readonly original: string;
}
