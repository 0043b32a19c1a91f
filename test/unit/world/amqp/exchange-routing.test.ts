import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { matchesTopic } from '../../../../world/amqp/exchange-routing.ts';

describe('topic patterns', () => {
  /** The definition, word by word. */
  function fits([first, ...rest]: readonly string[], words: readonly string[]): boolean {
    if (first === undefined) return words.length === 0;
    if (first === '#')
      return fits(rest, words) || (words.length > 0 && fits([first, ...rest], words.slice(1)));
    return words.length > 0 && (first === '*' || first === words[0]) && fits(rest, words.slice(1));
  }

  test('match as defined', () => {
    const word = fc.constantFrom('a', 'b', '');
    const part = fc.oneof(word, fc.constantFrom('*', '#'));
    fc.assert(
      fc.property(fc.array(part, { maxLength: 6 }), fc.array(word, { maxLength: 6 }), (pattern, words) => {
        expect(matchesTopic(pattern, words)).toBe(fits(pattern, words));
      }),
    );
  });

  test('many hashes are not slow', () => {
    expect(matchesTopic('#.a.'.repeat(60).split('.'), 'b'.repeat(120).split(''))).toBe(false);
  });
});
