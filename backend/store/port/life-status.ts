import { LIMITS } from '../../../contract/limits.ts';
import { settingNamed } from '../../../protocol/settings.ts';
import { limits, vehicleLimits } from '../../base/limits.ts';
import type { BoxRecord, LifeStatus, LifeStatusValue, ListedBox, ListedVehicle } from './stored-vehicle.ts';
import type { SimAction } from './vehicle-store.ts';

/** The life status of a vehicle at `nowMs`. It began at the earliest when the vehicle was onboarded. */
export function vehicleLifeStatus(
  vehicle: Pick<ListedVehicle, 'box' | 'createdMs'>,
  nowMs: number,
): LifeStatus {
  const { value, sinceMs } = lifeStatus(vehicle.box, nowMs);
  return { value, sinceMs: Math.max(sinceMs, vehicle.createdMs) };
}

/**
 * The life status of a box at `nowMs`, and since when. `box.life` is the status at the last change of the record;
 * between two changes it can only get worse, at times that can be computed:
 *
 *     ONLINE ── silent on its open session for 35 min, or for its report's interval and 5 min ──▶ STANDBY
 *     STANDBY ── its report is overdue by 10 min ──▶ OFFLINE
 *
 * A box without any contact has always been offline (0).
 */
export function lifeStatus(box: ListedBox, nowMs: number): LifeStatus {
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
 * `after` with the status that `before` has become at `atMs`. Every change of the inputs of the status goes through
 * here, at the time of the change. A change that keeps the value keeps its start time, too.
 */
export function withLifeStatus(before: BoxRecord, after: BoxRecord, atMs: number): BoxRecord {
  if (after.lastContactMs === undefined && after.life === undefined) return after;
  const was = lifeStatus(before, atMs);
  const value = statusOf(after, atMs);
  if (after.life?.value === value && was.value === value) return after;
  return { ...after, life: { value, sinceMs: was.value === value ? was.sinceMs : atMs } };
}

function statusOf(box: ListedBox, nowMs: number): LifeStatusValue {
  const { lastContactMs } = box;
  if (box.simSuspendedMs !== undefined || lastContactMs === undefined) return 'OFFLINE';
  if (isOpen(box) && nowMs <= lastContactMs + silenceMs(box)) return 'ONLINE';
  return nowMs <= lastContactMs + overdueAfterMs(box) ? 'STANDBY' : 'OFFLINE';
}

/** Whether its session is open and the box is neither going down nor still starting. */
function isOpen({ connection, notReadyUntilMs }: ListedBox): boolean {
  return connection?.open === true && notReadyUntilMs === undefined;
}

/** How long a box may be silent on an open session before its presence is unknown. */
function silenceMs(box: ListedBox): number {
  return Math.max(limits.silentMs, intervalMs(box) + vehicleLimits.reportWayMs);
}

/** How long a box may be silent before its report at rest is overdue. */
function overdueAfterMs(box: ListedBox): number {
  return intervalMs(box) + vehicleLimits.overdueMs;
}

function intervalMs({ standbyReportS }: ListedBox): number {
  return (standbyReportS ?? settingNamed('box.standbyReportIntervalS').standard) * 1_000;
}

/**
 * The record of a box whose SIM card got that status from its provider at `atMs`. Suspending or detaching a card ends
 * the connection that was open at the request (`connection`: its counter), though the will of the box may arrive much
 * later. If another one is open by now, the box has already reconnected. A detached box registers again by itself.
 */
export function afterSimAction(
  box: BoxRecord,
  { made, connection }: Pick<SimAction, 'made' | 'connection'>,
  atMs: number,
): BoxRecord {
  const { simSuspendedMs, ...rest } = box;
  if (made === 'active') return withLifeStatus(box, rest, atMs);
  const isSame = box.connection?.open === true && box.connection.counter === connection;
  const after: BoxRecord = {
    ...rest,
    ...(isSame
      ? {
          connection: { counter: connection, open: false },
          notReadyUntilMs: made === 'detached' ? atMs + LIMITS.vehicle.notReadyMs : undefined,
        }
      : {}),
    ...(made === 'suspended' ? { simSuspendedMs: simSuspendedMs ?? atMs } : {}),
    ...(made === 'detached' && simSuspendedMs !== undefined ? { simSuspendedMs } : {}),
  };
  return withLifeStatus(box, after, atMs);
}
