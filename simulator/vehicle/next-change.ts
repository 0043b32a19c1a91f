import type { Held } from './held.ts';
import { nextDipMs } from './low-voltage.ts';
import { nextSmokeMs } from './smoke.ts';
import { nextTowMs } from './towing.ts';

/**
 * When something next happens by itself to a vehicle that held that at `nowMs`, and wakes a sleeping box; undefined:
 * nothing is planned. Epoch milliseconds. `madeMs`: when its seconds began; `nextShakeMs`: when its accelerometer next
 * has something to say, infinite where it has not.
 */
export function nextChangeMs(
  { journey, site, tow, smoke }: Held,
  nowMs: number,
  { madeMs, nextShakeMs }: { readonly madeMs: number; readonly nextShakeMs: number },
): number | undefined {
  const { engine, untilS } = journey.stretch;
  const isFed = engine === 'filling' || engine === 'charging';
  const ahead = [site.brownOutUntilMs, site.gapUntilMs, site.acquiresUntilMs, site.fault?.untilMs ?? 0];
  const nextMs = Math.min(
    isFed ? Math.ceil(madeMs + untilS * 1_000) : Number.POSITIVE_INFINITY,
    ...ahead.filter((ms) => ms > nowMs),
    nextDipMs(site.dips, nowMs),
    nextShakeMs,
    nextTowMs(tow, nowMs),
    nextSmokeMs(smoke, nowMs),
  );
  return Number.isFinite(nextMs) ? nextMs : undefined;
}
