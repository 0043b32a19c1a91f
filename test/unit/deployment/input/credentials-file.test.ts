import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  credentialsCsv,
  parseCredentials,
  withPasswords,
} from '../../../../deployment/input/credentials-file.ts';
import { planFleet } from '../../../../simulator/fleet/fleet-plan.ts';
import { realRandom } from '../../../../world/random/real-random.ts';

describe('a credentials file', () => {
  test('of a fleet gives each of its boxes the password that it has', () => {
    fc.assert(
      fc.property(fc.nat({ max: 0xffff_ffff }), fc.integer({ min: 0, max: 12 }), (seed, count) => {
        const plans = planFleet(realRandom(seed), count);
        const parsed = parseCredentials(credentialsCsv(plans));
        expect(parsed).toEqual({ passwords: new Map(plans.map(({ boxId, secret }) => [boxId, secret])) });
      }),
      { numRuns: 20 },
    );
  });

  test('of any text is read, or told what is wrong with the line of each fault', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const parsed = parseCredentials(`box_id,password\n${text}`);
        if ('faults' in parsed)
          for (const { line, reason } of parsed.faults) {
            expect(line).toBeGreaterThan(1);
            expect(reason).not.toBe('');
          }
        else expect(parsed.passwords.size).toBeLessThanOrEqual(text.split('\n').length);
      }),
    );
  });

  test.each([
    ['', 1, 'the header has to begin with box_id,password'],
    ['id,secret\n', 1, 'the header has to begin with box_id,password'],
    ['box_id,password\n0011223344556677,a\nXX,b\n', 3, 'the box id has to be 16 digits of 0-9 and a-f'],
    ['box_id,password\r\n0011223344556677,\r\n', 2, 'the password is missing'],
    [
      'box_id,password,model\n0011223344556677,a,x\n\n0011223344556677,b,y\n',
      4,
      'box 0011223344556677 appears twice',
    ],
  ])('%j is refused with its line and the reason', (text, line, reason) => {
    expect(parseCredentials(text)).toEqual({ faults: [{ line, reason }] });
  });

  test('that lacks boxes of the fleet is refused before one of them is turned away', () => {
    const plans = planFleet(realRandom(1), 3);
    expect(() => withPasswords(plans, new Map(), 'boxes.csv')).toThrow(
      /boxes\.csv \(--credentials\) has no password for 3 of 3 boxes, such as [0-9a-f]{16}\./,
    );
  });
});
