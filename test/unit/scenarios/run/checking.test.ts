import { expect, test } from 'vitest';
import type { CheckerName } from '../../../../scenarios/language/checkers.ts';
import type { Scenario } from '../../../../scenarios/language/scenario.ts';
import { type RunParts, run } from '../../../../scenarios/run/run.ts';
import { FakeTheatre } from './fake-theatre.ts';

test('a checker that breaks is named in the verdict, and those before and behind it are asked all the same', async () => {
  const theatre = new FakeTheatre(1);
  theatre.evidence = { pending: async () => [] } as unknown as FakeTheatre['evidence'];
  const always: readonly CheckerName[] = ['nothing-lost', 'order-per-box', 'twin-is-fold', 'heals'];
  const found = { findings: [{ text: 'a record is gone' }], seen: '1 record' };
  const checks = {
    'nothing-lost': async () => found,
    'order-per-box': () => {
      throw new TypeError('x is undefined');
    },
    'twin-is-fold': () => Promise.reject(new RangeError('too far')),
    heals: async () => ({ findings: [], seen: '1 vehicle' }),
  } as unknown as RunParts['checks'];
  const scenario = { steps: [], always, limits: { healMs: 0 } } as unknown as Scenario;
  const ran = await theatre.loop.runWhile(run(scenario, { theatre, checks }));
  expect(ran.verdict).toBe('crashed');
  expect(ran.reason).toBe(
    'The checker order-per-box broke: TypeError: x is undefined. The checker twin-is-fold broke: RangeError: too far.',
  );
  expect(ran.checkers.map(({ checker, findings }) => [checker, findings.length])).toEqual([
    ['nothing-lost', 1],
    ['heals', 0],
  ]);
});
