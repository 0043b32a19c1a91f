import type { SimulatedVehicle } from '../../../judge/evidence/simulated-vehicle.ts';
import { runTimeText } from '../time-text.ts';
import { causeBefore } from './change-cause.ts';
import { type ChangeContext, changeOf, type KnownChange } from './change-time.ts';
import type { LookedAt } from './looked-at.ts';

/**
 * When the compared value last changed, and the last event of the vehicle before that which could have changed it,
 * for the text of a failure: `so since 0:00:12.500, after drive at 0:00:12.500`. Undefined if unknown.
 */
export function lastChangeText(
  looked: LookedAt,
  vehicle: SimulatedVehicle,
  context: ChangeContext,
): string | undefined {
  const { startMs, atMs, facts } = context;
  const { of, toldMs } = looked;
  const time = (ms: number): string => runTimeText(ms - startMs);
  const known = changeOf(looked, vehicle, context);
  const told = of === 'state' && toldMs !== undefined ? [`told ${time(toldMs)}`] : [];
  const parts = [...told, ...(known === undefined ? [] : sinceOf(known))];
  return parts.length === 0 ? undefined : parts.join(', ');

  function sinceOf({ change, slackMs }: KnownChange): readonly string[] {
    if (change === 'beginning') return ['so since the beginning'];
    if ('beforeMs' in change) return [`last changed more than ${spanText(atMs - change.beforeMs)} before`];
    const { sinceMs } = change;
    const cause = causeBefore(facts, looked, vehicle.number, sinceMs + slackMs);
    // If only the second is known, it was not before a more precise time.
    const firstMs = Math.max(sinceMs, Math.min(cause?.atMs ?? sinceMs, sinceMs + slackMs));
    return [
      `${looked.isOfRecord === true ? 'the record changed last' : 'so since'} ${time(firstMs)}`,
      cause === undefined ? 'by itself' : `after ${cause.text} at ${time(cause.atMs)}`,
    ];
  }
}

function spanText(ms: number): string {
  return ms < 60_000 ? `${Math.floor(ms / 1_000)} s` : `${Math.floor(ms / 60_000)} min`;
}
