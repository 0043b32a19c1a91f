import { expect, test } from 'vitest';
import type { CheckerName } from '../../../../judge/checkers.ts';
import { failed, passed } from '../../../../judge/verdict.ts';
import type { Scenario } from '../../../../scenarios/language/document/scenario.ts';
import { type RunParts, run } from '../../../../scenarios/run/run.ts';
import { FakeTestbed } from '../../../support/scenarios/fake-testbed.ts';

test('a checker that throws is named in the verdict, and all others still run', async () => {
  const testbed = new FakeTestbed(1);
  testbed.evidence = { pending: async () => [] } as unknown as FakeTestbed['evidence'];
  const always: readonly CheckerName[] = ['nothing-lost', 'order-per-box', 'twin-is-fold', 'heals'];
  const found = failed('1 record', 'a record is gone');
  const checks = {
    'nothing-lost': async () => found,
    'order-per-box': () => {
      throw new TypeError('x is undefined');
    },
    'twin-is-fold': () => Promise.reject(new RangeError('too far')),
    heals: async () => passed('1 vehicle'),
  } as unknown as RunParts['checks'];
  const scenario = { steps: [], always, limits: { healMs: 0 } } as unknown as Scenario;
  const result = await testbed.loop.runWhile(run(scenario, { testbed, checks }));
  expect(result.verdict).toBe('crashed');
  expect(result.reason).toBe(
    'The checker order-per-box broke: TypeError: x is undefined. The checker twin-is-fold broke: RangeError: too far.',
  );
  expect(result.checkers.map(({ checker, findings }) => [checker, findings.length])).toEqual([
    ['nothing-lost', 1],
    ['heals', 0],
  ]);
});
