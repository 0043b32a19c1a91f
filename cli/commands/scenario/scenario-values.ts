import { InvalidArgumentError } from 'commander';

export const REPORT_KINDS = ['junit', 'json', 'html'] as const;
export type ReportKind = (typeof REPORT_KINDS)[number];

/** What shows failures next to the lines of the files. */
export const ANNOTATION_KINDS = ['github'] as const;
export type AnnotationKind = (typeof ANNOTATION_KINDS)[number];

/** Where a report goes. */
export interface ReportTarget {
  readonly kind: ReportKind;
  readonly file: string;
}

/** `junit=out.xml`, after those that were given before. */
export function reportTarget(text: string, before: readonly ReportTarget[]): readonly ReportTarget[] {
  const [, name = '', file = ''] = /^([^=]*)=(.+)$/s.exec(text) ?? [];
  const kind = REPORT_KINDS.find((one) => one === name);
  if (kind === undefined)
    throw new InvalidArgumentError(`It takes ${REPORT_KINDS.map((one) => `${one}=FILE`).join(', ')}.`);
  return [...before, { kind, file }];
}

/** Virtual seconds per second of wall clock; infinity for `max`. */
export function pace(text: string): number {
  if (text === 'max') return Number.POSITIVE_INFINITY;
  const value = /^\d{1,9}(?:\.\d{1,3})?$/.test(text) ? Number(text) : 0;
  if (value > 0) return value;
  throw new InvalidArgumentError(
    'It takes "max" or a number above 0: 1 is as fast as the clock, 60 a minute in a second.',
  );
}
