import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ulid } from '../../../../backend/events/message-parts.ts';
import { openWord, wholeSecond } from '../../../../backend/events/vehicle-state.ts';

const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const ULID = '01KE60EXAMP1E0000000000001';
const ulids = fc
  .tuple(
    fc.constantFrom(...ALPHABET.slice(0, 8)),
    fc.array(fc.constantFrom(...ALPHABET), { minLength: 25, maxLength: 25 }),
  )
  .map(([first, rest]) => [first, ...rest].join(''));
const takes = (schema: { safeParse(value: unknown): { readonly success: boolean } }, value: unknown) =>
  schema.safeParse(value).success;

describe('the parts of messages', () => {
  test('an id is a ULID, with nothing before or behind it', () => {
    fc.assert(
      fc.property(ulids, fc.constantFrom(...ALPHABET, ' ', '\n'), (id, more) => {
        expect(takes(ulid, id)).toBe(true);
        for (const wrong of [`${id}${more}`, `${more}${id}`, id.slice(1)])
          expect(takes(ulid, wrong), wrong).toBe(false);
      }),
    );
    for (const letter of 'ILOU') expect(takes(ulid, `${ULID.slice(0, 25)}${letter}`)).toBe(false);
    expect(takes(ulid, `8${ULID.slice(1)}`)).toBe(false);
  });

  test('a word may be another one than those of today, in capitals', () => {
    const word = openWord(['OPEN', 'CLOSED'], 'Whether it is open.');
    for (const right of ['OPEN', 'CLOSED', 'AJAR_2', 'A']) expect(takes(word, right), right).toBe(true);
    for (const wrong of ['', 'open', '1OPEN', '_OPEN', 'xOPEN', 'OPEN ', 'OPEN\nX', 'ÖPEN'])
      expect(takes(word, wrong), wrong).toBe(false);
    expect(word.meta()).toEqual({
      description: 'Whether it is open. One of OPEN, CLOSED; later releases may add others.',
      'x-extensible-enum': ['OPEN', 'CLOSED'],
      examples: ['OPEN'],
    });
  });

  test('a time has whole seconds in UTC', () => {
    const times = fc.date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true });
    fc.assert(
      fc.property(times, (time) => {
        const text = time.toISOString();
        const second = `${text.slice(0, 19)}Z`;
        expect(takes(wholeSecond, second)).toBe(true);
        for (const wrong of [text, text.slice(0, 19), ` ${second}`, `${second}Z`])
          expect(takes(wholeSecond, wrong), wrong).toBe(false);
      }),
    );
  });
});
