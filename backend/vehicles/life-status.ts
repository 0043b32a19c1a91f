import { readiness } from '../commands/readiness.ts';
import { limits } from '../limits.ts';
import type { BoxRecord } from '../store/store.ts';

export type LifeStatusValue = 'ONLINE' | 'STANDBY' | 'OFFLINE';

export interface LifeStatus {
  readonly value: LifeStatusValue;
  /** Since when, as far as it is recorded: the beginning of a connection is not. */
  readonly modifiedMs: number | undefined;
}

/**
 * A box in standby wakes every 30 min to report; one report may be lost on the way, and a wake takes its time. So a
 * box that was heard within two such intervals and five minutes is in standby, not gone.
 */
export const STANDBY_WINDOW_MS = 65 * 60_000;

/**
 * How alive a box is at `nowMs`:
 * - ONLINE: its connection stands, it takes commands, and it was heard on it not too long ago (`limits.silentMs`);
 * - STANDBY: it restarts, sleeps, or has no connection that is known, and was heard within the window; since its
 *   last contact, or since an open connection counts as silent;
 * - OFFLINE: it was not heard for longer, since the window's end; or never, since it was onboarded.
 */
export function lifeStatus(box: BoxRecord, onboardedMs: number, nowMs: number): LifeStatus {
  const ready = readiness(box, nowMs);
  if (ready === 'connected') return { value: 'ONLINE', modifiedMs: undefined };
  if (box.lastContactMs === undefined) return { value: 'OFFLINE', modifiedMs: onboardedMs };
  const endMs = box.lastContactMs + STANDBY_WINDOW_MS;
  if (nowMs > endMs) return { value: 'OFFLINE', modifiedMs: endMs };
  const wasOnline = ready === 'unknown' && box.connection !== undefined;
  return { value: 'STANDBY', modifiedMs: box.lastContactMs + (wasOnline ? limits.silentMs : 0) };
}
