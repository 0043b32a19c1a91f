import { CHECKS } from '../../judge/rules/checks.ts';
import { addOwnModels } from '../../protocol/models/known-models.ts';
import { watchRun } from '../../scenarios/coverage/coverage.ts';
import { runVirtual } from '../../scenarios/run/run-virtual.ts';
import { slim } from '../../scenarios/run/slim.ts';
import { runThread } from '../../world/threads/thread-program.ts';
import type { RunAnswer, RunRequest, RunThreadSettings } from './run-messages.ts';
import { Interrupted, openRunGate } from './scenario-gate.ts';

/** The program of a thread of `--jobs`: one run in the virtual world for each request. */
runThread<RunThreadSettings, RunRequest, RunAnswer>(({ models }) => {
  addOwnModels(models);
  return {
    async answer({ scenario, linkTexts, keepsFacts, hasProgress, dropped }, progress) {
      const beganMs = performance.now();
      const show = hasProgress ? progress : undefined;
      const end = new AbortController().signal;
      const { observer, cells, inForce } = watchRun();
      const shown = openRunGate({ pace: Number.POSITIVE_INFINITY, end, show, inForce });
      const gate = (nextMs: number): Promise<void> | undefined => {
        if (Atomics.load(dropped, 0) !== 0) throw new Interrupted('The run was dropped.');
        return shown(nextMs);
      };
      const readFile = (name: string): string | undefined => linkTexts.get(name);
      const outcome = await runVirtual(scenario, { gate, readFile, observer, checks: CHECKS });
      const { scenario: _, ...rest } = keepsFacts ? outcome : slim(outcome);
      return { outcome: { ...rest, cells: cells() }, wallMs: performance.now() - beganMs };
    },
    close: () => undefined,
  };
});
