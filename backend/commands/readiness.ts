import { limits } from '../base/limits.ts';
import type { BoxRecord } from '../store/port/stored-vehicle.ts';

/**
 * Whether a box can take a command now.
 * - `not-ready`: it announced that it goes down, or has just started and not reported ready yet.
 * - `unknown`: its connection is not known, or its silence is long enough that it may be gone without a will (a killed
 *   broker publishes none); a command is tried.
 */
export type BoxReadiness = 'connected' | 'not-connected' | 'unknown' | 'not-ready';

/** The columns of a box that its readiness follows from. */
export type BoxContact = Pick<BoxRecord, 'connection' | 'notReadyUntilMs' | 'lastContactMs'>;

/**
 * The readiness of a box at `nowMs`, from its record alone. After the time in which it should be ready again, it counts
 * as not connected, regardless of its connection.
 */
export function boxReadiness(box: BoxContact, nowMs: number): BoxReadiness {
  const { connection, notReadyUntilMs, lastContactMs } = box;
  if (notReadyUntilMs !== undefined) return nowMs < notReadyUntilMs ? 'not-ready' : 'not-connected';
  if (connection === undefined) return 'unknown';
  if (!connection.open) return 'not-connected';
  return lastContactMs !== undefined && nowMs <= lastContactMs + limits.silentMs ? 'connected' : 'unknown';
}
