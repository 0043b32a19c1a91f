import leven from 'leven';

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

/** `Did you mean cut?`, or a list of the names. */
export function hintFor(given: string, names: readonly string[]): string | undefined {
  const near = nearestName(given, names);
  if (near !== undefined) return `Did you mean ${near}?`;
  return names.length === 0 ? undefined : `There are: ${names.join(', ')}.`;
}
