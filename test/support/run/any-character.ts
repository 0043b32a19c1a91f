import fc from 'fast-check';

const SURROGATES_FROM = 0xd800;
const SURROGATES = 0x800;

/**
 * Any character of Unicode but half of a pair: what `unit: 'binary'` draws. That one makes a table of all of them
 * first, which takes each process a second.
 */
export const anyCharacter = fc.integer({ min: 0, max: 0x10ffff - SURROGATES }).map(
  (index) => String.fromCodePoint(index < SURROGATES_FROM ? index : index + SURROGATES),
  (text) => {
    const point = typeof text === 'string' ? text.codePointAt(0) : undefined;
    if (point === undefined || String.fromCodePoint(point) !== text || isSurrogate(point))
      throw new Error('This is not one character.');
    return point < SURROGATES_FROM ? point : point - SURROGATES;
  },
);

function isSurrogate(point: number): boolean {
  return point >= SURROGATES_FROM && point < SURROGATES_FROM + SURROGATES;
}
