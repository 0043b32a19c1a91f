import { failed, type Judgement, ok, warning } from './check.ts';
import { limits } from './limits.ts';
import { count, milliseconds } from './wording.ts';

export interface NodeFacts {
  /** `24.21.0` */
  readonly version: string;
  readonly path: string;
  /** The oldest supported version, from `engines`: `22.18.0`. */
  readonly oldest: string;
  /** The version of the tests. */
  readonly tested: string;
  /** Whether this is the Node that `npm ci` has installed in the project. */
  readonly isInstalled: boolean;
}

/** Of the wall clock and the monotonic clock, over the same time. */
export interface ClockFacts {
  readonly nowMs: number;
  readonly wallMs: number;
  readonly monotonicMs: number;
}

/** Durations of single commits, each a write and a sync; or why there is none. */
export interface DiskSpeedFacts {
  readonly path: string;
  readonly commitsMs: readonly number[];
}

/** A port that `up` would use. */
export interface PortFacts {
  /** What listens there: `the API`. */
  readonly name: string;
  readonly option: string;
  readonly port: number;
  readonly isGiven: boolean;
  readonly state: 'free' | 'taken' | 'forbidden';
  /** The port that it would use instead; undefined: none. */
  readonly other: number | undefined;
}

/** Whether this Node is new enough, and tested. */
export function judgeNode({ version, path, oldest, tested, isInstalled }: NodeFacts): Judgement {
  const text = `Node ${version} (${path}); ${oldest} or later is needed.`;
  const take = `"npm ci" in a checkout installs Node ${tested}, and "npm start" and "npx boxtwin" use it.`;
  if (isBefore(version, oldest)) return failed(text, take);
  if (isInstalled)
    return ok(`Node ${version}, which npm has installed with boxtwin; ${oldest} or later is needed.`);
  if (majorOf(version) > majorOf(tested))
    return warning(`${text} The newest that is tested is ${tested}.`, take);
  return ok(text);
}

/** Whether the clock has a plausible year and runs at the right speed. Its time zone does not matter. */
export function judgeClock({ nowMs, wallMs, monotonicMs }: ClockFacts): Judgement {
  const set = 'Set the clock, and have it kept by NTP (timedatectl set-ntp true).';
  const isDate = Math.abs(nowMs) <= LAST_DATE_MS;
  const year = isDate ? new Date(nowMs).getUTCFullYear() : Number.NaN;
  const shown = isDate ? new Date(nowMs).toISOString() : 'no date';
  if (!(year >= limits.firstYear && year <= limits.lastYear)) {
    return failed(
      `The clock says ${shown}; certificates and tokens are of the years ${limits.firstYear} to ${limits.lastYear}.`,
      set,
    );
  }
  const driftMs = Math.abs(wallMs - monotonicMs);
  const drift = `in ${milliseconds(monotonicMs)} it went ${milliseconds(driftMs)} wrong, of ${milliseconds(limits.clockDriftMs)} at most`;
  if (driftMs <= limits.clockDriftMs) return ok(`${shown}; ${drift}.`);
  return warning(`The clock says ${shown}, but ${drift}: it is being set.`, set);
}

/** Whether commits are fast enough for commands that wait for a few of them. */
export function judgeDiskSpeed({ path, commitsMs }: DiskSpeedFacts): Judgement {
  const other = 'Give a directory on a local disk with --data: no network share, no memory card.';
  if (commitsMs.length === 0) return failed(`No commit was on the disk at ${path} in time.`, other);
  const sorted = [...commitsMs].sort((one, next) => one - next);
  const median = rankOf(sorted, 0.5);
  const slow = rankOf(sorted, 0.99);
  const text =
    `A commit at ${path} takes ${milliseconds(median)}, of 100 the slowest ${milliseconds(slow)} (${count(sorted.length, 'commit')}); ` +
    `${milliseconds(limits.commitMedianMs)} and ${milliseconds(limits.commitSlowestMs)} are fast enough.`;
  if (median <= limits.commitMedianMs && slow <= limits.commitSlowestMs) return ok(text);
  return warning(text, other);
}

/** Whether a port is available: the given one, or for a default one the next free port. */
export function judgePort({ name, option, port, isGiven, state, other }: PortFacts): Judgement {
  if (state === 'free') return ok(`${port} is free for ${name}.`);
  const why = state === 'taken' ? 'is taken' : 'may not be used by this user';
  if (isGiven) return failed(`${port} (${option}) ${why}.`, `Free it, or give another one with ${option}.`);
  if (other === undefined)
    return failed(`${port} ${why}, and none of those behind it is free.`, `Give one with ${option}.`);
  return warning(`${port} ${why}: ${name} would listen on ${other}.`, `Free it, or give one with ${option}.`);
}

/** The latest date of ECMAScript. */
const LAST_DATE_MS = 8.64e15;

/** The smallest value that this share of them does not exceed: a quantile. */
function rankOf(sorted: readonly number[], share: number): number {
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}

/** Whether a version of three numbers is older than the other. A malformed version counts as 0. */
function isBefore(version: string, other: string): boolean {
  const [one, next] = [numbersOf(version), numbersOf(other)];
  const at = one.findIndex((number, index) => number !== next[index]);
  return at !== -1 && (one[at] ?? 0) < (next[at] ?? 0);
}

function majorOf(version: string): number {
  return numbersOf(version)[0] ?? 0;
}

function numbersOf(version: string): readonly number[] {
  const [, ...parts] = /^(\d+)\.(\d+)\.(\d+)/.exec(version) ?? ['', '0', '0', '0'];
  return parts.map(Number);
}
