import { valueText } from '../../../judge/wording.ts';
import { matchesInTime } from '../../../world/expressions/match-in-time.ts';
import type { DocumentPlace } from '../vary/vary.ts';
import { COMPARISONS } from './expectations.ts';

/** Where a value does not match: the path within it, also for people, and the expected value. */
export interface Mismatch {
  readonly path: string;
  readonly place: DocumentPlace;
  readonly expected: string;
  readonly found: unknown;
}

type Comparison = (expected: unknown, found: unknown) => boolean;

const number = (compare: (a: number, b: number) => boolean): Comparison => {
  return (expected, found) =>
    typeof found === 'number' && typeof expected === 'number' && compare(found, expected);
};

/** The function of each comparison of the language. */
const COMPARE: Readonly<Record<keyof typeof COMPARISONS, Comparison>> = {
  above: number((found, bound) => found > bound),
  below: number((found, bound) => found < bound),
  at_least: number((found, bound) => found >= bound),
  at_most: number((found, bound) => found <= bound),
  not: (expected, found) => mismatchOf(expected, found) !== undefined,
  one_of: (expected, found) =>
    Array.isArray(expected) && expected.some((one) => mismatchOf(one, found) === undefined),
  like: (expected, found) => typeof found === 'string' && isLike(String(expected), found),
  present: (expected, found) => (found !== undefined && found !== null) === expected,
};

/**
 * Compares a value with a pattern of the language. Plain values must be equal, lists equal item by item. An
 * object of comparisons must hold for all of them. Any other object matches part by part, and the value may
 * have more parts. Undefined: it matches.
 */
export function mismatchOf(
  pattern: unknown,
  found: unknown,
  place: DocumentPlace = [],
): Mismatch | undefined {
  const mismatch = (expected: string): Mismatch => ({ path: pathText(place), place, expected, found });
  if (isComparison(pattern)) {
    for (const [word, expected] of Object.entries(pattern)) {
      const compare = COMPARE[word as keyof typeof COMPARISONS];
      if (!compare(expected, found)) return mismatch(`${word} ${valueText(expected)}`);
    }
    return undefined;
  }
  if (Array.isArray(pattern)) {
    if (!Array.isArray(found) || found.length !== pattern.length) return mismatch(valueText(pattern));
    return firstOf(pattern.map((one, index) => mismatchOf(one, found[index], [...place, index])));
  }
  if (typeof pattern === 'object' && pattern !== null) {
    if (typeof found !== 'object' || found === null) return mismatch(valueText(pattern));
    const parts = found as Readonly<Record<string, unknown>>;
    return firstOf(
      Object.entries(pattern).map(([name, one]) =>
        mismatchOf(one, Object.hasOwn(parts, name) ? parts[name] : undefined, [...place, name]),
      ),
    );
  }
  return pattern === found ? undefined : mismatch(valueText(pattern));
}

/** `.doors[0].open` */
function pathText(place: DocumentPlace): string {
  return place.map((key) => (typeof key === 'number' ? `[${key}]` : `.${key}`)).join('');
}

/** A sentence for people: `state.speed_in_kph is 13, expected below 1`. */
export function mismatchText({ path, expected, found }: Mismatch, root: string): string {
  return `${root}${path} is ${valueText(found)}, expected ${expected}`;
}

/** An invalid regular expression matches nothing. Throws where the expression does not terminate on this text. */
function isLike(expression: string, found: string): boolean {
  let pattern: RegExp;
  try {
    pattern = new RegExp(expression, 'u');
  } catch {
    return false;
  }
  const matches = matchesInTime(pattern, found);
  // Neither answer would be true, and `never` and `not` would turn "no match" into a result.
  if (matches === undefined)
    throw new Error(
      `The expression ${valueText(expression)} takes too long on a text of ${found.length} characters. Write it without a repetition within a repetition, such as (a+)+.`,
    );
  return matches;
}

function isComparison(pattern: unknown): pattern is Readonly<Record<string, unknown>> {
  if (typeof pattern !== 'object' || pattern === null || Array.isArray(pattern)) return false;
  const words = Object.keys(pattern);
  return words.length > 0 && words.every((word) => Object.hasOwn(COMPARISONS, word));
}

function firstOf(mismatches: readonly (Mismatch | undefined)[]): Mismatch | undefined {
  return mismatches.find((one) => one !== undefined);
}
