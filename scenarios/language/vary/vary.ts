import { formatSpan, parseSpan } from '../document/quantity.ts';

/** A place in a document: `['steps', 1, 'for']`. */
export type DocumentPlace = readonly (string | number)[];

/** One value of the document that may vary. */
export interface Variation {
  /** As written: `steps[1].for`. */
  readonly path: string;
  readonly values: VariedValues;
}

export type VariedValues =
  /** A span of time, both ends included, in steps of the grain: a millisecond or a second. */
  | { readonly kind: 'span'; readonly fromMs: number; readonly toMs: number; readonly grainMs: number }
  /** A number, both ends included; whole if both ends are. */
  | { readonly kind: 'number'; readonly from: number; readonly to: number }
  /** One of these values, as written in the document; the first is the simplest. */
  | { readonly kind: 'choice'; readonly choices: readonly unknown[] };

/** The values drawn for a scenario, as written in the document, by the paths of `vary`. */
export type DrawnValues = Readonly<Record<string, unknown>>;

const NUMBER = /^-?\d{1,12}(?:\.\d{1,6})?$/;

/** Reads a value of `vary`: a list of choices, or a range as text; undefined when it is neither. */
export function variedValues(given: unknown): VariedValues | undefined {
  if (Array.isArray(given)) return given.length === 0 ? undefined : { kind: 'choice', choices: given };
  const [from, to, more] = String(given).split('..');
  if (from === undefined || to === undefined || more !== undefined) return undefined;
  if (NUMBER.test(from) && NUMBER.test(to)) {
    const range = { from: Number(from), to: Number(to) };
    return range.from <= range.to ? { kind: 'number', ...range } : undefined;
  }
  const fromMs = parseSpan(from);
  const toMs = parseSpan(to);
  if (fromMs === undefined || toMs === undefined || fromMs > toMs) return undefined;
  return { kind: 'span', fromMs, toMs, grainMs: grainMsOf(`${from} ${to}`, fromMs, toMs) };
}

/** As the ends are written: `0ms..10s` has milliseconds, `0s..10s` seconds. Nothing is coarser than a second. */
function grainMsOf(written: string, fromMs: number, toMs: number): number {
  return /ms|\./.test(written) || fromMs % 1_000 !== 0 || toMs % 1_000 !== 0 ? 1 : 1_000;
}

/** The values as they are written in a document. */
export function printVaried(values: VariedValues): unknown {
  if (values.kind === 'choice') return values.choices;
  if (values.kind === 'number') return `${values.from}..${values.to}`;
  const text = `${formatSpan(values.fromMs)}..${formatSpan(values.toMs)}`;
  // So that the grain can be read from it again.
  return values.grainMs === 1 && !/ms/.test(text) ? `${text}0ms` : text;
}

/** The ends of a range, or every choice, as written: the values that the reader checks. */
export function extremesOf(values: VariedValues): readonly unknown[] {
  if (values.kind === 'choice') return values.choices;
  if (values.kind === 'number') return [values.from, values.to];
  return [formatSpan(values.fromMs), formatSpan(values.toMs)];
}

/** The number of values; a range of numbers that are not whole has thousandths as steps. */
export function countOf(values: VariedValues): number {
  if (values.kind === 'choice') return values.choices.length;
  if (values.kind === 'span') return Math.floor((values.toMs - values.fromMs) / values.grainMs) + 1;
  return isWhole(values) ? values.to - values.from + 1 : 1_001;
}

/** The value with this index, from 0 to `countOf` - 1, as written. A lower index is a simpler value. */
export function variedValue(values: VariedValues, index: number): unknown {
  if (values.kind === 'choice') return values.choices[index];
  if (values.kind === 'span') return formatSpan(values.fromMs + index * values.grainMs);
  if (isWhole(values)) return values.from + index;
  return Number((values.from + ((values.to - values.from) * index) / 1_000).toFixed(6));
}

/**
 * Values from `from` towards `to` as written: `from` itself, then values of the range between them, ever
 * closer to `to`, which is not included.
 */
export function betweenVaried(values: VariedValues, from: unknown, to: unknown): readonly unknown[] {
  if (JSON.stringify(from) === JSON.stringify(to)) return [];
  if (values.kind === 'choice') return [from];
  const [first, last] = [indexOf(values, from), indexOf(values, to)];
  if (first === undefined || last === undefined) return [from];
  const most = countOf(values) - 1;
  const between = [1, 2, 4, 8, 12, 14, 15]
    .map((sixteenths) => Math.round(first + ((last - first) * sixteenths) / 16))
    .concat(last - Math.sign(last - first))
    .filter((index) => index >= 0 && index <= most && index !== first && index !== last);
  return [from, ...[...new Set(between)].map((index) => variedValue(values, index))];
}

/**
 * The index of a value, outside the range of indices for a value outside; undefined for one of another kind.
 */
function indexOf(values: VariedValues, value: unknown): number | undefined {
  if (values.kind === 'span') {
    const ms = typeof value === 'string' ? parseSpan(value) : undefined;
    return ms === undefined ? undefined : Math.round((ms - values.fromMs) / values.grainMs);
  }
  if (values.kind !== 'number' || typeof value !== 'number') return undefined;
  const { from, to } = values;
  return isWhole(values) ? Math.round(value - from) : Math.round(((value - from) / (to - from)) * 1_000);
}

function isWhole({ from, to }: { readonly from: number; readonly to: number }): boolean {
  return Number.isInteger(from) && Number.isInteger(to);
}
