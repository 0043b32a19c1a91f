/** What differs from run to run: numbers, times, ids, tokens. */
const OF_CHANCE = /[\w.+/=~-]{20,}|[\w.+/=~-]*\d[\w.+/=~-]*/g;

/**
 * Whether two values say the same but for numbers, times, ids and tokens: the same names in the same order, the same
 * words, lists as long.
 */
export function isAlike(one: unknown, other: unknown): boolean {
  if (typeof one === 'number' && typeof other === 'number') return true;
  if (typeof one === 'string' && typeof other === 'string') return masked(one) === masked(other);
  if (Array.isArray(one) && Array.isArray(other))
    return one.length === other.length && one.every((part, index) => isAlike(part, other[index]));
  if (!isObject(one) || !isObject(other)) return one === other;
  const names = Object.keys(one);
  return names.join() === Object.keys(other).join() && names.every((name) => isAlike(one[name], other[name]));
}

function masked(text: string): string {
  return text.replaceAll(OF_CHANCE, '#');
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
