import type { World } from '../../world/world.ts';
import { bulkLimits } from '../base/limits.ts';
import type { BulkResult, BulkStore } from '../store/port/bulk-store.ts';

/** Writes the results of attempts, many in one commit. */
export interface BulkResultWriter {
  /** Resolves once it is written; retries a store that fails until `end`. Never rejects. */
  write(result: BulkResult): Promise<void>;
  end(): void;
}

export function makeBulkResultWriter(parts: {
  readonly world: Pick<World, 'time' | 'log'>;
  readonly store: Pick<BulkStore, 'finish'>;
}): BulkResultWriter {
  const { world, store } = parts;
  let waiting: { readonly result: BulkResult; readonly written: () => void }[] = [];
  let cancelAlarm: (() => void) | undefined;
  let isEnded = false;

  function later(delayMs: number): void {
    if (isEnded) return;
    cancelAlarm ??= world.time.alarm(world.time.nowMs() + delayMs, () => void flush());
  }

  async function flush(): Promise<void> {
    cancelAlarm = undefined;
    const group = waiting;
    waiting = [];
    try {
      await store.finish(
        group.map(({ result }) => result),
        world.time.nowMs(),
      );
    } catch (error) {
      world.log.warn({ error: String(error) }, 'results of bulk attempts cannot be written');
      waiting = [...group, ...waiting];
      later(bulkLimits.retryMs);
      return;
    }
    for (const { written } of group) written();
  }

  return {
    write: (result) =>
      new Promise((resolve) => {
        waiting.push({ result, written: resolve });
        later(bulkLimits.resultWindowMs);
      }),
    end() {
      isEnded = true;
      cancelAlarm?.();
    },
  };
}
