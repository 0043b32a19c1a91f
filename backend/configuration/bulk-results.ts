import type { World } from '../../world/world.ts';
import type { BulkResult, BulkStore } from '../store/bulk-store.ts';
import { bulkLimits } from './bulk-limits.ts';

/** Writes what came of attempts, many in one commit. */
export interface ResultWriter {
  /** Resolves once it is written; a store that fails is asked again until `end`. Never rejects. */
  write(result: BulkResult): Promise<void>;
  end(): void;
}

export function makeResultWriter(parts: {
  readonly world: Pick<World, 'time' | 'log'>;
  readonly store: Pick<BulkStore, 'finish'>;
}): ResultWriter {
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
        later(bulkLimits.resultLingerMs);
      }),
    end() {
      isEnded = true;
      cancelAlarm?.();
    },
  };
}
