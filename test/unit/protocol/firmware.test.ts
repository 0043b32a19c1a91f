import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { COMMANDS } from '../../../protocol/commands.ts';
import {
  FIRMWARE_ABILITIES,
  type FirmwareVersion,
  hasAbility,
  isAtLeast,
  isReleased,
  NEWEST_FIRMWARE,
  OLDEST_FIRMWARE,
  wireGenerationOf,
} from '../../../protocol/firmware.ts';

const version: fc.Arbitrary<FirmwareVersion> = fc.tuple(fc.nat(255), fc.nat(255));
const page = readFileSync(new URL('../../../docs/firmware.md', import.meta.url), 'utf8');

describe('the table of firmware versions', () => {
  test('ascends within the versions in use, and is copied exactly on its page', () => {
    let before = OLDEST_FIRMWARE;
    for (const { ability, since, brings } of FIRMWARE_ABILITIES) {
      expect(isAtLeast(since, before)).toBe(true);
      expect(isReleased(since)).toBe(true);
      expect(page).toContain(`| ${since.join('.')} | ${ability} | ${brings} |`);
      before = since;
    }
    expect(page.split('\n').filter((line) => /^\| \d\.\d\d \|/.test(line)).length).toBe(
      FIRMWARE_ABILITIES.length,
    );
  });

  test('removes nothing: what a version can do every later one can', () => {
    fc.assert(
      fc.property(version, version, (one, other) => {
        if (!isAtLeast(other, one)) return;
        for (const { ability } of FIRMWARE_ABILITIES)
          expect(!hasAbility(one, ability) || hasAbility(other, ability)).toBe(true);
        expect(wireGenerationOf(2, other)).toBeGreaterThanOrEqual(wireGenerationOf(2, one));
        expect(wireGenerationOf(1, other)).toBe(1);
      }),
    );
  });

  test('gives the minimum versions of commands: workshop mode, from 2.24', () => {
    const bound = COMMANDS.filter((row) => 'minimumFirmware' in row);
    expect(bound.map(({ name }) => name)).toEqual(['activate-workshop-mode', 'deactivate-workshop-mode']);
    for (const row of bound) expect(row).toMatchObject({ minimumFirmware: [2, 24] });
  });

  test('gives 2.14 the packed layout on any hardware, and 2.15 that of the hardware', () => {
    expect([
      wireGenerationOf(1, [2, 14]),
      wireGenerationOf(2, [2, 14]),
      wireGenerationOf(1, [2, 15]),
      wireGenerationOf(2, [2, 15]),
    ]).toEqual([1, 1, 1, 2]);
    expect(isReleased([2, 9]) || isReleased([2, 41]) || isReleased([3, 0])).toBe(false);
    expect(isReleased(NEWEST_FIRMWARE)).toBe(true);
  });
});
