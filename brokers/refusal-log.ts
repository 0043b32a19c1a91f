import type { Log } from '../world/log/log.ts';
import { limits } from './limits.ts';

/** Logs which client a broker refused and why. `id`: the unchecked name that the client gave. */
export type WarnRefusal = (id: string, reason: string, message: string) => void;

/**
 * Warnings, once for each id and kind in `limits.log.logEveryMs`, and at most `limits.log.loggedPerKind` of a kind: a
 * client can use any number of names. The first warning afterwards includes how many were left out. `message`
 * is one of a few.
 */
export function refusalLog(log: Log, nowMs: () => number): WarnRefusal {
  const isDue = rateLimitByKey(limits.log.logEveryMs, limits.log.loggedIds);
  const hasRoom = rateLimitByKind(limits.log.logEveryMs, limits.log.loggedPerKind);
  return (id, reason, message) => {
    const shown = id.slice(0, limits.log.loggedIdLength);
    const atMs = nowMs();
    if (!isDue(`${shown} ${message}`, atMs)) return;
    const leftOut = hasRoom(message, atMs);
    if (leftOut === undefined) return;
    log.warn({ id: shown, reason, ...(leftOut > 0 ? { leftOut } : {}) }, message);
  };
}

/**
 * Returns a function that is true at most once in `everyMs` for each key. It remembers at most `capacity`
 * keys, so that many names do not fill the memory; a forgotten key counts as new.
 */
export function rateLimitByKey(everyMs: number, capacity: number): (key: string, nowMs: number) => boolean {
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
 * Returns a function that allows at most `most` calls for each `kind` in `everyMs`. If allowed, it returns
 * how many were left out since the last one; otherwise undefined. `kind` is one of a few values of the
 * program itself.
 */
export function rateLimitByKind(
  everyMs: number,
  most: number,
): (kind: string, nowMs: number) => number | undefined {
  const spans = new Map<string, { fromMs: number; logged: number; leftOut: number }>();
  return (kind, nowMs) => {
    let span = spans.get(kind);
    if (span === undefined || nowMs - span.fromMs >= everyMs) {
      span = { fromMs: nowMs, logged: 0, leftOut: span?.leftOut ?? 0 };
      spans.set(kind, span);
    }
    if (span.logged >= most) {
      span.leftOut += 1;
      return undefined;
    }
    span.logged += 1;
    const { leftOut } = span;
    span.leftOut = 0;
    return leftOut;
  };
}
