import type { IngestBatch } from '../../../../backend/store/port/ingest-store.ts';
import type { Store } from '../../../../backend/store/port/store.ts';
import { parseTopic } from '../../../../protocol/topics.ts';
import type { World } from '../../../../world/world.ts';
import type { CrashPoint } from '../../../language/steps/backend-breaks.ts';
import { withMethod } from './with-method.ts';

/** Disarms a crash point. A second call does nothing. */
type Disarm = () => void;

interface ArmedPoint {
  readonly point: CrashPoint;
  /** Only when this one of several backends comes to the point. */
  readonly of: number | undefined;
  /** `backend`: which of several has come to the point, counted from 1, if known. */
  readonly die: (backend: number | undefined) => void;
}

/**
 * Points in the processing of a frame at which the backend can be made to crash. The backend has no code for
 * this: its ports are wrapped. The points exactly:
 *
 * - `after-receive`: after it has acknowledged a frame of a box to the broker.
 * - `after-commit`: after a transaction with at least one record has committed.
 * - `after-publish`: after the exchange has accepted a message.
 * - `publish-lost`: after a message was handed to the connection, and lost with it.
 * - `before-mark`: before it stores that messages were sent.
 *
 * Each armed crash happens once; several for the same point happen one after the other.
 */
export class CrashPoints {
  readonly #armed: ArmedPoint[] = [];
  readonly #watchers = new Set<{ readonly point: CrashPoint; readonly reached: () => void }>();
  readonly #onAccepted: (taken: () => void) => () => void;
  readonly #loseNext: (lost: () => void) => () => unknown;
  #stopWatching: (() => void) | undefined;

  /**
   * `onAccepted` registers a listener for each message that the exchange accepts; `loseNext` loses the next message
   * with its connection, and then calls back. What both return undoes that.
   */
  constructor(onAccepted: (taken: () => void) => () => void, loseNext: (lost: () => void) => () => unknown) {
    this.#onAccepted = onAccepted;
    this.#loseNext = loseNext;
  }

  /** Calls `die` when the backend next reaches the point; of several that with the number `of`, or any. */
  arm(point: CrashPoint, die: (backend: number | undefined) => void, of?: number): Disarm {
    // The exchange runs them one after the other.
    if (point === 'publish-lost') {
      const takeBack = this.#loseNext(() => die(undefined));
      return () => {
        takeBack();
      };
    }
    const armed = { point, die, of };
    this.#armed.push(armed);
    this.#watchExchange();
    return () => this.#disarm(armed);
  }

  /** Calls `reached` when the backend next reaches the point, without a crash; the returned function cancels it. */
  watch(point: CrashPoint, reached: () => void): () => void {
    const watcher = { point, reached };
    this.#watchers.add(watcher);
    this.#watchExchange();
    return () => {
      this.#watchers.delete(watcher);
      this.#watchExchange();
    };
  }

  /** Listens to the exchange while any wait for an accepted message is active. */
  #watchExchange(): void {
    const isAsked = [...this.#armed, ...this.#watchers].some(({ point }) => point === 'after-publish');
    if (isAsked) this.#stopWatching ??= this.#onAccepted(() => this.#reach('after-publish', undefined));
    else {
      this.#stopWatching?.();
      this.#stopWatching = undefined;
    }
  }

  /** The world of a backend, with the crash points in its MQTT client. */
  wrapWorld<W extends Pick<World, 'mqtt'>>(world: W, backend = 1): W {
    const { mqtt } = world;
    return {
      ...world,
      mqtt: {
        open: (options, events) =>
          mqtt.open(options, {
            closed: (reason) => events.closed(reason),
            message: (topic, payload, retained, acknowledge) =>
              events.message(topic, payload, retained, () => {
                acknowledge();
                // Nearly always nothing waits for it.
                if (this.#armed.length + this.#watchers.size > 0 && parseTopic(topic)?.channel === 'up')
                  this.#reach('after-receive', backend);
              }),
          }),
      },
    };
  }

  /** The store as a backend sees it, with the crash points in it. */
  wrapStore(store: Store, backend = 1): Store {
    const ingest = withMethod(store.ingest, 'commit', async (batch: IngestBatch) => {
      const result = await store.ingest.commit(batch);
      const hasRecords = batch.records.length > 0 && result.stale.length === 0;
      return hasRecords && this.#reach('after-commit', backend) ? never() : result;
    });
    const outbox = withMethod(store.outbox, 'sent', (positions: readonly number[]) =>
      this.#reach('before-mark', backend) ? never() : store.outbox.sent(positions),
    );
    return { ...store, ingest, outbox, close: () => store.close() };
  }

  /** True: it has crashed here. */
  #reach(point: CrashPoint, backend: number | undefined): boolean {
    for (const watcher of [...this.#watchers].filter((one) => one.point === point)) {
      this.#watchers.delete(watcher);
      watcher.reached();
    }
    // The exchange does not know which backend published.
    const armed = this.#armed.find(
      (one) => one.point === point && (one.of === undefined || backend === undefined || one.of === backend),
    );
    if (armed === undefined) return false;
    this.#disarm(armed);
    armed.die(backend);
    return true;
  }

  #disarm(armed: ArmedPoint): void {
    const at = this.#armed.indexOf(armed);
    if (at < 0) return;
    this.#armed.splice(at, 1);
    this.#watchExchange();
  }
}

function never(): Promise<never> {
  return new Promise(() => undefined);
}
