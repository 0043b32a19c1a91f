import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { COMMANDS } from '../../../protocol/commands.ts';
import {
  FIRMWARE,
  type FirmwareVersion,
  hasAbility,
  isAtLeast,
  isReleased,
  NEWEST_FIRMWARE,
  OLDEST_FIRMWARE,
  wireOf,
} from '../../../protocol/firmware.ts';

const version: fc.Arbitrary<FirmwareVersion> = fc.tuple(fc.nat(255), fc.nat(255));
const page = readFileSync(new URL('../../../docs/firmware.md', import.meta.url), 'utf8');

describe('the table of firmware versions', () => {
  test('rises within what is in the field, and stands on the page as it is', () => {
    let before = OLDEST_FIRMWARE;
    for (const { ability, since, brings } of FIRMWARE) {
      expect(isAtLeast(since, before)).toBe(true);
      expect(isReleased(since)).toBe(true);
      expect(page).toContain(`| ${since.join('.')} | ${ability} | ${brings} |`);
      before = since;
    }
    expect(page.split('\n').filter((line) => /^\| \d\.\d\d \|/.test(line)).length).toBe(FIRMWARE.length);
  });

  test('takes nothing back: what a version can do every later one can', () => {
    fc.assert(
      fc.property(version, version, (one, other) => {
        if (!isAtLeast(other, one)) return;
        for (const { ability } of FIRMWARE)
          expect(!hasAbility(one, ability) || hasAbility(other, ability)).toBe(true);
        expect(wireOf(2, other)).toBeGreaterThanOrEqual(wireOf(2, one));
        expect(wireOf(1, other)).toBe(1);
      }),
    );
  });

  test('is where the commands have their minimum from: workshop mode, from 2.24', () => {
    const bound = COMMANDS.filter((row) => 'minimumFirmware' in row);
    expect(bound.map(({ name }) => name)).toEqual(['activate-workshop-mode', 'deactivate-workshop-mode']);
    for (const row of bound) expect(row).toMatchObject({ minimumFirmware: [2, 24] });
  });

  test('says that 2.14 speaks the packed layout on any hardware, and 2.15 that of the hardware', () => {
    expect([wireOf(1, [2, 14]), wireOf(2, [2, 14]), wireOf(1, [2, 15]), wireOf(2, [2, 15])]).toEqual([
      1, 1, 1, 2,
    ]);
    expect(isReleased([2, 9]) || isReleased([2, 41]) || isReleased([3, 0])).toBe(false);
    expect(isReleased(NEWEST_FIRMWARE)).toBe(true);
  });
});
