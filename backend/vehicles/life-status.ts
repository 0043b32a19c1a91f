import { settingNamed } from '../../protocol/settings.ts';
import { limits } from '../limits.ts';
import type { BoxRecord, Life, LifeStatusValue, Vehicle } from '../store/vehicle-store.ts';
import { vehicleLimits } from './limits.ts';

/** What the three values mean, for the reference. */
export const LIFE_STATUS_MEANING =
  'ONLINE: the telematics unit has a session with its broker and answers. STANDBY: it has said goodbye, it restarts, or its session has ended, and its next report at rest is not overdue. OFFLINE: that report is overdue by 10 minutes, the SIM is suspended, or nothing was ever heard. Of a vehicle with third-party telematics the reports are the states that its maker tells.';

/** What the time beside it means, for the reference. */
export const LIFE_STATUS_SINCE =
  'When that value began, by the clock of the service; never before `created_at`.';

/** The life status of a vehicle at `nowMs`. It began at the earliest when the vehicle was onboarded. */
export function vehicleLifeStatus(vehicle: Vehicle, nowMs: number): Life {
  const { value, sinceMs } = lifeStatus(vehicle.box, nowMs);
  return { value, sinceMs: Math.max(sinceMs, vehicle.createdMs) };
}

/**
 * How alive a box is at `nowMs`, and since when. `box.life` is the status at the last change of the record; between two
 * changes only time acts, and only downwards, at moments that can be told:
 *
 *     ONLINE ── silent on its open session for 35 min, or for its report's interval and 5 min ──▶ STANDBY
 *     STANDBY ── its report is overdue by 10 min ──▶ OFFLINE
 *
 * A box that was never heard has been offline for ever (0).
 */
export function lifeStatus(box: BoxRecord, nowMs: number): Life {
  const value = statusOf(box, nowMs);
  const { life, lastContactMs, simSuspendedMs } = box;
  if (lastContactMs === undefined && life === undefined) return { value, sinceMs: 0 };
  if (life?.value === value) return { value, sinceMs: life.sinceMs };
  const heardMs = lastContactMs ?? life?.sinceMs ?? 0;
  const silentMs = heardMs + silenceMs(box);
  switch (value) {
    case 'ONLINE':
      return { value, sinceMs: heardMs };
    case 'STANDBY':
      return { value, sinceMs: life === undefined ? heardMs : Math.max(silentMs, life.sinceMs) };
    case 'OFFLINE': {
      const overdueMs = heardMs + overdueAfterMs(box);
      const wasOnline = life === undefined ? isOpen(box) : life.value === 'ONLINE';
      const byTimeMs = Math.max(overdueMs, wasOnline ? silentMs : 0, life?.sinceMs ?? 0);
      return { value, sinceMs: Math.min(byTimeMs, simSuspendedMs ?? byTimeMs) };
    }
    default:
      return value satisfies never;
  }
}

/**
 * `after` with the status that `before` has become at `atMs`. Every change of what the status is told from goes through
 * here, at the time of the change: one that leaves the value as it is leaves its beginning, too.
 */
export function withLife(before: BoxRecord, after: BoxRecord, atMs: number): BoxRecord {
  if (after.lastContactMs === undefined && after.life === undefined) return after;
  const was = lifeStatus(before, atMs);
  const value = statusOf(after, atMs);
  if (after.life?.value === value && was.value === value) return after;
  return { ...after, life: { value, sinceMs: was.value === value ? was.sinceMs : atMs } };
}

function statusOf(box: BoxRecord, nowMs: number): LifeStatusValue {
  const { lastContactMs } = box;
  if (box.simSuspendedMs !== undefined || lastContactMs === undefined) return 'OFFLINE';
  if (isOpen(box) && nowMs <= lastContactMs + silenceMs(box)) return 'ONLINE';
  return nowMs <= lastContactMs + overdueAfterMs(box) ? 'STANDBY' : 'OFFLINE';
}

/** Whether its session stands and nothing says that it goes down or has not come up yet. */
function isOpen({ connection, notReadyUntilMs }: BoxRecord): boolean {
  return connection?.open === true && notReadyUntilMs === undefined;
}

/** How long a box may be silent on an open session before it is not known any more to be there. */
function silenceMs(box: BoxRecord): number {
  return Math.max(limits.silentMs, intervalMs(box) + vehicleLimits.reportWayMs);
}

/** How long a box may be silent before its report at rest is overdue. */
function overdueAfterMs(box: BoxRecord): number {
  return intervalMs(box) + vehicleLimits.overdueMs;
}

function intervalMs({ standbyReportS }: BoxRecord): number {
  return (standbyReportS ?? settingNamed('box.standbyReportIntervalS').standard) * 1_000;
}
