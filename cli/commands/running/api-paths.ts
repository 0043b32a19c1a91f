import { listed } from '../../../judge/wording.ts';
import { nearestNames } from '../../../scenarios/language/document/nearest.ts';

/**
 * The paths of an API that were probably meant by one that it does not have: `/vehicels` means `/vehicles`. `paths` have
 * parameters such as `{id}`, for which the words of the given one stay. None where the API has the given path, and where
 * no other is similar.
 */
export function nearestPaths(given: string, paths: readonly string[]): readonly string[] {
  const [path = ''] = given.split(/[?#]/);
  const words = wordsOf(path);
  let left: readonly (readonly string[])[] = paths
    .map(wordsOf)
    .filter(({ length }) => length === words.length);
  for (const [index, word] of words.entries()) left = fitting(left, index, word);
  const found = [
    ...new Set(left.map((one) => `/${one.map((part, index) => filled(part, words[index] ?? '')).join('/')}`)),
  ];
  return found.includes(`/${words.join('/')}`) ? [] : found;
}

/**
 * What a vehicle has, for a path below one that the API does not have: `/vehicles/8B13V/state`. Undefined for every other
 * path, and where the API has it.
 */
export function vehiclePathText(given: string, paths: readonly string[]): string | undefined {
  const [path = ''] = given.split(/[?#]/);
  const words = wordsOf(path);
  const [root, id] = words;
  if (root !== 'vehicles' || id === undefined || words.length < 3 || hasPath(words, paths)) return undefined;
  const below = paths.map(wordsOf).filter((one) => one[0] === root && one.length > 2);
  const parts = [...new Set(below.map((one) => `${one[2]}${one.length > 3 ? '/…' : ''}`))];
  return `The state of the vehicle is latest_vehicle_state of /vehicles/${id}. Below that the API has ${listed(parts, 'and')}.`;
}

function hasPath(words: readonly string[], paths: readonly string[]): boolean {
  return paths
    .map(wordsOf)
    .some(
      (one) =>
        one.length === words.length && one.every((part, index) => isParameter(part) || part === words[index]),
    );
}

/** Those with this word there; where there are none, those with a parameter or with a similar word. */
function fitting(
  paths: readonly (readonly string[])[],
  index: number,
  word: string,
): readonly (readonly string[])[] {
  const exact = paths.filter((one) => one[index] === word);
  if (exact.length > 0) return exact;
  const literals = new Set(paths.flatMap((one) => one[index] ?? []).filter((part) => !isParameter(part)));
  const near = nearestNames(word, [...literals]);
  return paths.filter((one) => isParameter(one[index] ?? '') || near.includes(one[index] ?? ''));
}

function filled(part: string, word: string): string {
  return isParameter(part) ? word : part;
}

function isParameter(part: string): boolean {
  return part.startsWith('{');
}

function wordsOf(path: string): readonly string[] {
  return path.split('/').filter((word) => word !== '');
}
