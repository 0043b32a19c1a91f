import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { matchesInTime } from '../../../../world/expressions/match-in-time.ts';

describe('an expression', () => {
  test('matches as RegExp does', () => {
    const pattern = fc.constantFrom(/^a+$/u, /b/u, /-own$/u, /(a|b)*c/u, /^$/u, /\p{L}{2}/u, /a(?=b)/u);
    fc.assert(
      fc.property(pattern, fc.stringMatching(/^[abc-]{0,12}$/), (one, text) => {
        expect(matchesInTime(one, text)).toBe(one.test(text));
      }),
    );
  });

  test.each([/^(a+)+$/u, /(a|aa)+$/u, /(?:a|a)(?:a|a)(?:a|a)*b/u])(
    'that backtracks without end is not decided: %s',
    (pattern) => {
      expect(matchesInTime(pattern, `${'a'.repeat(60)}!`)).toBeUndefined();
      expect(matchesInTime(/^(a+)+$/u, 'aaa')).toBe(true);
    },
  );
});
