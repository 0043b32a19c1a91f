import { InvalidArgumentError } from 'commander';

/** What shows failures next to the lines of the files. */
export const ANNOTATION_KINDS = ['github'] as const;
export type AnnotationKind = (typeof ANNOTATION_KINDS)[number];

/** Virtual seconds per second of wall clock; infinity for `max`. */
export function pace(text: string): number {
  if (text === 'max') return Number.POSITIVE_INFINITY;
  const value = /^\d{1,9}(?:\.\d{1,3})?$/.test(text) ? Number(text) : 0;
  if (value > 0) return value;
  throw new InvalidArgumentError(
    'It takes "max" or a number above 0: 1 is as fast as the clock, 60 a minute in a second.',
  );
}
