/** Values whose type is not known yet, between layouts and messages. */

/** A number, or NaN for anything else. */
export function numberOf(value: unknown): number {
  return typeof value === 'number' ? value : Number.NaN;
}

/** Whether it is an object with named properties. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

/**
 * The numbers that must ascend in a rising list: the first and last of a range, or the named number of a
 * record.
 */
export function endsOf(element: unknown, name: string): { readonly low: number; readonly high: number } {
  if (Array.isArray(element)) return { low: numberOf(element[0]), high: numberOf(element[1]) };
  const value = isObject(element) ? numberOf(element[name]) : numberOf(element);
  return { low: value, high: value };
}
