import type { BoxRecord } from '../store/store.ts';

/**
 * Whether a box can take a command now.
 * - `not-ready`: it said that it goes down, or has just come up and not said yet that it is ready.
 * - `unknown`: nothing is known of its connection; a command is tried.
 */
export type Readiness = 'connected' | 'not-connected' | 'unknown' | 'not-ready';

/**
 * The readiness of a box at `nowMs`, from its record alone. A box that is past the time until which it might be
 * away or starting counts as not connected, whatever its connection: it has stayed silent for too long.
 */
export function readiness(box: Pick<BoxRecord, 'connection' | 'notReadyUntilMs'>, nowMs: number): Readiness {
  if (box.notReadyUntilMs !== undefined) return nowMs < box.notReadyUntilMs ? 'not-ready' : 'not-connected';
  if (box.connection === undefined) return 'unknown';
  return box.connection.open ? 'connected' : 'not-connected';
}
