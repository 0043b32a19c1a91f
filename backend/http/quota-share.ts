import type { QuotaAllotment, QuotaWish } from '../store/port/quota-store.ts';

/** A backend's share of a client's quota, which it may use without asking the store. */
export interface QuotaShare {
  /** The window's end by the store's clock: its name. */
  readonly endsMs: number;
  /** The window's end by the own clock. */
  readonly resetMs: number;
  /** Calls that may be allowed. */
  readonly calls: number;
  /** Calls that were allowed and not yet reported to the store. */
  readonly spent: number;
  /** Unassigned calls when the store was last asked. */
  readonly left: number;
}

/** `ask`: the store has to be asked first. `over`: the client has used its quota. */
export type QuotaVerdict = 'allowed' | 'over' | 'ask';

/** Allows one call, if possible. Total. `before`: undefined if nothing is known. */
export function useOne(
  before: QuotaShare | undefined,
  nowMs: number,
): { readonly share: QuotaShare | undefined; readonly verdict: QuotaVerdict } {
  if (before === undefined || before.resetMs <= nowMs) return { share: undefined, verdict: 'ask' };
  if (before.calls > 0)
    return { share: { ...before, calls: before.calls - 1, spent: before.spent + 1 }, verdict: 'allowed' };
  return { share: before, verdict: before.left > 0 ? 'ask' : 'over' };
}

/**
 * What to report to the store with the next question, and the share after it. It is reported once, whether or not the
 * store answers: a second report would count as used twice, and too much would be given out. Total.
 */
export function tellSpent(before: QuotaShare | undefined): {
  readonly share: QuotaShare | undefined;
  readonly spent: QuotaWish['spent'];
} {
  if (before === undefined || before.spent === 0) return { share: before, spent: undefined };
  const { endsMs, spent } = before;
  return { share: { ...before, spent: 0 }, spent: { endsMs, calls: spent } };
}

/**
 * After the store was asked at `askedMs`, by the own clock: a slow answer ends the window too early rather than too
 * late. Total.
 */
export function afterAnswer(
  before: QuotaShare | undefined,
  { calls, left, endsMs, remainingMs }: QuotaAllotment,
  askedMs: number,
): QuotaShare {
  const isSame = before?.endsMs === endsMs;
  return {
    endsMs,
    resetMs: isSame ? Math.min(before.resetMs, askedMs + remainingMs) : askedMs + remainingMs,
    calls: calls + (isSame ? before.calls : 0),
    spent: isSame ? before.spent : 0,
    left,
  };
}
