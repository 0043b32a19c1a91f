import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { lineOf } from '../measure/children.ts';
import type { Result } from '../measure/table.ts';
import { type Pair, type Verdict, verdictOf } from './verdict.ts';

const HERE = fileURLToPath(new URL('../../..', import.meta.url));
const RUN = 'qa/bench/run.ts';
const LOCK = 'package-lock.json';

export interface Comparison extends Verdict {
  readonly bench: string;
  readonly figure: string;
  readonly pairs: readonly Pair[];
}

/** A comparison, or why a bench has none. */
export type Compared = Comparison | { readonly bench: string; readonly skipped: string };

export interface CompareOptions {
  /** A revision of this repository, as git names it. */
  readonly revision: string;
  readonly rounds: number;
  readonly marginPercent: number;
}

/**
 * Runs benches in this checkout and in one of the revision, in alternation, each round in a process of its own. Yields a
 * comparison for each bench, or a text: why it has none. Throws `NotComparable` where there is no such revision.
 */
export async function* compare(
  benches: readonly string[],
  { revision, rounds, marginPercent }: CompareOptions,
): AsyncGenerator<Compared> {
  const other = checkoutOf(revision);
  try {
    for (const bench of benches) yield await compareOne(bench, other.folder, { rounds, marginPercent });
  } finally {
    other.remove();
  }
}

async function compareOne(
  bench: string,
  there: string,
  { rounds, marginPercent }: Omit<CompareOptions, 'revision'>,
): Promise<Compared> {
  const pairs: Pair[] = [];
  let figure = '';
  let isLessBetter = true;
  for (let round = 0; round < rounds; round += 1) {
    // The second of two may find a warmer machine.
    const order = round % 2 === 0 ? [HERE, there] : [there, HERE];
    const values = new Map<string, number>();
    for (const folder of order) {
      const result = await resultIn(folder, bench);
      if (typeof result === 'string')
        return { bench, skipped: `${folder === HERE ? 'here' : 'at the revision'}: ${result}` };
      const score = scoreOf(result);
      if (score === undefined) return { bench, skipped: 'it has no single figure to compare' };
      values.set(folder, score.value);
      if (folder === HERE) ({ figure, isLessBetter } = score);
    }
    pairs.push({ here: values.get(HERE) ?? Number.NaN, there: values.get(there) ?? Number.NaN });
  }
  return { bench, figure, pairs, ...verdictOf(pairs, isLessBetter, marginPercent) };
}

/** One round of a bench in a checkout; a text: why there is none. */
async function resultIn(folder: string, bench: string): Promise<Result | string> {
  const child = spawn(process.execPath, [RUN, bench, '--rounds', '1', '--json'], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors = (errors + text).slice(-ERROR_CHARACTERS);
  });
  try {
    const line = await lineOf<Result & { readonly skipped?: string }>(child);
    return line.skipped ?? line;
  } catch {
    return errors.trim().split('\n').at(-1) ?? 'it ended without a result';
  }
}

const ERROR_CHARACTERS = 4_000;

/** The figure of a result by which two revisions are compared. Beside a bare reference it is the ratio. Total. */
function scoreOf(
  result: Result,
): { readonly figure: string; readonly value: number; readonly isLessBetter: boolean } | undefined {
  if ('durations' in result)
    return { figure: result.name, value: Math.min(...result.durations), isLessBetter: true };
  if ('rates' in result)
    return { figure: result.name, value: Math.max(...result.rates), isLessBetter: false };
  if ('rounds' in result) {
    const ratios = result.rounds.map(({ ours, bare }) => ours / bare);
    return { figure: result.name, value: Math.max(...ratios), isLessBetter: false };
  }
  if ('latencies' in result) {
    const last = result.latencies.at(-1);
    if (last === undefined) return undefined;
    return { figure: `${result.name}, p99`, value: last.ours.p99Ms / last.bare.p99Ms, isLessBetter: true };
  }
  return undefined;
}

/** A checkout of the revision beside this one, with the same packages where it asks for the same. */
function checkoutOf(revision: string): { readonly folder: string; remove(): void } {
  const folder = join(mkdtempSync(join(tmpdir(), 'boxtwin-compare-')), 'checkout');
  git('worktree', 'add', '--quiet', '--detach', folder, revision);
  const remove = (): void => {
    git('worktree', 'remove', '--force', folder);
    rmSync(join(folder, '..'), { recursive: true, force: true });
  };
  try {
    const isAlike = readFileSync(join(folder, LOCK)).equals(readFileSync(join(HERE, LOCK)));
    if (isAlike) symlinkSync(join(HERE, 'node_modules'), join(folder, 'node_modules'));
    else execFileSync('npm', ['ci', '--silent'], { cwd: folder, stdio: 'inherit' });
    return { folder, remove };
  } catch (error) {
    remove();
    throw error;
  }
}

/** Throws with git's own message. */
function git(...args: readonly string[]): void {
  const { status, stderr } = spawnSync('git', args, { cwd: HERE, encoding: 'utf8' });
  if (status !== 0) throw new NotComparable(stderr.trim().replace(/^fatal: /, 'git: '));
}

/** There is nothing to compare with; the message says why. */
export class NotComparable extends Error {
  override readonly name = 'NotComparable';
}
