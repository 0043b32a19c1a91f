import { existsSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  keyOf,
  type Mutant,
  type MutantOutcome,
  OUTCOMES,
  type PlayedMutant,
} from '../../../qa/mutation/mutant.ts';
import { ROOMS } from '../../../qa/mutation/rooms.ts';
import { drawnOf } from '../../../qa/mutation/sample.ts';
import { countsOf, scoreOf, survivorsOf } from '../../../qa/mutation/score.ts';
import { seededRandom } from '../../../world/random/seeded-random.ts';

const ROOT = join(import.meta.dirname, '../../..');

function mutantAt(line: number): Mutant {
  return {
    file: 'protocol/x.ts',
    start: { line, column: 1 },
    end: { line, column: 9 },
    mutator: 'BlockStatement',
    replacement: '{}',
  };
}

const mutants = fc
  .integer({ min: 1, max: 60 })
  .map((count) => Array.from({ length: count }, (_, at) => mutantAt(at)));
const seeds = fc.integer({ min: 0 });
const counts = fc.integer({ min: 0, max: 70 });

describe('the rooms of mutation testing', () => {
  test.each(ROOMS)('$name: its folder and its tests are there', ({ folder, tests }) => {
    for (const path of [folder, ...tests]) expect(existsSync(join(ROOT, path)), path).toBe(true);
  });
});

describe('a draw of mutants', () => {
  test('holds so many as are asked for, each once, and all of them where there are fewer', () => {
    fc.assert(
      fc.property(mutants, seeds, counts, (all, seed, count) => {
        const drawn = drawnOf(all, seededRandom(seed), { room: 'x', count, after: 0 }).map(keyOf);
        expect(drawn).toHaveLength(Math.min(count, all.length));
        expect(new Set(drawn).size).toBe(drawn.length);
        expect(all.map(keyOf)).toEqual(expect.arrayContaining(drawn));
      }),
    );
  });

  test('is the same in whatever order the mutants are listed, and begins with every smaller one', () => {
    fc.assert(
      fc.property(mutants, seeds, counts, counts, (all, seed, one, other) => {
        const draw = (of: readonly Mutant[], count: number, after: number) =>
          drawnOf(of, seededRandom(seed), { room: 'x', count, after });
        const [smaller, larger] = [Math.min(one, other), Math.max(one, other)];
        const whole = draw(all, larger, 0);
        expect(draw(all.toReversed(), larger, 0)).toEqual(whole);
        expect([...draw(all, smaller, 0), ...draw(all, larger, smaller)]).toEqual(whole);
      }),
    );
  });

  test('is another one with another seed', () => {
    const all = Array.from({ length: 400 }, (_, line) => mutantAt(line));
    const draw = (seed: number) => drawnOf(all, seededRandom(seed), { room: 'x', count: 100, after: 0 });
    expect(draw(1)).not.toEqual(draw(2));
  });
});

describe('the score', () => {
  const played = (outcome: MutantOutcome, line = 1): PlayedMutant => ({
    ...mutantAt(line),
    outcome,
    original: 'a',
  });

  test('is the share of killed and timed out; what did not load counts on neither side', () => {
    expect(scoreOf(countsOf(OUTCOMES.map((outcome) => played(outcome))))).toBe(50);
    expect(scoreOf(countsOf([played('killed'), played('did not load')]))).toBe(100);
    expect(
      scoreOf(countsOf([played('killed'), played('killed'), played('timed out'), played('survived')])),
    ).toBe(75);
  });

  test('is missing where nothing was played', () => {
    expect(scoreOf(countsOf([]))).toBeUndefined();
    expect(scoreOf(countsOf([played('did not load')]))).toBeUndefined();
  });

  test('names as survivors what survived and what no test reaches, in the order of the file', () => {
    const survivors = survivorsOf([
      played('survived', 30),
      played('killed', 1),
      played('no coverage', 4),
      played('timed out', 2),
      played('did not load', 3),
    ]);
    expect(survivors.map(({ start }) => start.line)).toEqual([4, 30]);
  });
});
