import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { CheckScope } from '../../../../scenarios/checkers/check.ts';
import { CHECKS } from '../../../../scenarios/checkers/checks.ts';
import { limits } from '../../../../scenarios/checkers/limits.ts';
import { CHECKER_NAMES } from '../../../../scenarios/language/checkers.ts';
import { CALL_FAULTS } from './call-faults.ts';
import { rightHistory, scopeOf } from './history.ts';
import { RECORD_FAULTS } from './record-faults.ts';
import { TRUTH_FAULTS } from './truth-faults.ts';

const FAULTS = [...RECORD_FAULTS, ...CALL_FAULTS, ...TRUTH_FAULTS];

async function foundBy(scope: CheckScope): Promise<ReadonlyMap<string, readonly string[]>> {
  const found = new Map<string, readonly string[]>();
  for (const checker of CHECKER_NAMES) {
    const { findings } = await CHECKS[checker](scope);
    if (findings.length > 0)
      found.set(
        checker,
        findings.map(({ text }) => text),
      );
  }
  return found;
}

describe('a run in which nothing goes wrong', () => {
  test('is found right by every checker', async () => {
    await fc.assert(
      fc.asyncProperty(rightHistory, async (history) => {
        expect(await foundBy(scopeOf(history))).toEqual(new Map());
      }),
      { numRuns: 40 },
    );
  });
});

describe('one fault in any run is found by its checker, and by no other than it must', () => {
  test.each(FAULTS)('$name: $checker', async ({ checker, also = [], plant }) => {
    await fc.assert(
      fc.asyncProperty(rightHistory, fc.nat(), async (history, pick) => {
        const words = plant(history, pick);
        fc.pre(words.length > 0);
        const found = await foundBy(scopeOf(history));
        expect(new Set(found.keys())).toEqual(new Set([checker, ...also]));
        const text = (found.get(checker) ?? []).join('\n');
        for (const word of words) expect(text).toContain(word);
      }),
      { numRuns: 15 },
    );
  });

  test('and every checker has one', () => {
    expect(new Set(FAULTS.map(({ checker }) => checker))).toEqual(new Set(CHECKER_NAMES));
  });
});

describe('findings', () => {
  test('are told one by one up to a bound, and counted beyond it', async () => {
    const [history] = fc.sample(rightHistory, 1);
    if (history === undefined) throw new Error('nothing was drawn');
    for (let number = 0; number < limits.findings + 5; number += 1)
      history.levels.push({ name: `level ${number}`, most: 2, bound: 1 });
    const { findings } = await CHECKS['within-bounds'](scopeOf(history));
    expect(findings).toHaveLength(limits.findings + 1);
    expect(findings.at(-1)?.text).toBe('over its bound: and 5 more');
  });
});
