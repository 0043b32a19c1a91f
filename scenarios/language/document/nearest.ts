import leven from 'leven';
import { listed } from '../../../judge/wording.ts';

/** The name that was probably meant; undefined when none is similar. `half-open` equals `half_open`. */
export function nearestName(given: string, names: readonly string[]): string | undefined {
  let best: string | undefined;
  let bestDistance = Number.POSITIVE_INFINITY;
  let bestStart = 0;
  const wanted = plain(given);
  for (const name of names) {
    const other = plain(name);
    // Two swapped letters count as one error.
    const distance =
      sorted(wanted) === sorted(other) ? Math.min(1, leven(wanted, other)) : leven(wanted, other);
    // Of those that are equally near, the one with the same beginning: OFLINE is OFFLINE before it is ONLINE.
    const start = commonStart(wanted, other);
    if (distance < bestDistance || (distance === bestDistance && start > bestStart))
      [best, bestDistance, bestStart] = [name, distance, start];
  }
  return bestDistance <= Math.max(1, Math.min(4, Math.floor(wanted.length / 2.5))) ? best : undefined;
}

/** The length of the common prefix. */
function commonStart(one: string, other: string): number {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length += 1;
  return length;
}

function sorted(text: string): string {
  return [...text].sort().join('');
}

function plain(name: string): string {
  return name.slice(0, 64).toLowerCase().replaceAll(/[-_ ]/g, '');
}

/** How many names a hint offers. */
const OFFERED = 4;

/**
 * The name that was probably meant; where none is similar, those with similar words in them: `unlok` is part of
 * `unlock-central-lock`. Of these the ones that begin with it, if any do.
 */
export function nearestNames(given: string, names: readonly string[]): readonly string[] {
  const near = nearestName(given, names);
  if (near !== undefined) return [near];
  const count = wordsOf(given).length;
  const parts = names.flatMap((name) => {
    const words = wordsOf(name);
    if (words.length <= count) return [];
    return words
      .slice(0, words.length - count + 1)
      .map((_, at) => ({ name, isStart: at === 0, part: words.slice(at, at + count).join('-') }));
  });
  const meant = nearestName(
    given,
    parts.map(({ part }) => part),
  );
  const found = parts.filter(({ part }) => part === meant);
  const best = found.some(({ isStart }) => isStart) ? found.filter(({ isStart }) => isStart) : found;
  return best.map(({ name }) => name).slice(0, OFFERED);
}

function wordsOf(name: string): readonly string[] {
  return name.split(/[-_ /]/);
}

/** `Did you mean cut?`, or a list of the names. */
export function hintFor(given: string, names: readonly string[]): string | undefined {
  const near = nearestHint(given, names);
  if (near !== undefined) return near;
  return names.length === 0 ? undefined : `There are: ${names.join(', ')}.`;
}

/** `Did you mean cut?`, where a name is similar. */
export function nearestHint(given: string, names: readonly string[]): string | undefined {
  const near = nearestNames(given, names);
  return near.length === 0 ? undefined : `Did you mean ${listed(near)}?`;
}

/** `Did you mean 77B5C?`, or some of the ids, of which there may be many. */
export function nearestOrSome(given: string, ids: readonly string[]): string | undefined {
  const some = ids.slice(0, OFFERED);
  return (
    nearestHint(given, ids) ?? (some.length === 0 ? undefined : `There are, for example, ${some.join(', ')}.`)
  );
}
