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
  /** What is logged with each. */
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
  let cancelAlarm = (): void => undefined;
  return {
    later(reason) {
      const delayMs = backoffMs(attempts, limits.firstBackoffMs, limits.lastBackoffMs, chance.fraction());
      attempts += 1;
      counters.add(parts.counter);
      world.log.warn({ reason, delayMs }, parts.complaint);
      cancelAlarm = world.time.alarm(world.time.nowMs() + delayMs, () => parts.open());
    },
    reset() {
      attempts = 0;
    },
    cancel: () => cancelAlarm(),
  };
}
