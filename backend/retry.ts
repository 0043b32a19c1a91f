import type { Stream } from '../world/random.ts';
import type { World } from '../world/world.ts';
import { backoffMs } from './backoff.ts';
import type { Counters } from './counters.ts';
import { limits } from './limits.ts';

export interface RetryParts {
  readonly world: Pick<World, 'time' | 'log'>;
  readonly chance: Stream;
  readonly counters: Counters;
  /** Counts the losses: `uplink.lost`. */
  readonly counter: string;
  /** What is logged with a loss; the same reason again is only for who debugs, until it has lasted for long. */
  readonly complaint: string;
  open(): void;
}

/** Opens a connection again some time after it was lost, or could not be opened. */
export interface Retry {
  /** Calls `open` after a wait, longer each time. */
  later(reason: string): void;
  /** A connection stands: the next wait is a short one. */
  reset(): void;
  cancel(): void;
}

/** Waits of `limits.firstBackoffMs` to `limits.lastBackoffMs`. */
export function makeRetry(parts: RetryParts): Retry {
  const { world, chance, counters } = parts;
  let attempts = 0;
  /** When each reason of this outage was told; a cluster has one for each of its nodes. */
  const toldMs = new Map<string, number>();
  let cancelAlarm = (): void => undefined;
  function isNews(reason: string, nowMs: number): boolean {
    const last = toldMs.get(reason);
    if (last !== undefined && nowMs - last < limits.outageToldEveryMs) return false;
    const [oldest] = toldMs.keys();
    if (toldMs.size >= limits.outageReasons && oldest !== undefined) toldMs.delete(oldest);
    toldMs.delete(reason);
    toldMs.set(reason, nowMs);
    return true;
  }

  return {
    later(reason) {
      const delayMs = backoffMs(attempts, limits.firstBackoffMs, limits.lastBackoffMs, chance.fraction());
      attempts += 1;
      counters.add(parts.counter);
      const nowMs = world.time.nowMs();
      if (isNews(reason, nowMs)) world.log.warn({ reason, attempts, delayMs }, parts.complaint);
      else world.log.debug({ reason, attempts, delayMs }, parts.complaint);
      cancelAlarm = world.time.alarm(nowMs + delayMs, () => parts.open());
    },
    reset() {
      attempts = 0;
      toldMs.clear();
    },
    cancel: () => cancelAlarm(),
  };
}
