import { type MutantOutcome, OUTCOMES, type PlayedMutant } from './mutant.ts';

export type OutcomeCounts = Readonly<Record<MutantOutcome, number>>;

export function countsOf(played: readonly PlayedMutant[]): OutcomeCounts {
  const counts = Object.fromEntries(OUTCOMES.map((outcome) => [outcome, 0])) as Record<MutantOutcome, number>;
  for (const { outcome } of played) counts[outcome] += 1;
  return counts;
}

/**
 * The share that the tests noticed, in percent: killed or timed out, of all with which a test could begin. Undefined
 * where there are none.
 */
export function scoreOf(counts: OutcomeCounts): number | undefined {
  const noticed = counts.killed + counts['timed out'];
  const all = noticed + counts.survived + counts['no coverage'];
  return all === 0 ? undefined : (100 * noticed) / all;
}

/** The mutants that no test noticed, in the order of files and places. */
export function survivorsOf(played: readonly PlayedMutant[]): readonly PlayedMutant[] {
  return played
    .filter(({ outcome }) => outcome === 'survived' || outcome === 'no coverage')
    .toSorted(
      (one, other) =>
        one.file.localeCompare(other.file) ||
        one.start.line - other.start.line ||
        one.start.column - other.start.column,
    );
}
