import { limits } from '../limits.ts';
import type { BoxRecord, CardAct } from '../store/vehicle-store.ts';
import { withLife } from './life-status.ts';

/**
 * The record of a box whose card its provider has made that at `atMs`. A card that is suspended or detached ends the
 * connection that stood when its provider was asked (`connection`: its counter), though the box's will may come much
 * later; where another one stands by now, the box has come back already. A detached box registers again by itself.
 */
export function afterCardAct(
  box: BoxRecord,
  { made, connection }: Pick<CardAct, 'made' | 'connection'>,
  atMs: number,
): BoxRecord {
  const { simSuspendedMs, ...rest } = box;
  if (made === 'active') return withLife(box, rest, atMs);
  const isSame = box.connection?.open === true && box.connection.counter === connection;
  const after: BoxRecord = {
    ...rest,
    ...(isSame ? { connection: { counter: connection, open: false } } : {}),
    ...(isSame ? { notReadyUntilMs: made === 'detached' ? atMs + limits.notReadyMs : undefined } : {}),
    ...(made === 'suspended' ? { simSuspendedMs: simSuspendedMs ?? atMs } : {}),
    ...(made === 'detached' && simSuspendedMs !== undefined ? { simSuspendedMs } : {}),
  };
  return withLife(box, after, atMs);
}
