import type { Time } from '../../world/time/time.ts';

/** The state of a key after a call was counted. */
export interface CallCount {
  readonly limit: number;
  /** Calls that are left until `resetMs`. */
  readonly remaining: number;
  /** Epoch milliseconds at which a new window begins. */
  readonly resetMs: number;
  /** This call exceeds the limit. */
  readonly isOver: boolean;
}

/**
 * Counts calls by key (a client, an address) in windows of one length, each beginning with a key's first
 * call.
 */
export interface CallWindow {
  count(key: string): CallCount;
  /** Takes one counted call back. */
  giveBack(key: string): void;
}

/**
 * A window of `limit` calls in `windowMs`. At most `keys` are counted at once; beyond it the key with the
 * oldest window is dropped, so that memory is bounded whatever is sent.
 */
export function makeCallWindow(
  bounds: { readonly limit: number; readonly windowMs: number; readonly keys: number },
  time: Pick<Time, 'nowMs'>,
): CallWindow {
  const { limit, windowMs, keys } = bounds;
  // A map iterates in insertion order, which here is the order of the windows' ends.
  const windows = new Map<string, { count: number; readonly resetMs: number }>();
  return {
    count(key) {
      const nowMs = time.nowMs();
      let window = windows.get(key);
      if (window === undefined || window.resetMs <= nowMs) {
        windows.delete(key);
        const oldest = windows.size >= keys ? windows.keys().next() : undefined;
        if (oldest?.done === false) windows.delete(oldest.value);
        window = { count: 0, resetMs: nowMs + windowMs };
        windows.set(key, window);
      }
      const isOver = window.count >= limit;
      if (!isOver) window.count += 1;
      return { limit, remaining: limit - window.count, resetMs: window.resetMs, isOver };
    },
    giveBack(key) {
      const window = windows.get(key);
      if (window !== undefined && window.count > 0) window.count -= 1;
    },
  };
}

/** Whole seconds until a new window begins, at least 1: the value of Retry-After. */
export function retryAfterS(counted: CallCount, nowMs: number): number {
  return Math.max(1, Math.ceil((counted.resetMs - nowMs) / 1000));
}
