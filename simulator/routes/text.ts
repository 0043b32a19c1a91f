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

const NUMBER = /^[+-]?\d+(\.\d*)?([eE][+-]?\d{1,3})?$/;

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
