import { nextDipMs } from './energy/low-voltage.ts';
import { nextSmokeMs } from './equipment/smoke.ts';
import type { VehicleState } from './memory/vehicle-state.ts';
import { nextTowMs } from './surroundings/towing.ts';

/**
 * When something next happens by itself to a vehicle with this state at `nowMs` and wakes a sleeping box;
 * undefined: nothing is planned. Epoch milliseconds. `madeMs`: the origin of the vehicle's seconds;
 * `nextShakeMs`: when its accelerometer next has a new interval, infinite if it has none.
 */
export function nextChangeMs(
  { journey, surroundings, tow, smoke }: VehicleState,
  nowMs: number,
  { madeMs, nextShakeMs }: { readonly madeMs: number; readonly nextShakeMs: number },
): number | undefined {
  const { engine, untilS } = journey.segment;
  const isFed = engine === 'filling' || engine === 'charging';
  // A recorded drive goes on by itself after a pause.
  const goesOn = engine === 'off' && journey.leg !== undefined;
  const ahead = [
    surroundings.brownOutUntilMs,
    surroundings.gapUntilMs,
    surroundings.acquiresUntilMs,
    surroundings.fault?.untilMs ?? 0,
  ];
  const nextMs = Math.min(
    isFed || goesOn ? Math.ceil(madeMs + untilS * 1_000) : Number.POSITIVE_INFINITY,
    ...ahead.filter((ms) => ms > nowMs),
    nextDipMs(surroundings.dips, nowMs),
    nextShakeMs,
    nextTowMs(tow, nowMs),
    nextSmokeMs(smoke, nowMs),
  );
  return Number.isFinite(nextMs) ? nextMs : undefined;
}
