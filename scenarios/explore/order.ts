import type { JsonObject } from '../../world/json.ts';
import type { ScenarioDocument } from '../language/document/problem.ts';
import { parseSpan } from '../language/document/quantity.ts';

/** Indices of steps that begin at the same time and so may run in any order; each list is ascending. */
export function tiesOf(document: ScenarioDocument): readonly (readonly number[])[] {
  const ties: number[][] = [];
  let open = new Map<number, number[]>();
  for (const [index, step] of stepsOf(document).entries()) {
    const atMs = typeof step['at'] === 'string' ? parseSpan(step['at']) : undefined;
    if (atMs === undefined) {
      // A step that waits for all steps before it: no step may be moved across it.
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

/** The number of digits that `reordered` may use: 0 when no drawn value can give steps equal times. */
export function digitsFor(document: ScenarioDocument, paths: readonly string[]): number {
  const timed = stepsOf(document).filter((step) => step['at'] !== undefined).length;
  const mayTie = tiesOf(document).length > 0 || (timed > 1 && paths.some((path) => /\.at$/.test(path)));
  return mayTie ? timed : 0;
}

/**
 * The document with the steps of each tie in another order; zeros leave them as they are. A digit says how
 * many of the remaining steps are skipped (Lehmer code), so that smaller digits are closer to the order of
 * the file.
 */
export function reordered(document: ScenarioDocument, digits: readonly number[]): ScenarioDocument {
  const steps = stepsOf(document);
  const changed = [...steps];
  let used = 0;
  for (const tie of tiesOf(document)) {
    const left = [...tie];
    for (const place of tie) {
      const [from = place] = left.splice((digits[used++] ?? 0) % left.length, 1);
      changed[place] = steps[from] as JsonObject;
    }
  }
  return { ...document, steps: changed };
}

function stepsOf(document: ScenarioDocument): readonly JsonObject[] {
  return document['steps'] as readonly JsonObject[];
}
