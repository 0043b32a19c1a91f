import { findPlace, withValueAt } from './place.ts';
import type { Document } from './problem.ts';
import { countOf, type Draw, type Variation, variedValue } from './vary.ts';

/** Whole numbers from somewhere: a seeded stream, or fast-check. */
export interface Chance {
  /** Uniform, both ends included. */
  whole(min: number, max: number): number;
}

export type Drawn =
  | { readonly ok: true; readonly document: Document }
  /** One sentence for each path that leads nowhere, with what there is. */
  | { readonly ok: false; readonly problems: readonly string[] };

/** A value for each variation, in their order. */
export function drawVariations(vary: readonly Variation[], chance: Chance): Draw {
  return Object.fromEntries(
    vary.map(({ path, values }) => [path, variedValue(values, chance.whole(0, countOf(values) - 1))]),
  );
}

/**
 * The document with the drawn values in their places and without `vary`: a scenario of its own. Paths are those of the
 * document as it is, so that no value shifts another's place. Whether the values are right, reading it tells.
 */
export function applyDraw(document: Document, draw: Draw): Drawn {
  const problems: string[] = [];
  let changed: unknown = document;
  for (const [path, value] of Object.entries(draw)) {
    const place = findPlace(document, path);
    if (place.ok) changed = withValueAt(changed, place.value, value);
    else problems.push(place.why);
  }
  if (problems.length > 0) return { ok: false, problems };
  const { vary: _, ...rest } = changed as Document;
  return { ok: true, document: rest };
}
