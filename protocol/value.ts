/** Values whose type is not known yet: what layouts hand to and take from messages. */

/** A number, or NaN for anything else. */
export function numberOf(value: unknown): number {
  return typeof value === 'number' ? value : Number.NaN;
}

/** Whether it is an object with named properties. */
export function hasNames(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

/** What must rise in a rising list: for a range its first and last number, for a record the named number. */
export function endsOf(element: unknown, name: string): { readonly low: number; readonly high: number } {
  if (Array.isArray(element)) return { low: numberOf(element[0]), high: numberOf(element[1]) };
  const value = hasNames(element) ? numberOf(element[name]) : numberOf(element);
  return { low: value, high: value };
}
