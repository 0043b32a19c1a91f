import type { QuotaAllotment, QuotaWish } from '../port/quota-store.ts';

/** How much of a quota may be given out and lie unused: so much of it may be left when a call is refused. */
const UNUSED_FRACTION = 0.1;

/** What of a client's quota was given out. Times are those of the store's clock, in milliseconds since 1970. */
export interface QuotaWindow {
  readonly endsMs: number;
  /** Calls that were given out. */
  readonly granted: number;
  /** Of them those that are known to be used. */
  readonly used: number;
}

/**
 * Gives calls out. Never more than the limit in a window. Beyond what waits, a backend gets half of what may still lie
 * unused: so one that is alone asks for a block now and then, several each get some, and a call is refused only once at
 * most a tenth of the limit is given out and not used. Total. `before`: undefined if nothing is known of the client.
 */
export function allot(
  before: QuotaWindow | undefined,
  { limit, windowMs, wanted, spent }: QuotaWish,
  nowMs: number,
): { readonly window: QuotaWindow; readonly allotment: QuotaAllotment } {
  // One that ends later than any can was written before the clock was set back.
  const isOver = before === undefined || before.endsMs <= nowMs || before.endsMs > nowMs + windowMs;
  const current = isOver ? { endsMs: nowMs + windowMs, granted: 0, used: 0 } : before;
  const told = spent?.endsMs === current.endsMs ? spent.calls : 0;
  const used = Math.min(current.granted, current.used + told);
  const unused = current.granted - used;
  const spare = Math.floor((limit * UNUSED_FRACTION - unused) / 2);
  const calls = Math.max(0, Math.min(limit - current.granted, Math.max(wanted, spare)));
  const { endsMs } = current;
  const granted = current.granted + calls;
  return {
    window: { endsMs, granted, used },
    allotment: { calls, left: Math.max(0, limit - granted), endsMs, remainingMs: endsMs - nowMs },
  };
}
