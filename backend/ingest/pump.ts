import type { World } from '../../world/world.ts';
import { backoffMs } from '../backoff.ts';
import type { Counters } from '../counters.ts';
import { limits } from '../limits.ts';
import { StoreFailed } from '../store/store.ts';
import type { Committed, Committer } from './committer.ts';
import type { Intake } from './intake.ts';
import type { Arrival } from './letter.ts';

export interface PumpParts {
  readonly world: Pick<World, 'time' | 'random' | 'log'>;
  readonly intake: Intake;
  readonly commit: Committer;
  readonly counters: Counters;
  /** What follows a durable batch. Must not throw. */
  committed(result: Committed): void;
}

/** Moves arrivals from the intake into commits, one batch at a time. */
export interface Pump {
  /** The last commit failed for the store's sake, and is tried again. */
  isFailing(): boolean;
  /** Something has arrived. */
  wake(): void;
  /** Resolves once nothing waits, or the store fails. Nothing may arrive any more. */
  drain(): Promise<void>;
  /** Nothing begins after this. */
  sever(): void;
}

/**
 * - idle: nothing waits.
 * - lingering: a batch waits a moment for company.
 * - working: a batch is being committed; what arrives meanwhile is the next one.
 * - waiting: the store failed. The batch stays at the head of the queue, which fills until the brake holds.
 */
type State = 'idle' | 'lingering' | 'working' | 'waiting' | 'over';

/** A pump, idle. */
export function makePump(parts: PumpParts): Pump {
  const { world, intake, commit, counters } = parts;
  const chance = world.random.stream('backend/pump');
  let state: State = 'idle';
  let cancelAlarm = (): void => undefined;
  let failures = 0;
  /** Payloads at the head of the queue that go one by one: one of them cannot be processed, and it is not known which. */
  let alone = 0;
  let drained: (() => void) | undefined;

  function schedule(next: 'lingering' | 'waiting', delayMs: number): void {
    state = next;
    cancelAlarm = world.time.alarm(world.time.nowMs() + delayMs, work);
  }

  function work(): void {
    if (state === 'over') return;
    state = 'working';
    const batch = intake.peek(alone > 0 ? 1 : limits.batchPayloads);
    commit(batch).then(
      (result) => {
        if (state === 'over') return;
        failures = 0;
        const [oldest] = batch;
        if (oldest !== undefined)
          counters.observe('commit', (world.time.nowMs() - oldest.receivedMs) / 1_000);
        drop(batch.length);
        parts.committed(result);
        goOn();
      },
      (error: unknown) => {
        if (state !== 'over') failed(error, batch);
      },
    );
  }

  function drop(count: number): void {
    intake.drop(count);
    alone = Math.max(0, alone - count);
  }

  function goOn(): void {
    if (intake.length > 0) schedule('lingering', drained === undefined ? limits.batchLingerMs : 0);
    else {
      state = 'idle';
      drained?.();
    }
  }

  function failed(error: unknown, batch: readonly Arrival[]): void {
    const fields = { error: String(error), payloads: batch.length };
    if (!(error instanceof StoreFailed)) {
      // A fault of ours, which would come again with the same payload; the others must not be lost by it.
      if (batch.length > 1) {
        counters.add('batches.split');
        alone = batch.length;
      } else {
        counters.add('payloads.dropped');
        world.log.error(
          { ...fields, topic: batch[0]?.topic },
          'a payload was dropped: it could not be processed',
        );
        drop(batch.length);
      }
      goOn();
      return;
    }
    counters.add('commits.failed');
    const delayMs = backoffMs(failures, limits.firstBackoffMs, limits.lastStoreBackoffMs, chance.fraction());
    world.log.error({ ...fields, delayMs }, 'the store failed: nothing is receipted until it works again');
    failures += 1;
    // At the end there is no time to wait for the medium: the boxes still have what was not receipted.
    drained?.();
    schedule('waiting', delayMs);
  }

  return {
    isFailing: () => failures > 0,
    wake() {
      if (state === 'idle') schedule('lingering', limits.batchLingerMs);
    },
    drain() {
      return new Promise((resolve) => {
        drained = resolve;
        if (state === 'idle' || state === 'over' || failures > 0) resolve();
        else if (state === 'lingering') {
          cancelAlarm();
          work();
        }
      });
    },
    sever() {
      state = 'over';
      cancelAlarm();
      drained?.();
    },
  };
}
