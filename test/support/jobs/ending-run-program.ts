import type { RunAnswer, RunRequest } from '../../../deployment/jobs/run-messages.ts';
import { runVirtual } from '../../../scenarios/run/run-virtual.ts';
import { runThread } from '../../../world/threads/thread-program.ts';

/** As the program of `--jobs`, but its thread ends with the exit code 9 in a run with the seed 666. */
runThread<undefined, RunRequest, RunAnswer>(() => ({
  async answer({ scenario }) {
    if (scenario.seed === 666) process.exit(9);
    const { scenario: _, ...outcome } = await runVirtual(scenario);
    return { outcome, wallMs: 1 };
  },
  close: () => undefined,
}));
