import { ownModels } from '../../protocol/models/known-models.ts';
import type { Scenario } from '../../scenarios/language/document/scenario.ts';
import type { RunOptions } from '../../scenarios/run/options.ts';
import type { RunOutcome } from '../../scenarios/run/outcome.ts';
import { startThread } from '../../world/threads/real-thread.ts';
import { ThreadPool } from '../../world/threads/real-thread-pool.ts';
import { linkFilesOf } from '../input/scenario-link-files.ts';
import type { RunAnswer, RunRequest, RunThreadSettings } from './run-messages.ts';
import type { RunProgress } from './scenario-gate.ts';

/** A finished run, and its duration on the wall clock. */
export interface ThreadedRun {
  readonly outcome: RunOutcome;
  readonly wallMs: number;
}

/** Runs in the virtual world, each on a separate thread. */
export interface ThreadedRuns {
  /**
   * Runs begin in the order of the calls. Rejects with `ThreadEnded`, with the reason, where the thread of the run ends
   * before the run does, and with what `runVirtual` throws.
   */
  run(
    scenario: Scenario,
    options: { readonly readFile: NonNullable<RunOptions['readFile']>; readonly keepsFacts: boolean },
  ): Promise<ThreadedRun>;
  /** Ends all runs soon, and keeps the threads for further runs. The runs reject. */
  dropAll(): void;
  /** Ends all threads immediately, and with them all runs, which reject with `ThreadEnded`. */
  endAll(): void;
}

/**
 * Up to `jobs` concurrent runs; further ones wait. `show` gets the progress of the earliest active run. `program` is
 * that of the threads, next to this file.
 */
export function openThreadedRuns({
  jobs,
  show,
  program = './run-thread',
}: {
  readonly jobs: number;
  readonly show?: ((progress: RunProgress) => void) | undefined;
  readonly program?: string;
}): ThreadedRuns {
  const settings: RunThreadSettings = { models: ownModels() };
  const pool = new ThreadPool<RunRequest, RunAnswer>(jobs, (end) =>
    startThread(program, import.meta.url, settings, end),
  );
  /** In the order in which they began. */
  const underWay = new Set<Int32Array<SharedArrayBuffer>>();
  return {
    async run(scenario, { readFile, keepsFacts }) {
      const dropped = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
      underWay.add(dropped);
      const linkTexts = new Map(
        linkFilesOf(scenario).flatMap((name) => {
          const text = readFile(name);
          return text === undefined ? [] : [[name, text] as const];
        }),
      );
      const onProgress = (progress: unknown): void => {
        const [earliest] = underWay;
        if (earliest === dropped) show?.(progress as RunProgress);
      };
      try {
        const request = { scenario, linkTexts, keepsFacts, hasProgress: show !== undefined, dropped };
        const { outcome, wallMs } = await pool.ask(request, onProgress);
        return { outcome: { ...outcome, scenario }, wallMs };
      } finally {
        underWay.delete(dropped);
      }
    },
    dropAll() {
      pool.dropWaiting();
      for (const dropped of underWay) Atomics.store(dropped, 0, 1);
    },
    endAll: () => pool.endAll(),
  };
}
