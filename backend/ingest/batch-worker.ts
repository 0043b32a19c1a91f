import { hasOnlyReports } from '../../protocol/codec/frame.ts';
import type { World } from '../../world/world.ts';
import type { Counters } from '../counters.ts';
import { limits } from '../limits.ts';
import { backoffMs } from '../retry.ts';
import type { OutboxRow } from '../store/port/outbox-store.ts';
import { StoreFailed } from '../store/port/store.ts';
import type { DownlinkFrame } from './batch-result.ts';
import type { ReceivedPayload } from './inbound-message.ts';
import type { InboundQueue } from './inbound-queue.ts';
import type { Trouble } from './troubles.ts';

/** What follows from a batch once it is durable. */
export interface CommittedBatch {
  readonly framesDown: readonly DownlinkFrame[];
  readonly settledRequestIds: readonly string[];
  /** Boxes that are ready for commands now and were not known to be before. */
  readonly readyBoxIds: readonly string[];
  readonly messageCount: number;
  /** The messages' rows in the outbox; undefined: they must be read there. */
  readonly writtenRows: readonly OutboxRow[] | undefined;
  readonly troubles: readonly Trouble[];
}

/** Turns a batch of payloads into one commit. Rejects if the store fails: then nothing of it was written. */
export type CommitBatch = (payloads: readonly ReceivedPayload[]) => Promise<CommittedBatch>;

export interface BatchWorkerParts {
  readonly world: Pick<World, 'time' | 'random' | 'log'>;
  readonly queue: InboundQueue;
  readonly commit: CommitBatch;
  readonly counters: Counters;
  /** How long a batch waits for others that has only reports; absent: as long as any. */
  readonly reportWindowMs?: number;
  /** Called after a durable batch. Must not throw. */
  committed(result: CommittedBatch): void;
}

/** Moves payloads from the inbound queue into commits, one batch at a time. */
export interface BatchWorker {
  /** The last commit failed because of the store, and is retried. */
  isFailing(): boolean;
  /** That payload has arrived. */
  wake(payload: ReceivedPayload): void;
  /** Resolves once the queue is empty, or the store fails. Nothing may arrive any more. */
  drain(): Promise<void>;
  /** Starts nothing after this. */
  sever(): void;
}

/**
 * - idle: nothing waits.
 * - lingering: the batch window is open for further payloads, and shorter once one comes whose sender waits.
 * - working: a batch is being committed; what arrives meanwhile is the next one.
 * - waiting: the store failed. The batch stays at the head of the queue, which fills until acknowledgements
 *   are held back.
 */
type State = 'idle' | 'lingering' | 'working' | 'waiting' | 'over';

/** A batch worker, idle. */
export function makeBatchWorker(parts: BatchWorkerParts): BatchWorker {
  const { world, queue, commit, counters, reportWindowMs = limits.batchWindowMs } = parts;
  const chance = world.random.stream('backend/pump');
  let state: State = 'idle';
  let cancelAlarm = (): void => undefined;
  let failures = 0;
  /**
   * Payloads at the head of the queue to process one by one: one of them fails, and it is not known which.
   */
  let oneByOne = 0;
  let drained: (() => void) | undefined;
  /** When the open window ends. */
  let windowEndsMs = 0;

  function schedule(next: 'lingering' | 'waiting', delayMs: number): void {
    state = next;
    windowEndsMs = world.time.nowMs() + delayMs;
    cancelAlarm = world.time.alarm(windowEndsMs, work);
  }

  /** How long a batch of these waits for others. */
  function windowMs(payloads: readonly ReceivedPayload[]): number {
    if (reportWindowMs === limits.batchWindowMs || queue.length >= limits.batchFullPayloads)
      return limits.batchWindowMs;
    return payloads.every(({ bytes }) => hasOnlyReports(bytes)) ? reportWindowMs : limits.batchWindowMs;
  }

  function work(): void {
    if (state === 'over') return;
    state = 'working';
    const batch = queue.peek(oneByOne > 0 ? 1 : limits.batchPayloads);
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
    queue.removeOldest(count);
    oneByOne = Math.max(0, oneByOne - count);
  }

  function goOn(): void {
    if (queue.length > 0)
      schedule('lingering', drained === undefined ? windowMs(queue.peek(limits.batchFullPayloads)) : 0);
    else {
      state = 'idle';
      drained?.();
    }
  }

  function failed(error: unknown, batch: readonly ReceivedPayload[]): void {
    const fields = { error: String(error), payloads: batch.length };
    if (!(error instanceof StoreFailed)) {
      // A bug, which the same payload would trigger again; the others must not be lost because of it.
      if (batch.length > 1) {
        counters.add('batches.split');
        oneByOne = batch.length;
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
    // When stopping there is no time to wait for the medium: the boxes still have what was not receipted.
    drained?.();
    schedule('waiting', delayMs);
  }

  return {
    isFailing: () => failures > 0,
    wake(payload) {
      if (state !== 'idle' && state !== 'lingering') return;
      const delayMs = windowMs([payload]);
      if (state === 'lingering') {
        if (world.time.nowMs() + delayMs >= windowEndsMs) return;
        cancelAlarm();
      }
      schedule('lingering', delayMs);
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
