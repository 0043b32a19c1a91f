import { describe, expect, test } from 'vitest';
import { readScenario } from '../../../../../scenarios/language/document/read.ts';
import { languageLimits } from '../../../../../scenarios/limits.ts';

const HEAD = 'name: large\nabout: A large file.\nfleet: [{ count: 1 }]\nsteps:\n';
const many = (count: number, one: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => one(index)).join('');

/** The least milliseconds of CPU of two tries: other processes and the collector only add to it. */
function leastCpuMs(work: () => void): number {
  const tries = Array.from({ length: 2 }, () => {
    const before = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1_000;
  });
  return Math.min(...tries);
}

describe('a large file of', () => {
  test.each<[string, (share: number) => string]>([
    ['names of one map', (share) => many(20_000 * share, (index) => `key${index}: 1\n`)],
    ['names of one map in braces', (share) => `{${many(20_000 * share, (index) => `key${index}: 1,`)}}`],
    [
      'names where a word takes some',
      (share) => `${HEAD}- { at: 1s, park: { ${many(9_600 * share, (i) => `k${i}: 1, `)} } }\n`,
    ],
    ['aliases', (share) => `${HEAD}- &a x\n${'- *a\n'.repeat(44_000 * share)}`],
    [
      'anchors with an alias each',
      (share) => `${HEAD}${many(8_800 * share, (index) => `- &a${index} x\n- *a${index}\n`)}`,
    ],
    ['items', (share) => `${HEAD}- [${'a,'.repeat(120_000 * share)}]\n`],
    ['brackets that close nothing', (share) => `${HEAD}${'- }\n'.repeat(60_000 * share)}`],
    ['the same name', (share) => 'a: 1\n'.repeat(48_000 * share)],
  ])('%s is refused in a time that does not grow with its square', (_, textOf) => {
    const msOf = (share: number) => {
      const text = textOf(share);
      expect(text.length).toBeLessThan(languageLimits.characters);
      return leastCpuMs(() => expect(readScenario(text, 'large.yaml').ok).toBe(false));
    };
    msOf(1 / 8);
    // Eight times the length: 64 times the square. Where each name was compared with all others it took 2 to 9 s.
    expect(msOf(1) / msOf(1 / 8)).toBeLessThan(24);
  });

  test('repeated names, other errors and aliases are told as before, in the order of the file', () => {
    const told = (text: string) => {
      const read = readScenario(text, 'a.yaml');
      return read.ok ? [] : read.problems.map(({ line, column, message }) => `${line}:${column} ${message}`);
    };
    expect(told('name: a\nabout: b\nname: c\nsteps: []\nabout: d\n')).toEqual([
      '3:1 name appears twice: each name is given once.',
      '5:1 about appears twice: each name is given once.',
    ]);
    expect(told('name: *b\nabout: &b x\nsteps: *b\nfleet: *c\n')).toEqual([
      '1:7 The alias *b has no anchor: there is no &b before it.',
      '4:8 The alias *c has no anchor: there is no &c before it.',
    ]);
  });

  test('a text in a block that looks like aliases and lists counts as one value', () => {
    const text = `name: a\nabout: |\n${many(30, () => '  * [{ a\n')}fleet: [{ count: 1 }]\nsteps: [{ at: 1s, park: {} }]\n`;
    expect(readScenario(text, 'a.yaml').ok).toBe(true);
  });
});
