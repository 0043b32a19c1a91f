import pc from 'picocolors';
import { openThreadedRuns } from '../../../deployment/jobs/threaded-runs.ts';
import { CommandError } from '../../../deployment/shared/command-error.ts';
import { htmlPage } from '../../../scenarios/reports/html/page.ts';
import { jsonReport } from '../../../scenarios/reports/json.ts';
import { junitXml } from '../../../scenarios/reports/junit.ts';
import { exitCodeOf, type PlayedScenario } from '../../../scenarios/reports/played-scenario.ts';
import { type ReportLine, scenarioText, summaryText } from '../../../scenarios/reports/text.ts';
import { jobsOf } from '../../settings/jobs-option.ts';
import type { ReportKind, ReportTarget } from '../../settings/report-option.ts';
import { limits } from '../../shared/limits.ts';
import { onOutputClosed, printable } from '../../shared/output.ts';
import {
  type AnnotationOptions,
  annotator,
  readAnnotated,
  refuseAnnotations,
} from './scenario-annotations.ts';
import { leftOutText } from './scenario-files.ts';
import { createEmptyFiles, refuseSameFiles, tellWritten, writeText } from './scenario-output-files.ts';
import { playAll } from './scenario-play.ts';
import { progressLine } from './scenario-progress.ts';
import type { AnnotationKind } from './scenario-values.ts';
import { refuseJobs, refuseOtherWorlds, refusePace, runnerOf } from './scenario-worlds.ts';

/** As commander hands them over. */
export interface ScenarioRunOptions {
  readonly world: string;
  readonly seed?: number;
  /** Virtual seconds per second of wall clock; infinity: as fast as possible. */
  readonly pace: number;
  readonly report: readonly ReportTarget[];
  readonly trace?: string;
  readonly strict: boolean;
  /** Shows failures next to the lines of the files; absent: nothing does. */
  readonly annotations?: AnnotationKind;
  readonly json: boolean;
  readonly quiet: boolean;
  /** The number of concurrent runs; absent: one for each core, where several can run at once. */
  readonly jobs?: number;
}

/** Runs scenarios and reports; sets the exit code. Throws a `CommandError` where a given value cannot be used. */
export async function scenarioRun(places: readonly string[], options: ScenarioRunOptions): Promise<void> {
  const runner = runnerOf(options.world);
  refusePace(options.world, options.pace);
  refuseJobs(options);
  refuseAnnotations(options);
  const annotations: AnnotationOptions = { kind: options.annotations, print };
  const read = readAnnotated(places, annotations);
  const { files, leftOut, remarks } = read;
  refuseOtherWorlds(options.world, files);
  if (options.trace !== undefined && files.length > 1)
    throw new CommandError(`--trace takes one scenario, and these are ${files.length}. Name one file.`);
  const written = [
    ...options.report.map(({ file }) => file),
    ...(options.trace === undefined ? [] : [options.trace]),
  ];
  refuseSameFiles(
    written,
    files.map(({ file }) => file),
  );
  createEmptyFiles(written);
  if (leftOut.length > 0) process.stderr.write(printable(leftOutText(leftOut)));
  if (!options.json && !options.quiet)
    for (const remark of remarks) process.stderr.write(`boxtwin: ${printable(remark)}\n`);
  const ending = new AbortController();
  const end = (): void => ending.abort();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, end);
  const stay = onOutputClosed(end);
  const annotate = annotator(read, annotations);
  const progress = progressLine(process.stderr, { isQuiet: options.json || options.quiet });
  const isAtOnce = options.world === 'virtual' && !Number.isFinite(options.pace) && files.length > 1;
  const jobs = isAtOnce ? jobsOf(options.jobs) : 1;
  const threads = jobs > 1 ? openThreadedRuns({ jobs, show: progress.show }) : undefined;
  const stopThreads = (): void => threads?.endAll();
  ending.signal.addEventListener('abort', stopThreads);
  try {
    const played: PlayedScenario[] = [];
    await playAll(
      files,
      { ...options, runner },
      {
        end: ending.signal,
        progress,
        threads,
        played: (one) => {
          played.push(one);
          if (!options.json) printLines(scenarioText(one));
          annotate(one);
        },
      },
    );
    const notRun = files.length - played.length;
    const exitCode = ending.signal.aborted ? limits.interruptedExitCode : exitCodeOf(played);
    writeReports(options.report, played, { notRun, exitCode });
    tellWritten(written, options.json || options.quiet);
    if (options.json) print(`${JSON.stringify(jsonReport(played, notRun, exitCode))}\n`);
    else printLines(summaryText(played, notRun));
    process.exitCode = exitCode;
  } finally {
    stopThreads();
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, end);
    stay();
  }
}

const COLOURS: Readonly<Record<ReportLine['tone'], (text: string) => string>> = {
  good: pc.green,
  bad: pc.red,
  plain: (text) => text,
  quiet: pc.dim,
};

function printLines(lines: readonly ReportLine[]): void {
  print(`${lines.map(({ tone, text }) => COLOURS[tone](printable(text))).join('\n')}\n`);
}

function print(text: string): void {
  process.stdout.write(text);
}

const WRITERS: Readonly<
  Record<ReportKind, (all: readonly PlayedScenario[], notRun: number, exitCode: number) => string>
> = {
  junit: junitXml,
  json: (all, notRun, exitCode) => `${JSON.stringify(jsonReport(all, notRun, exitCode), undefined, 2)}\n`,
  html: htmlPage,
};

/** Writes each report; `notRun` scenarios were given and did not run, and the command ends with `exitCode`. */
function writeReports(
  places: readonly ReportTarget[],
  all: readonly PlayedScenario[],
  { notRun, exitCode }: { readonly notRun: number; readonly exitCode: number },
): void {
  for (const { kind, file } of places) writeText(file, WRITERS[kind](all, notRun, exitCode));
}
