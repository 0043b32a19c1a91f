import { describe, expect, it } from 'vitest';
import { type ExploreProgress, explore } from '../../../../scenarios/explore/explore.ts';
import { type SwarmProgress, swarm } from '../../../../scenarios/explore/swarm.ts';
import type { Scenario } from '../../../../scenarios/language/document/scenario.ts';
import type { ScenarioRunner } from '../../../../scenarios/run/options.ts';
import {
  fakeRunner,
  noCoverageMs,
  parsedScenario,
  SEVEN_STEPS,
} from '../../../support/scenarios/fake-runner.ts';

/** As threads do: the later a run was begun, the sooner it ends; dropped ones reject. */
function manyAtOnce(fault: Fault, jobs: number) {
  const inner = fakeRunner(fault);
  let begun = 0;
  let most = 0;
  let waiting: (() => void)[] = [];
  let reject: ((error: Error) => void)[] = [];
  const release = (): void => {
    const all = waiting;
    waiting = [];
    reject = [];
    for (const go of all.reverse()) go();
  };
  const runner: ScenarioRunner = (scenario) =>
    new Promise((resolve, fail) => {
      begun += 1;
      waiting.push(() => resolve(inner(scenario)));
      reject.push(fail);
      most = Math.max(most, waiting.length);
      if (waiting.length === 1) queueMicrotask(release);
    });
  const dropAll = (): void => {
    waiting = [];
    for (const fail of reject.splice(0)) fail(new Error('dropped'));
  };
  return { runner, parallel: { jobs, dropAll }, begun: () => begun, most: () => most };
}

type Fault = (scenario: Scenario) => string | undefined;
const tooDark: Fault = (scenario) => (noCoverageMs(scenario) >= 400_000 ? 'a record is lost' : undefined);
const restarts: Fault = (scenario) =>
  scenario.steps.some(({ does }) => does?.kind === 'break' && does.break.part === 'store')
    ? 'crash: store'
    : undefined;

describe('several runs at once', () => {
  it('explore the same draws, with the same finding and the same progress', async () => {
    const exploredWith = async (jobs: number, runs: number, fault: Fault) => {
      const many = manyAtOnce(fault, jobs);
      const progress: ExploreProgress[] = [];
      const outcome = await explore({
        document: SEVEN_STEPS,
        scenario: parsedScenario(SEVEN_STEPS),
        runs,
        seed: 9,
        runner: many.runner,
        ...(jobs > 1 ? { parallel: many.parallel } : {}),
        progress: (at) => progress.push(at),
      });
      return { outcome, progress, most: many.most() };
    };
    for (const [runs, fault] of [
      [60, tooDark],
      [30, () => undefined],
      [1, tooDark],
      [20, () => 'always lost'],
    ] as const) {
      const { most, ...alone } = await exploredWith(1, runs, fault);
      expect(most).toBe(1);
      for (const jobs of [2, 3, 8]) {
        const { most: atOnce, ...same } = await exploredWith(jobs, runs, fault);
        expect(same).toEqual(alone);
        if (runs > 1) expect(atOnce).toBeGreaterThan(1);
      }
    }
  });

  it('of a swarm are the same scenarios, with the same finding and the same progress', async () => {
    const swarmWith = async (jobs: number, fault: Fault) => {
      const many = manyAtOnce(fault, jobs);
      const progress: SwarmProgress[] = [];
      const outcome = await swarm({
        runs: 40,
        seed: 4,
        runner: many.runner,
        ...(jobs > 1 ? { parallel: many.parallel } : {}),
        progress: (at) => progress.push(at),
      });
      return { outcome, progress, most: many.most() };
    };
    for (const fault of [restarts, () => undefined]) {
      const { most, ...alone } = await swarmWith(1, fault);
      expect(most).toBe(1);
      for (const jobs of [2, 3]) {
        const { most: atOnce, ...same } = await swarmWith(jobs, fault);
        expect(same).toEqual(alone);
        expect(atOnce).toBeGreaterThan(1);
      }
    }
  });

  it('reject with the error of the first run that has none, however many had begun', async () => {
    const runner: ScenarioRunner = ({ name }) => Promise.reject(new Error(`no thread for ${name}`));
    const parallel = { jobs: 4, dropAll: () => undefined };
    await expect(swarm({ runs: 20, seed: 4, runner, parallel })).rejects.toThrow('no thread for swarm-4-1');
  });
});
