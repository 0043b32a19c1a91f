import pc from 'picocolors';
import { Interrupted, openRunGate } from '../../deployment/jobs/scenario-gate.ts';
import { openThreadedRuns, type ThreadedRuns } from '../../deployment/jobs/threaded-runs.ts';
import { modelsArgument } from '../../deployment/models/model-directory.ts';
import { CommandError } from '../../deployment/shared/command-error.ts';
import { counted } from '../../judge/wording.ts';
import { watchRun } from '../../scenarios/coverage/coverage.ts';
import { comparedText, type FoundScenario, foundFile } from '../../scenarios/explore/found-file.ts';
import type { ParallelRuns } from '../../scenarios/explore/parallel-runs.ts';
import { reasonText } from '../../scenarios/explore/reason.ts';
import type { FailingScenario } from '../../scenarios/explore/shrink.ts';
import { sizeOf } from '../../scenarios/explore/smaller.ts';
import type { RunOptions, ScenarioRunner } from '../../scenarios/run/options.ts';
import { ThreadEnded } from '../../world/threads/real-thread.ts';
import { limits } from '../shared/limits.ts';
import { isScreen, onOutputClosed, printable } from '../shared/output.ts';
import { writeText } from './scenario/scenario-output-files.ts';
import { type ProgressLine, progressLine } from './scenario/scenario-progress.ts';
import { runnerOf } from './scenario/scenario-worlds.ts';

/** A random seed, for a user who gave none. */
export function anySeed(): number {
  return crypto.getRandomValues(new Uint32Array(1))[0] ?? 0;
}

/** What `untilEnded` runs. */
interface EndableParts {
  readonly runner: ScenarioRunner;
  readonly progress: ProgressLine;
  /** Absent: the runner executes one run after the other. */
  readonly parallel?: ParallelRuns;
}

/**
 * Runs `body` with a runner that Ctrl-C ends, or the end of stdout's reader, and that shows the progress of a run on
 * stderr. With more than one of `jobs` it executes so many runs at once, each on a thread. Resolves with undefined
 * where it was ended, with the exit code set. Throws a `CommandError` where a thread ends before its run.
 */
export async function untilEnded<T>(
  body: (parts: EndableParts) => Promise<T>,
  {
    isQuiet,
    jobs,
    readFile = () => undefined,
  }: {
    readonly isQuiet: boolean;
    readonly jobs: number;
    readonly readFile?: ReadFile;
  },
): Promise<T | undefined> {
  const ending = new AbortController();
  const end = (): void => ending.abort();
  const progress = progressLine(process.stderr, { isQuiet });
  const threads = jobs > 1 ? openThreadedRuns({ jobs, show: progress.show }) : undefined;
  const stopThreads = (): void => threads?.endAll();
  const parts: EndableParts =
    threads === undefined
      ? { runner: ownRunner(readFile, ending.signal, progress), progress }
      : {
          runner: threadRunner(threads, readFile, ending.signal),
          progress,
          parallel: { jobs, dropAll: () => threads.dropAll() },
        };
  ending.signal.addEventListener('abort', stopThreads);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, end);
  const stay = onOutputClosed(end);
  try {
    return await body(parts);
  } catch (error) {
    if (!(error instanceof Interrupted)) throw error;
    process.exitCode = limits.interruptedExitCode;
    return undefined;
  } finally {
    progress.end();
    stopThreads();
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, end);
    stay();
  }
}

type ReadFile = NonNullable<RunOptions['readFile']>;

/** Runs on this thread. */
function ownRunner(readFile: ReadFile, end: AbortSignal, { show }: ProgressLine): ScenarioRunner {
  const virtual = runnerOf('virtual');
  return async (scenario, options) => {
    const { observer, cells, inForce } = watchRun();
    const gate = openRunGate({ pace: Number.POSITIVE_INFINITY, end, show, inForce });
    const outcome = await virtual(scenario, { readFile, observer, ...options, gate });
    if (end.aborted) throw new Interrupted('The run was ended.');
    return { ...outcome, cells: cells() };
  };
}

/** Runs on the threads. A thread that ends prematurely gives no outcome, so the command cannot continue. */
function threadRunner(threads: ThreadedRuns, readFile: ReadFile, end: AbortSignal): ScenarioRunner {
  return async (scenario) => {
    try {
      const { outcome } = await threads.run(scenario, { readFile, keepsFacts: false });
      return outcome;
    } catch (error) {
      if (end.aborted) throw new Interrupted('The run was ended.');
      if (!(error instanceof ThreadEnded)) throw error;
      throw new CommandError(
        `The run of ${scenario.name} with the seed ${scenario.seed} has no result: ${error.message} Try --jobs 1.`,
        1,
      );
    }
  };
}

/** Without a terminal: about ten lines on stderr in all. */
export function quietLine(index: number, count: number, text: string): void {
  if (isScreen(process.stderr) || (index !== 1 && index % Math.ceil(count / 10) !== 0)) return;
  process.stderr.write(`${printable(text)}\n`);
}

/** Without a terminal: reports that one was found, and is being shrunk. */
export function quietFound(smallest: FailingScenario): void {
  if (isScreen(process.stderr)) return;
  process.stderr.write(`${printable(`found: ${reasonText(smallest.reason)}; making it smaller`)}\n`);
}

/** Writes the smallest failing scenario. Throws a `CommandError` where it cannot be written. */
export function writeFound(file: string, finding: FoundScenario): void {
  writeText(file, foundFile(finding).text, 1);
}

/** The findings and their files, for people. */
export function foundText(file: string, finding: FoundScenario): string {
  const { drawnLines, first, smallest, shrinkRuns } = finding;
  const [from, to] = [sizeOf(first.document), sizeOf(smallest.document)];
  const more = smallest.isSmallest ? '' : '; it may become smaller still, not all was tried';
  return [
    ...drawnLines.map((line) => `  ${line}`),
    pc.red(`FAILED  ${file}: ${foundFile(finding).reason}`),
    `Made smaller in ${counted(shrinkRuns, 'run')}: ${from.steps} to ${counted(to.steps, 'step')}, ${from.vehicles} to ${counted(to.vehicles, 'vehicle')}${more}.`,
    ...comparedText(smallest),
    `It is in ${file}. Again: npx boxtwin scenario run ${file}${modelsArgument()}`,
  ]
    .map(printable)
    .join('\n');
}

/** The same for programs. */
export function foundJson(file: string, finding: FoundScenario) {
  const { first, smallest, shrinkRuns } = finding;
  return {
    file,
    reason: foundFile(finding).reason,
    verdict: smallest.outcome.verdict,
    ...(smallest.reason.checker === undefined ? {} : { checker: smallest.reason.checker }),
    shrink_runs: shrinkRuns,
    is_smallest: smallest.isSmallest,
    ...(smallest.compared === undefined
      ? {}
      : {
          passes_with: {
            values: smallest.compared.values,
            seeds: smallest.compared.seeds,
            in_order_of_file: smallest.compared.isReordered,
          },
        }),
    ...(smallest.failsByFaults === true ? { fails_by_faults: true } : {}),
    size: { first: sizeOf(first.document), smallest: sizeOf(smallest.document) },
    first: first.document,
    smallest: smallest.document,
    hash: smallest.outcome.hash,
  };
}
