import pc from 'picocolors';
import type { Scenario } from '../scenarios/language/scenario.ts';
import { jsonReport } from '../scenarios/reports/json.ts';
import { exitCodeOf, type Played } from '../scenarios/reports/played.ts';
import { type Line, scenarioText, summaryText } from '../scenarios/reports/text.ts';
import type { Runner } from '../scenarios/run/options.ts';
import type { Outcome } from '../scenarios/run/outcome.ts';
import { plannedLengthMs } from '../scenarios/run/planned-length.ts';
import { Failure } from './failure.ts';
import { limits } from './limits.ts';
import { printable } from './printable.ts';
import { onReaderLeft } from './reader.ts';
import { leftOutText, readScenarioFiles, type ScenarioFile } from './scenario-files.ts';
import { Interrupted, openGate } from './scenario-gate.ts';
import { emptyPlaces, refuseSamePlaces } from './scenario-places.ts';
import { type ProgressLine, progressLine } from './scenario-progress.ts';
import { writeReports } from './scenario-reports.ts';
import { openTraceFile } from './scenario-trace.ts';
import type { ReportPlace } from './scenario-values.ts';
import { refuseOtherWorlds, refusePace, runnerOf } from './scenario-worlds.ts';

/** As commander hands them over. */
export interface ScenarioRunOptions {
  readonly world: string;
  readonly seed?: number;
  /** Virtual seconds in a second on the wall; infinity: as fast as it goes. */
  readonly pace: number;
  readonly report: readonly ReportPlace[];
  readonly trace?: string;
  readonly json: boolean;
  readonly quiet: boolean;
}

/** Runs scenarios and reports; sets the exit code. Throws a `Failure` where something given cannot be used. */
export async function scenarioRun(places: readonly string[], options: ScenarioRunOptions): Promise<void> {
  const runner = runnerOf(options.world);
  refusePace(options.world, options.pace);
  const { files, leftOut } = readScenarioFiles(places);
  refuseOtherWorlds(options.world, files);
  if (options.trace !== undefined && files.length > 1)
    throw new Failure(`--trace takes one scenario, and these are ${files.length}. Name one file.`);
  const written = [
    ...options.report.map(({ file }) => file),
    ...(options.trace === undefined ? [] : [options.trace]),
  ];
  refuseSamePlaces(
    written,
    files.map(({ file }) => file),
  );
  emptyPlaces(written);
  if (leftOut.length > 0) process.stderr.write(printable(leftOutText(leftOut)));
  const ending = new AbortController();
  const end = (): void => ending.abort();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, end);
  const stay = onReaderLeft(end);
  try {
    const played = await playAll(files, runner, options, ending.signal);
    const notRun = files.length - played.length;
    const exitCode = ending.signal.aborted ? limits.interruptedExitCode : exitCodeOf(played);
    writeReports(options.report, played, { notRun, exitCode });
    if (options.json) print(`${JSON.stringify(jsonReport(played, notRun, exitCode))}\n`);
    else printLines(summaryText(played, notRun));
    process.exitCode = exitCode;
  } finally {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, end);
    stay();
  }
}

async function playAll(
  files: readonly ScenarioFile[],
  runner: Runner,
  options: ScenarioRunOptions,
  end: AbortSignal,
): Promise<readonly Played[]> {
  const progress = progressLine(process.stderr, { isQuiet: options.json || options.quiet });
  const played: Played[] = [];
  for (const [index, file] of files.entries()) {
    if (end.aborted) break;
    progress.begin(file.scenario.name, index + 1, files.length, plannedLengthMs(file.scenario));
    try {
      const one = await playOne(file, runner, options, { end, progress });
      progress.end();
      played.push(one);
      if (!options.json) printLines(scenarioText(one));
    } catch (error) {
      if (error instanceof Interrupted) break;
      throw error;
    } finally {
      progress.end();
    }
  }
  return played;
}

async function playOne(
  { file, scenario: read, readFile }: ScenarioFile,
  runner: Runner,
  { seed, pace, trace, world }: ScenarioRunOptions,
  { end, progress }: { readonly end: AbortSignal; readonly progress: ProgressLine },
): Promise<Played> {
  const scenario: Scenario = { ...read, ...(seed === undefined ? {} : { seed }) };
  const gate = openGate({ pace, end, show: progress.show });
  const traceFile = trace === undefined ? undefined : openTraceFile(trace, scenario, worldOf(world));
  const beganMs = performance.now();
  let outcome: Outcome;
  try {
    outcome = await runner(scenario, {
      gate,
      readFile,
      ...(traceFile === undefined ? {} : { witness: traceFile.witness }),
    });
    traceFile?.end(outcome);
  } catch (error) {
    if (error instanceof Interrupted) throw error;
    outcome = crashed(scenario, world, error);
  } finally {
    traceFile?.close();
  }
  // An end while nothing but an answer was waited for may look like a crash.
  if (end.aborted) throw new Interrupted('The run was ended.');
  return { file, outcome, wallMs: performance.now() - beganMs, repeat: repeatOf(file, scenario.seed, world) };
}

/** Where not even a world came about: the other scenarios are run all the same. */
function crashed(scenario: Scenario, world: string, error: unknown): Outcome {
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
    facts: [],
    factsDropped: 0,
    vehicles: [],
  };
}

function worldOf(name: string): Outcome['world'] {
  return name === 'real' ? 'real' : 'virtual';
}

/** The command that does the same again; at any pace it is the same. */
export function repeatOf(file: string, seed: number, world: string): string {
  const quoted = /^[\w@%+=:,./-]+$/.test(file) ? file : `'${file.replaceAll("'", "'\\''")}'`;
  return `npx boxtwin scenario run ${quoted} --seed ${seed}${world === 'virtual' ? '' : ` --world ${world}`}`;
}

const COLOURS: Readonly<Record<Line['tone'], (text: string) => string>> = {
  good: pc.green,
  bad: pc.red,
  plain: (text) => text,
  quiet: pc.dim,
};

function printLines(lines: readonly Line[]): void {
  print(`${lines.map(({ tone, text }) => COLOURS[tone](printable(text))).join('\n')}\n`);
}

function print(text: string): void {
  process.stdout.write(text);
}
