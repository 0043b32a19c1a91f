import type { Stream } from '../../world/random/random.ts';
import type { World } from '../../world/world.ts';
import type { Counters } from './counters.ts';
import { limits } from './limits.ts';

export interface RetryParts {
  readonly world: Pick<World, 'time' | 'log'>;
  readonly chance: Stream;
  readonly counters: Counters;
  /** Counts the losses: `uplink.lost`. */
  readonly counter: string;
  /**
   * Logged with a loss; the same reason again is logged at debug level only, until it has lasted for long.
   */
  readonly warning: string;
  open(): void;
}

/** Reopens a connection some time after it was lost or could not be opened. */
export interface Retry {
  /** Calls `open` after a wait, longer each time. */
  schedule(reason: string): void;
  /** A connection is open: the next wait is short again. */
  reset(): void;
  cancel(): void;
}

/** Waits of `limits.firstBackoffMs` to `limits.lastBackoffMs`. */
export function makeRetry(parts: RetryParts): Retry {
  const { world, chance, counters } = parts;
  let attempts = 0;
  /** When each reason of this outage was logged; a cluster has one for each of its nodes. */
  const loggedMs = new Map<string, number>();
  let cancelAlarm = (): void => undefined;
  function isNews(reason: string, nowMs: number): boolean {
    const last = loggedMs.get(reason);
    if (last !== undefined && nowMs - last < limits.outageLogIntervalMs) return false;
    const [oldest] = loggedMs.keys();
    if (loggedMs.size >= limits.outageReasons && oldest !== undefined) loggedMs.delete(oldest);
    loggedMs.delete(reason);
    loggedMs.set(reason, nowMs);
    return true;
  }

  return {
    schedule(reason) {
      const delayMs = backoffMs(attempts, limits.firstBackoffMs, limits.lastBackoffMs, chance.fraction());
      attempts += 1;
      counters.add(parts.counter);
      const nowMs = world.time.nowMs();
      if (isNews(reason, nowMs)) world.log.warn({ reason, attempts, delayMs }, parts.warning);
      else world.log.debug({ reason, attempts, delayMs }, parts.warning);
      cancelAlarm = world.time.alarm(nowMs + delayMs, () => parts.open());
    },
    reset() {
      attempts = 0;
      loggedMs.clear();
    },
    cancel: () => cancelAlarm(),
  };
}

/**
 * How long to wait before attempt number `attempt` (0 for the first repetition): doubled each time from
 * `firstMs` to at most `lastMs`; `fraction` (random, 0 to 1) scales the second half of it, so that clients
 * that lost the same peer do not all reconnect at the same moment.
 */
export function backoffMs(attempt: number, firstMs: number, lastMs: number, fraction: number): number {
  let fullMs = firstMs;
  for (let step = 0; step < attempt && fullMs < lastMs; step += 1) fullMs *= 2;
  fullMs = Math.min(fullMs, lastMs);
  return Math.round(fullMs / 2 + (fullMs / 2) * fraction);
}
