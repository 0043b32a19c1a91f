import { expect, test } from 'vitest';
import { CHECKS } from '../../judge/rules/checks.ts';
import { swarm } from '../../scenarios/explore/swarm.ts';
import type { ScenarioRunner } from '../../scenarios/run/options.ts';
import { runVirtual } from '../../scenarios/run/run-virtual.ts';

const checked: ScenarioRunner = (scenario, options) => runVirtual(scenario, { ...options, checks: CHECKS });

test('four scenarios drawn from a seed pass in the virtual world, with every checker', async () => {
  const ends: string[] = [];
  const {
    found: [found],
  } = await swarm({
    runs: 4,
    seed: 3,
    runner: checked,
    shrinkRuns: 0,
    progress: (at) => {
      if (at.phase === 'end') ends.push(at.tried.kind);
    },
  });
  expect(found?.first.reason.text).toBeUndefined();
  expect(ends).toEqual(['passed', 'passed', 'passed', 'passed']);
}, 180_000);
