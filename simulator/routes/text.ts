import { limits } from './limits.ts';

/** The line of an offset in a text, as in `line 12`. */
export function lineAt(text: string, offset: number): string {
  let line = 1;
  for (let at = text.indexOf('\n'); at >= 0 && at < offset; at = text.indexOf('\n', at + 1)) line += 1;
  return `line ${line}`;
}

/** The number in a text, in the usual notation; undefined: it is not a number. */
export function numberIn(value: unknown): number | undefined {
  if (typeof value !== 'string') return undefined;
  const text = value.trim();
  if (text.length > limits.numberCharacters || !NUMBER.test(text)) return undefined;
  return Number(text);
}

const NUMBER = /^[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d{1,3})?$/;

/** Deep or long values are only named. */
function worded(value: unknown): string {
  if (Array.isArray(value)) {
    const isShort = value.length <= 4 && value.every((item) => typeof item !== 'object' || item === null);
    return isShort ? JSON.stringify(value) : 'a list';
  }
  return typeof value === 'object' && value !== null ? 'an object' : String(value);
}

/** A value for an error text: quoted, short, and without control characters of a terminal. */
export function shownText(value: unknown): string {
  const text = typeof value === 'string' ? value : worded(value);
  const plain = text.replace(/\s+/g, ' ').replace(/[^ -~\u00a1-\u024f]/g, '?');
  return plain.length > limits.shownCharacters ? `${plain.slice(0, limits.shownCharacters)}...` : plain;
}

/** Texts in place of a reading that is missing. */
const EMPTY: ReadonlySet<string> = new Set(['', '-', '--']);
const NOTHING: ReadonlySet<string> = new Set([
  ...EMPTY,
  'nan',
  'null',
  'none',
  'n/a',
  'na',
  'no data',
  '\\n',
  '∞',
]);

/** The text of a value in a file as it is written; undefined: there is no reading. */
export function cellText(raw: unknown): string | undefined {
  if (raw === undefined || raw === null) return undefined;
  const text = String(typeof raw === 'object' ? shownText(raw) : raw).trim();
  return NOTHING.has(text.toLowerCase()) ? undefined : text;
}

/** The word for a missing reading (`NaN`), where a cell is not just empty. */
export function wordForNothing(raw: unknown): string | undefined {
  const text = raw === undefined ? '' : String(raw).trim();
  return NOTHING.has(text.toLowerCase()) && !EMPTY.has(text) ? text : undefined;
}
