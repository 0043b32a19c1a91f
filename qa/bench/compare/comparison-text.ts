import type { Compared } from './compare.ts';

/** `stories: 1.24 times as slow as 1a2b3c4 (1.18 to 1.31 in 5 rounds), slower`. */
export function comparisonText(compared: Compared, revision: string): string {
  if ('skipped' in compared) return `${compared.bench}: not compared, ${compared.skipped}`;
  const { bench, figure, pairs, median, low, high, is } = compared;
  const text = (one: number) => one.toFixed(2);
  const verdict = is === 'alike' ? 'no difference beyond noise' : is.toUpperCase();
  return `${bench}: ${verdict}; takes ${text(median)} times as long as ${revision} (${text(low)} to ${text(high)} in ${pairs.length} rounds; ${figure})`;
}
