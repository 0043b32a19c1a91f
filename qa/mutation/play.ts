import { spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { limits } from './limits.ts';
import { keyOf, type Mutant, type MutantOutcome, type PlayedMutant } from './mutant.ts';
import type { MutatedRoom } from './rooms.ts';

/** What of a checkout is not copied: what is installed, made, or kept by tools. */
const NOT_COPIED = new Set(['node_modules', 'dist', '.git', '.boxtwin']);
const HERE = import.meta.dirname;

/** Of Stryker's JSON report, what is read. */
interface StrykerReport {
  readonly files: Readonly<
    Record<
      string,
      {
        readonly source: string;
        readonly mutants: readonly {
          readonly location: Pick<Mutant, 'start' | 'end'>;
          readonly mutatorName: string;
          readonly replacement: string;
          readonly status: string;
        }[];
      }
    >
  >;
}

const OUTCOME_OF: Readonly<Record<string, MutantOutcome>> = {
  Killed: 'killed',
  Timeout: 'timed out',
  Survived: 'survived',
  NoCoverage: 'no coverage',
  RuntimeError: 'did not load',
};

/**
 * Plays the mutants in a copy of the checkout, with Stryker, and tells what became of each, in their order. Throws
 * where Stryker ends with an error, or leaves a mutant out.
 */
export async function play(
  room: MutatedRoom,
  mutants: readonly Mutant[],
  { root, jobs }: { readonly root: string; readonly jobs: number },
): Promise<readonly PlayedMutant[]> {
  const copy = mkdtempSync(join(tmpdir(), 'boxtwin-mutation-'));
  try {
    cpSync(root, copy, { recursive: true, filter: (path) => !NOT_COPIED.has(basename(path)) });
    symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
    const drawn = join(copy, '.mutation-drawn.json');
    writeFileSync(drawn, JSON.stringify(mutants.map(keyOf)));
    const report = join(copy, '.mutation-report.json');
    const settings = join(copy, '.mutation-settings.json');
    writeFileSync(settings, JSON.stringify(settingsOf(mutants, report, jobs)));
    await ran(settings, copy, { MUTATION_ROOM: room.name, MUTATION_DRAWN: drawn });
    return outcomesOf(mutants, JSON.parse(readFileSync(report, 'utf8')) as StrykerReport);
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

function settingsOf(mutants: readonly Mutant[], report: string, jobs: number): object {
  return {
    mutate: [...new Set(mutants.map(rangeOf))],
    inPlace: true,
    plugins: [
      join(HERE, 'node_modules/@stryker-mutator/vitest-runner/dist/src/index.js'),
      join(HERE, 'drawn-checker.ts'),
    ],
    checkers: ['drawn'],
    testRunner: 'vitest',
    vitest: { configFile: 'qa/mutation/vitest.config.ts', related: false },
    coverageAnalysis: 'perTest',
    concurrency: jobs,
    timeoutMS: limits.mutantMs,
    timeoutFactor: limits.mutantTimes,
    dryRunTimeoutMinutes: limits.dryRunMinutes,
    reporters: ['progress-append-only', 'json'],
    jsonReporter: { fileName: report },
    allowConsoleColors: false,
    warnings: { slow: false },
  };
}

/** As Stryker takes it: lines from 1, columns from 0. */
function rangeOf({ file, start, end }: Mutant): string {
  return `${file}:${start.line}:${start.column - 1}-${end.line}:${end.column - 1}`;
}

/** Stryker's own lines of progress go to stderr. */
function ran(settings: string, copy: string, env: Readonly<Record<string, string>>): Promise<void> {
  const stryker = join(HERE, 'node_modules/@stryker-mutator/core/bin/stryker.js');
  const child = spawn(process.execPath, [stryker, 'run', settings], {
    cwd: copy,
    env: { ...process.env, ...env },
    stdio: ['ignore', process.stderr, process.stderr],
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => {
      if (code === 0) resolve();
      else reject(new Error(`Stryker ended with ${code}.`));
    });
  });
}

function outcomesOf(mutants: readonly Mutant[], report: StrykerReport): readonly PlayedMutant[] {
  const played = new Map(
    Object.entries(report.files).flatMap(([file, { source, mutants: reported }]) =>
      reported.map(({ location, mutatorName, replacement, status }): [string, PlayedMutant | string] => {
        const mutant = { file, ...location, mutator: mutatorName, replacement };
        const outcome = OUTCOME_OF[status];
        return [
          keyOf(mutant),
          outcome === undefined ? status : { ...mutant, outcome, original: textAt(source, mutant) },
        ];
      }),
    ),
  );
  return mutants.map((mutant) => {
    const one = played.get(keyOf(mutant));
    if (typeof one === 'object') return one;
    throw new Error(`Stryker did not play ${keyOf(mutant)}: ${one ?? 'it is not in the report'}.`);
  });
}

function textAt(source: string, { start, end }: Mutant): string {
  const lines = source.split('\n').slice(start.line - 1, end.line);
  const last = lines.pop() ?? '';
  const text = [...lines, last.slice(0, end.column - 1)].join('\n').slice(start.column - 1);
  return text.slice(0, limits.textCharacters);
}
