import type { Log } from '../world/log.ts';
import { limits } from './limits.ts';

/** Tells the log whom a broker refused and why. `id`: whatever the stranger calls itself. */
export type Warn = (id: string, reason: string, message: string) => void;

/**
 * Warnings, once for each id and kind in `limits.logEveryMs`, and no more than `limits.loggedPerKind` of a kind: a stranger
 * can call itself anything. The first one afterwards says how many were left out. `message` is one of a few.
 */
export function refusalLog(log: Log, nowMs: () => number): Warn {
  const isDue = seldom(limits.logEveryMs, limits.loggedIds);
  const hasRoom = bounded(limits.logEveryMs, limits.loggedPerKind);
  return (id, reason, message) => {
    const shown = id.slice(0, limits.loggedIdLength);
    const atMs = nowMs();
    if (!isDue(`${shown} ${message}`, atMs)) return;
    const leftOut = hasRoom(message, atMs);
    if (leftOut === undefined) return;
    log.warn({ id: shown, reason, ...(leftOut > 0 ? { leftOut } : {}) }, message);
  };
}

/**
 * Says whether `key` is due again: true at most once in `everyMs` for each key. Remembers no more than `capacity`
 * keys, so that a stranger with many names fills no memory; a forgotten key is due.
 */
export function seldom(everyMs: number, capacity: number): (key: string, nowMs: number) => boolean {
  /** In the order of the last time. */
  const lastMs = new Map<string, number>();
  return (key, nowMs) => {
    const last = lastMs.get(key);
    if (last !== undefined && nowMs - last < everyMs) return false;
    lastMs.delete(key);
    lastMs.set(key, nowMs);
    const [oldest] = lastMs.keys();
    if (lastMs.size > capacity && oldest !== undefined) lastMs.delete(oldest);
    return true;
  };
}

/**
 * Says whether there is room for one more of `kind`: at most `most` in each `everyMs`. A number: there is, and so many were
 * left out since the last one; undefined: there is none. `kind` is one of a few that the program itself has.
 */
export function bounded(everyMs: number, most: number): (kind: string, nowMs: number) => number | undefined {
  const spans = new Map<string, { fromMs: number; told: number; leftOut: number }>();
  return (kind, nowMs) => {
    let span = spans.get(kind);
    if (span === undefined || nowMs - span.fromMs >= everyMs) {
      span = { fromMs: nowMs, told: 0, leftOut: span?.leftOut ?? 0 };
      spans.set(kind, span);
    }
    if (span.told >= most) {
      span.leftOut += 1;
      return undefined;
    }
    span.told += 1;
    const { leftOut } = span;
    span.leftOut = 0;
    return leftOut;
  };
}
