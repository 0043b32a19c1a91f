import { limits } from '../limits.ts';
import type { BoxRecord } from '../store/vehicle-store.ts';

/**
 * Whether a box can take a command now.
 * - `not-ready`: it said that it goes down, or has just come up and not said yet that it is ready.
 * - `unknown`: nothing is known of its connection, or the box was silent on it for so long that it may be gone
 *   without a will (a broker that is killed publishes none); a command is tried.
 */
export type Readiness = 'connected' | 'not-connected' | 'unknown' | 'not-ready';

/** What the readiness of a box is told from. */
export type Heard = Pick<BoxRecord, 'connection' | 'notReadyUntilMs' | 'lastContactMs'>;

/**
 * The readiness of a box at `nowMs`, from its record alone. A box that is past the time until which it might be
 * away or starting counts as not connected, whatever its connection: it has stayed silent for too long.
 */
export function readiness(box: Heard, nowMs: number): Readiness {
  const { connection, notReadyUntilMs, lastContactMs } = box;
  if (notReadyUntilMs !== undefined) return nowMs < notReadyUntilMs ? 'not-ready' : 'not-connected';
  if (connection === undefined) return 'unknown';
  if (!connection.open) return 'not-connected';
  return lastContactMs !== undefined && nowMs <= lastContactMs + limits.silentMs ? 'connected' : 'unknown';
}
