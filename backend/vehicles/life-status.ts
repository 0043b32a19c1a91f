import { readiness } from '../commands/readiness.ts';
import { limits } from '../limits.ts';
import type { BoxRecord, Vehicle } from '../store/vehicle-store.ts';
import { hasBox } from './own.ts';

export type LifeStatusValue = 'ONLINE' | 'STANDBY' | 'OFFLINE';

export interface LifeStatus {
  readonly value: LifeStatusValue;
  /** Since when, as far as it is recorded: a connection without a hello has no beginning. */
  readonly modifiedMs: number | undefined;
}

/**
 * A box in standby wakes every 30 min to report; one report may be lost on the way, and a wake takes its time. So a
 * box that was heard within two such intervals and five minutes is in standby, not gone.
 */
export const STANDBY_WINDOW_MS = 65 * 60_000;

/** The same of any vehicle. A maker's cloud is always there: what counts is when the vehicle was heard through it. */
export function vehicleLifeStatus(vehicle: Vehicle, nowMs: number): LifeStatus {
  const box = hasBox(vehicle)
    ? vehicle.box
    : { ...vehicle.box, connection: vehicle.box.connection ?? { counter: 0, open: true } };
  return lifeStatus(box, vehicle.createdMs, nowMs);
}

/**
 * How alive a box is at `nowMs`:
 * - ONLINE: its connection stands, it takes commands, and it was heard on it not too long ago (`limits.silentMs`); since
 *   the first hello of that connection;
 * - STANDBY: it restarts, sleeps, or has no connection that is known, and was heard within the window; since its
 *   last contact, or since an open connection counts as silent;
 * - OFFLINE: it was not heard for longer, since the window's end; or never, since it was onboarded.
 */
export function lifeStatus(box: BoxRecord, onboardedMs: number, nowMs: number): LifeStatus {
  const ready = readiness(box, nowMs);
  if (ready === 'connected') return { value: 'ONLINE', modifiedMs: box.connection?.sinceMs };
  if (box.lastContactMs === undefined) return { value: 'OFFLINE', modifiedMs: onboardedMs };
  const endMs = box.lastContactMs + STANDBY_WINDOW_MS;
  if (nowMs > endMs) return { value: 'OFFLINE', modifiedMs: endMs };
  const wasOnline = ready === 'unknown' && box.connection !== undefined;
  return { value: 'STANDBY', modifiedMs: box.lastContactMs + (wasOnline ? limits.silentMs : 0) };
}
