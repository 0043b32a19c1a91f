import { hasOnlyReports } from '../../protocol/codec/frame.ts';
import type { Stream } from '../../world/random/random.ts';
import type { World } from '../../world/world.ts';
import type { Counters } from '../base/counters.ts';
import { limits } from '../base/limits.ts';
import { backoffMs } from '../base/retry.ts';
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
  /** How long a batch of reports alone waits for further messages; absent: as long as any other batch. */
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
  return new QueueBatchWorker(parts);
}

class QueueBatchWorker implements BatchWorker {
  readonly #parts: BatchWorkerParts;
  readonly #world: BatchWorkerParts['world'];
  readonly #queue: BatchWorkerParts['queue'];
  readonly #commit: BatchWorkerParts['commit'];
  readonly #counters: BatchWorkerParts['counters'];
  readonly #reportWindowMs: NonNullable<BatchWorkerParts['reportWindowMs']>;
  readonly #chance: Stream;
  #state: State = 'idle';
  #cancelAlarm = (): void => undefined;
  #failures = 0;
  /**
   * Payloads at the head of the queue to process one by one: one of them fails, and it is not known which.
   */
  #oneByOne = 0;
  #drained: (() => void) | undefined;
  /** When the open window ends. */
  #windowEndsMs = 0;

  constructor(parts: BatchWorkerParts) {
    this.#parts = parts;
    this.#world = parts.world;
    this.#queue = parts.queue;
    this.#commit = parts.commit;
    this.#counters = parts.counters;
    this.#reportWindowMs = parts.reportWindowMs ?? limits.batchWindowMs;
    this.#chance = this.#world.random.stream('backend/pump');
  }

  isFailing(): boolean {
    return this.#failures > 0;
  }

  wake(payload: ReceivedPayload): void {
    if (this.#state !== 'idle' && this.#state !== 'lingering') return;
    const delayMs = this.#windowMs([payload]);
    if (this.#state === 'lingering') {
      if (this.#world.time.nowMs() + delayMs >= this.#windowEndsMs) return;
      this.#cancelAlarm();
    }
    this.#schedule('lingering', delayMs);
  }

  drain(): Promise<void> {
    return new Promise((resolve) => {
      this.#drained = resolve;
      if (this.#state === 'idle' || this.#state === 'over' || this.#failures > 0) resolve();
      else if (this.#state === 'lingering') {
        this.#cancelAlarm();
        this.#work();
      }
    });
  }

  sever(): void {
    this.#state = 'over';
    this.#cancelAlarm();
    this.#drained?.();
  }

  #schedule(next: 'lingering' | 'waiting', delayMs: number): void {
    this.#state = next;
    this.#windowEndsMs = this.#world.time.nowMs() + delayMs;
    this.#cancelAlarm = this.#world.time.alarm(this.#windowEndsMs, () => this.#work());
  }

  /** How long a batch of these waits for others. */
  #windowMs(payloads: readonly ReceivedPayload[]): number {
    if (this.#reportWindowMs === limits.batchWindowMs || this.#queue.length >= limits.batchFullPayloads)
      return limits.batchWindowMs;
    return payloads.every(({ bytes }) => hasOnlyReports(bytes)) ? this.#reportWindowMs : limits.batchWindowMs;
  }

  #work(): void {
    if (this.#state === 'over') return;
    this.#state = 'working';
    const batch = this.#queue.peek(this.#oneByOne > 0 ? 1 : limits.batchPayloads);
    this.#commit(batch).then(
      (result) => {
        if (this.#state === 'over') return;
        this.#failures = 0;
        const [oldest] = batch;
        if (oldest !== undefined)
          this.#counters.observe('commit', (this.#world.time.nowMs() - oldest.receivedMs) / 1_000);
        this.#drop(batch.length);
        this.#parts.committed(result);
        this.#goOn();
      },
      (error: unknown) => {
        if (this.#state !== 'over') this.#failed(error, batch);
      },
    );
  }

  #drop(count: number): void {
    this.#queue.removeOldest(count);
    this.#oneByOne = Math.max(0, this.#oneByOne - count);
  }

  #goOn(): void {
    if (this.#queue.length > 0)
      this.#schedule(
        'lingering',
        this.#drained === undefined ? this.#windowMs(this.#queue.peek(limits.batchFullPayloads)) : 0,
      );
    else {
      this.#state = 'idle';
      this.#drained?.();
    }
  }

  #failed(error: unknown, batch: readonly ReceivedPayload[]): void {
    const fields = { error: String(error), payloads: batch.length };
    if (!(error instanceof StoreFailed)) {
      // A bug, which the same payload would trigger again; the others must not be lost because of it.
      if (batch.length > 1) {
        this.#counters.add('batches.split');
        this.#oneByOne = batch.length;
      } else {
        this.#counters.add('payloads.dropped');
        this.#world.log.error(
          { ...fields, topic: batch[0]?.topic },
          'a payload was dropped: it could not be processed',
        );
        this.#drop(batch.length);
      }
      this.#goOn();
      return;
    }
    this.#counters.add('commits.failed');
    const delayMs = backoffMs(
      this.#failures,
      limits.firstBackoffMs,
      limits.lastStoreBackoffMs,
      this.#chance.fraction(),
    );
    this.#world.log.error(
      { ...fields, delayMs },
      'the store failed: nothing is receipted until it works again',
    );
    this.#failures += 1;
    // When stopping there is no time to wait for the medium: the boxes still have what was not receipted.
    this.#drained?.();
    this.#schedule('waiting', delayMs);
  }
}
