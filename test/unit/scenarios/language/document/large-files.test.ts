import { describe, expect, test } from 'vitest';
import { readScenario } from '../../../../../scenarios/language/document/read.ts';
import { languageLimits } from '../../../../../scenarios/limits.ts';

const HEAD = 'name: large\nabout: A large file.\nfleet: [{ count: 1 }]\nsteps:\n';
const many = (count: number, one: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => one(index)).join('');

/** Milliseconds of this processor, so that other processes do not count. */
function cpuMsOf(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

describe('a large file of', () => {
  test.each([
    ['names of one map', many(20_000, (index) => `key${index}: 1\n`)],
    ['names of one map in braces', `{${many(20_000, (index) => `key${index}: 1,`)}}`],
    ['names where a word takes some', `${HEAD}- { at: 1s, park: { ${many(9_900, (i) => `k${i}: 1, `)} } }\n`],
    ['aliases', `${HEAD}- &a x\n${'- *a\n'.repeat(45_000)}`],
    ['anchors with an alias each', `${HEAD}${many(9_000, (index) => `- &a${index} x\n- *a${index}\n`)}`],
    ['items', `${HEAD}- [${'a,'.repeat(120_000)}]\n`],
    ['brackets that close nothing', `${HEAD}${'- }\n'.repeat(60_000)}`],
    ['the same name', 'a: 1\n'.repeat(48_000)],
  ])('%s is refused in a time that does not grow with its square', (_, text) => {
    expect(text.length).toBeLessThan(languageLimits.characters);
    // Some 100 ms. Where each name was compared with all others it took 2 to 9 s, and with aliases minutes.
    const ms = cpuMsOf(() => expect(readScenario(text, 'large.yaml').ok).toBe(false));
    expect(ms).toBeLessThan(700);
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
