import { languageLimits } from '../../limits.ts';
import { extremesOf, variedValues } from '../vary/vary.ts';
import type { DocumentFault } from './explain.ts';
import { findPlace, withValueAt } from './place.ts';
import type { ScenarioDocument } from './problem.ts';

const MUST_BE_THERE = 'Only what the file says can be varied: write it there first.';

/**
 * Whether each path of `vary` exists and each of its values is valid there. `firstFault` reads a document with
 * another value in one place.
 */
export function checkVary(
  document: ScenarioDocument,
  firstFault: (document: ScenarioDocument) => DocumentFault | undefined,
): readonly DocumentFault[] {
  const vary = (document['vary'] ?? {}) as Readonly<Record<string, unknown>>;
  const { vary: _, ...fixed } = document;
  const entries = Object.entries(vary);
  if (entries.length > languageLimits.variations) {
    return [
      {
        place: ['vary'],
        of: 'name',
        message: `A scenario varies ${languageLimits.variations} values at most.`,
      },
    ];
  }
  return entries.flatMap(([path, given]): readonly DocumentFault[] => {
    const at = ['vary', path];
    const place = findPlace(fixed, path);
    if (!place.ok) return [{ place: at, of: 'name', message: place.why, hint: MUST_BE_THERE }];
    const values = variedValues(given);
    if (values === undefined) {
      return [
        {
          place: at,
          of: 'value',
          message: `${JSON.stringify(given)} is not a range.`,
          hint: 'A range goes from its least to its greatest value, such as 1s..10m, 1..5 or 0.1..0.9; choices are a list.',
        },
      ];
    }
    for (const [index, value] of extremesOf(values).entries()) {
      const wrong = firstFault(withValueAt(fixed, place.value, value) as ScenarioDocument);
      if (wrong === undefined) continue;
      const where = values.kind === 'choice' ? [...at, index] : at;
      const hint = wrong.hint === undefined ? {} : { hint: wrong.hint };
      return [
        { place: where, of: 'value', message: `With ${JSON.stringify(value)}: ${wrong.message}`, ...hint },
      ];
    }
    return [];
  });
}
