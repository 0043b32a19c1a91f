import type { Document } from '../language/problem.ts';
import { parseSpan } from '../language/quantity.ts';

type Loose = Readonly<Record<string, unknown>>;

/** Places of steps that begin at the same time, and so in any order; each list rises. */
export function tiesOf(document: Document): readonly (readonly number[])[] {
  const ties: number[][] = [];
  let open = new Map<number, number[]>();
  for (const [index, step] of stepsOf(document).entries()) {
    const atMs = typeof step['at'] === 'string' ? parseSpan(step['at']) : undefined;
    if (atMs === undefined) {
      // A step that waits for all before it: nothing may be moved across it.
      if (step['after'] === undefined) open = new Map();
      continue;
    }
    const tie = open.get(atMs);
    if (tie === undefined) {
      const made = [index];
      open.set(atMs, made);
      ties.push(made);
    } else tie.push(index);
  }
  return ties.filter((tie) => tie.length > 1);
}

/** The number of digits that `reordered` may use: 0 where no drawn value can bring steps to one time. */
export function digitsFor(document: Document, paths: readonly string[]): number {
  const timed = stepsOf(document).filter((step) => step['at'] !== undefined).length;
  const mayTie = tiesOf(document).length > 0 || (timed > 1 && paths.some((path) => /\.at$/.test(path)));
  return mayTie ? timed : 0;
}

/**
 * The document with the steps of each tie in another order; zeroes leave them as they are. A digit says how many of
 * those that are left are passed over (Lehmer's code), so that smaller digits are closer to the order of the file.
 */
export function reordered(document: Document, digits: readonly number[]): Document {
  const steps = stepsOf(document);
  const changed = [...steps];
  let used = 0;
  for (const tie of tiesOf(document)) {
    const left = [...tie];
    for (const place of tie) {
      const [from = place] = left.splice((digits[used++] ?? 0) % left.length, 1);
      changed[place] = steps[from] as Loose;
    }
  }
  return { ...document, steps: changed };
}

function stepsOf(document: Document): readonly Loose[] {
  return document['steps'] as readonly Loose[];
}
