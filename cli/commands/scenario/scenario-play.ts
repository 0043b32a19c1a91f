import { Interrupted, openRunGate } from '../../../deployment/jobs/scenario-gate.ts';
import type { ThreadedRuns } from '../../../deployment/jobs/threaded-runs.ts';
import { openTraceFile } from '../../../deployment/jobs/trace-file.ts';
import { modelsArgument } from '../../../deployment/models/model-directory.ts';
import type { Scenario } from '../../../scenarios/language/document/scenario.ts';
import type { PlayedScenario } from '../../../scenarios/reports/played-scenario.ts';
import type { ScenarioRunner } from '../../../scenarios/run/options.ts';
import type { RunOutcome } from '../../../scenarios/run/outcome.ts';
import { plannedLengthMs } from '../../../scenarios/run/planned-length.ts';
import { shellWord } from '../../../world/shell-word.ts';
import type { ScenarioFile } from './scenario-files.ts';
import type { ProgressLine } from './scenario-progress.ts';

/** How the scenarios of a command run. */
export interface PlayOptions {
  readonly runner: ScenarioRunner;
  readonly world: string;
  readonly seed?: number;
  /** Warnings fail a run. */
  readonly strict?: boolean;
  readonly pace: number;
  readonly trace?: string;
}

export interface PlayParts {
  readonly end: AbortSignal;
  readonly progress: ProgressLine;
  /** Called in the order of the files. */
  readonly played: (one: PlayedScenario) => void;
  /** Concurrent runs; absent: one after the other, by the runner of the options. */
  readonly threads?: ThreadedRuns | undefined;
}

/**
 * Runs every file, and calls `played` with each as soon as all files before it have ended. After `end` it does so only
 * for those that have run by then.
 */
export async function playAll(
  files: readonly ScenarioFile[],
  options: PlayOptions,
  { end, progress, played, threads }: PlayParts,
): Promise<void> {
  const begun = threads && files.map((file) => playOnThread(file, options, threads, end));
  // Each is awaited in its turn, and may reject before.
  for (const one of begun ?? []) one.catch(() => undefined);
  for (const [index, file] of files.entries()) {
    if (!end.aborted)
      progress.begin(file.scenario.name, index + 1, files.length, plannedLengthMs(file.scenario));
    try {
      const one = await (begun?.[index] ?? playHere(file, options, end, progress));
      progress.end();
      played(one);
    } catch (error) {
      if (!(error instanceof Interrupted)) throw error;
    } finally {
      progress.end();
    }
  }
}

async function playHere(
  given: ScenarioFile,
  { runner, seed, strict, pace, trace, world }: PlayOptions,
  end: AbortSignal,
  { show }: ProgressLine,
): Promise<PlayedScenario> {
  if (end.aborted) throw new Interrupted('The run was ended.');
  const { file, readFile } = given;
  const scenario = asAsked(given.scenario, seed, strict);
  const gate = openRunGate({ pace, end, show });
  const traceFile = trace === undefined ? undefined : openTraceFile(trace, scenario, worldOf(world));
  const beganMs = performance.now();
  let outcome: RunOutcome;
  try {
    outcome = await runner(scenario, {
      gate,
      readFile,
      ...(traceFile === undefined ? {} : { observer: traceFile.observer }),
    });
    traceFile?.end(outcome);
  } catch (error) {
    if (error instanceof Interrupted) throw error;
    outcome = crashed(scenario, world, error);
  } finally {
    traceFile?.close();
  }
  // An end while nothing but an answer was awaited may look like a crash.
  if (end.aborted) throw new Interrupted('The run was ended.');
  return {
    file,
    outcome,
    wallMs: performance.now() - beganMs,
    repeat: repeatOf(file, scenario.seed, { strict, world }),
  };
}

async function playOnThread(
  given: ScenarioFile,
  { seed, strict, world }: PlayOptions,
  threads: ThreadedRuns,
  end: AbortSignal,
): Promise<PlayedScenario> {
  const { file, readFile } = given;
  const scenario = asAsked(given.scenario, seed, strict);
  const repeat = repeatOf(file, scenario.seed, { strict, world });
  const beganMs = performance.now();
  try {
    return { file, repeat, ...(await threads.run(scenario, { readFile, keepsFacts: true })) };
  } catch (error) {
    if (end.aborted) throw new Interrupted('The run was ended.');
    return { file, repeat, outcome: crashed(scenario, world, error), wallMs: performance.now() - beganMs };
  }
}

/** The scenario with the changes of the options. */
function asAsked(scenario: Scenario, seed: number | undefined, strict = false): Scenario {
  return {
    ...scenario,
    ...(seed === undefined ? {} : { seed }),
    ...(strict ? { isStrict: true } : {}),
  };
}

/** The world could not be created, or its thread has ended: the other scenarios run anyway. */
function crashed(scenario: Scenario, world: string, error: unknown): RunOutcome {
  const atMs = Date.now();
  return {
    scenario,
    world: worldOf(world),
    seed: scenario.seed,
    verdict: 'crashed',
    reason: error instanceof Error ? (error.stack ?? error.message) : String(error),
    startMs: atMs,
    endMs: atMs,
    expectations: [],
    checkers: [],
    warnings: [],
    warningsDropped: 0,
    facts: [],
    factsDropped: 0,
    vehicles: [],
  };
}

function worldOf(name: string): RunOutcome['world'] {
  return name === 'real' ? 'real' : 'virtual';
}

/** The command that repeats the run; the pace makes no difference. */
function repeatOf(
  file: string,
  seed: number,
  { strict = false, world }: { readonly strict?: boolean | undefined; readonly world: string },
): string {
  const more = `${modelsArgument()}${strict ? ' --strict' : ''}${world === 'virtual' ? '' : ` --world ${world}`}`;
  return `npx boxtwin scenario run ${shellWord(file)} --seed ${seed}${more}`;
}
