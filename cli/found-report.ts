import pc from 'picocolors';
import { comparedText, type Finding, foundFile } from '../scenarios/explore/found-file.ts';
import type { Failing } from '../scenarios/explore/shrink.ts';
import { sizeOf } from '../scenarios/explore/smaller.ts';
import { counted } from '../scenarios/language/counted.ts';
import type { Runner, RunOptions } from '../scenarios/run/options.ts';
import { limits } from './limits.ts';
import { printable } from './printable.ts';
import { onReaderLeft } from './reader.ts';
import { Interrupted, openGate } from './scenario-gate.ts';
import { writeText } from './scenario-places.ts';
import { isScreen, type ProgressLine, progressLine } from './scenario-progress.ts';
import { runnerOf } from './scenario-worlds.ts';

/** Any seed, for whoever gave none. */
export function anySeed(): number {
  return crypto.getRandomValues(new Uint32Array(1))[0] ?? 0;
}

/**
 * Runs `body` with a runner that Ctrl-C ends, as does a reader of stdout who leaves, and that shows on
 * stderr how far a run is. Resolves with undefined where it was ended, and the exit code says so.
 */
export async function untilEnded<T>(
  body: (runner: Runner, progress: ProgressLine) => Promise<T>,
  {
    isQuiet,
    readFile = () => undefined,
  }: { readonly isQuiet: boolean; readonly readFile?: NonNullable<RunOptions['readFile']> },
): Promise<T | undefined> {
  const ending = new AbortController();
  const end = (): void => ending.abort();
  const progress = progressLine(process.stderr, { isQuiet });
  const virtual = runnerOf('virtual');
  const runner: Runner = async (scenario, options) => {
    const gate = openGate({ pace: Number.POSITIVE_INFINITY, end: ending.signal, show: progress.show });
    const outcome = await virtual(scenario, { readFile, ...options, gate });
    if (ending.signal.aborted) throw new Interrupted('The run was ended.');
    return outcome;
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, end);
  const stay = onReaderLeft(end);
  try {
    return await body(runner, progress);
  } catch (error) {
    if (!(error instanceof Interrupted)) throw error;
    process.exitCode = limits.interruptedExitCode;
    return undefined;
  } finally {
    progress.end();
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, end);
    stay();
  }
}

/** Where there is no terminal: about ten lines on stderr in all. */
export function quietLine(index: number, count: number, text: string): void {
  if (isScreen(process.stderr) || (index !== 1 && index % Math.ceil(count / 10) !== 0)) return;
  process.stderr.write(`${printable(text)}\n`);
}

/** Where there is no terminal: that one was found, and is being made smaller. */
export function quietFound(smallest: Failing): void {
  if (isScreen(process.stderr)) return;
  process.stderr.write(`${printable(`found: ${smallest.reason.text}; making it smaller`)}\n`);
}

/** Writes the smallest failing scenario. Throws a `Failure` where it cannot be written. */
export function writeFound(file: string, finding: Finding): void {
  writeText(file, foundFile(finding), 1);
}

/** What was found and where it is now, for people. */
export function foundText(file: string, { told, first, smallest, shrinkRuns }: Finding): string {
  const [from, to] = [sizeOf(first.document), sizeOf(smallest.document)];
  const more = smallest.isSmallest ? '' : '; it may become smaller still, not all was tried';
  return [
    ...told.map((line) => `  ${line}`),
    pc.red(`FAILED  ${first.reason.text}`),
    `Made smaller in ${counted(shrinkRuns, 'run')}: ${from.steps} to ${counted(to.steps, 'step')}, ${from.vehicles} to ${counted(to.vehicles, 'vehicle')}${more}.`,
    ...comparedText(smallest),
    `It is in ${file}. Again: npx boxtwin scenario run ${file}`,
  ]
    .map(printable)
    .join('\n');
}

/** The same for programs. */
export function foundJson(file: string, { first, smallest, shrinkRuns }: Finding) {
  return {
    file,
    reason: smallest.reason.text,
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
    size: { first: sizeOf(first.document), smallest: sizeOf(smallest.document) },
    first: first.document,
    smallest: smallest.document,
    hash: smallest.outcome.hash,
  };
}
