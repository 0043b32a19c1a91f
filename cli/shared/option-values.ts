import { InvalidArgumentError } from 'commander';
import type { z } from 'zod';
import { wholeNumber } from '../settings/values.ts';

/**
 * Reads the argument of an option as this schema has it; one that may be given several times goes on from the list
 * before. Throws what commander shows beside the option.
 */
export function argument<Value>(
  schema: z.ZodType<Value>,
  read: (text: string) => unknown = (text) => text,
): (text: string, before?: unknown) => Value {
  return (text, before) => {
    const value = read(text);
    const isFurther = Array.isArray(value) && Array.isArray(before);
    const parsed = schema.safeParse(isFurther ? [...before, ...value] : value);
    if (parsed.success) return parsed.data;
    throw new InvalidArgumentError(parsed.error.issues[0]?.message ?? 'It cannot be used.');
  };
}

/** A whole number within these bounds. */
export function whole(minimum: number, maximum: number): (text: string) => number {
  const read = argument(wholeNumber(minimum, maximum), (text) =>
    /^\d{1,10}$/.test(text) ? Number(text) : text,
  );
  return (text) => read(text);
}
