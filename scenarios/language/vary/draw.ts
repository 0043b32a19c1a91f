import { findPlace, withValueAt } from '../document/place.ts';
import type { ScenarioDocument } from '../document/problem.ts';
import type { DrawnValues } from './vary.ts';

/** A source of whole numbers: a seeded stream, or fast-check. */
export interface RandomSource {
  /** Uniform, both ends included. */
  whole(min: number, max: number): number;
}

export type AppliedDraw =
  | { readonly ok: true; readonly document: ScenarioDocument }
  /** One sentence for each path that does not exist, with what exists instead. */
  | { readonly ok: false; readonly problems: readonly string[] };

/**
 * The document with the drawn values and without `vary`. Paths are resolved in the original document, so that
 * no value moves another. Reading the result checks whether the values are valid.
 */
export function applyDraw(document: ScenarioDocument, draw: DrawnValues): AppliedDraw {
  const problems: string[] = [];
  let changed: unknown = document;
  for (const [path, value] of Object.entries(draw)) {
    const place = findPlace(document, path);
    if (place.ok) changed = withValueAt(changed, place.value, value);
    else problems.push(place.why);
  }
  if (problems.length > 0) return { ok: false, problems };
  const { vary: _, ...rest } = changed as ScenarioDocument;
  return { ok: true, document: rest };
}
