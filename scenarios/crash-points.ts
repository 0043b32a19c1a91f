import type { IngestBatch } from '../backend/store/ingest-store.ts';
import type { Store } from '../backend/store/store.ts';
import { parseTopic } from '../protocol/topics.ts';
import type { World } from '../world/world.ts';
import type { CrashPoint } from './language/breaks.ts';

/** Takes back what was armed. Calling it twice does nothing. */
type Disarm = () => void;

interface Armed {
  readonly point: CrashPoint;
  readonly die: () => void;
}

/**
 * Points on the way of a frame at which the backend can be made to die. Nothing of it stands in the backend: it sees
 * ports, and dies. Where exactly:
 *
 * - `after-receive`: in the moment in which it has acknowledged a frame of a box to the broker.
 * - `after-commit`: in the moment in which the transaction with at least one record is through.
 * - `after-publish`: in the moment in which the exchange has taken a message over.
 * - `before-mark`: in the moment in which it would write down that messages were sent.
 *
 * Each that is armed acts once, and several that are armed for one point act one after the other.
 */
export class CrashPoints {
  readonly #armed: Armed[] = [];
  readonly #whenTaken: (taken: () => void) => () => void;
  #endWatch: (() => void) | undefined;

  /** `whenTaken` calls what it is given each time that the exchange has taken a message over. */
  constructor(whenTaken: (taken: () => void) => () => void) {
    this.#whenTaken = whenTaken;
  }

  /** Has `die` called when the backend next comes to that point. */
  arm(point: CrashPoint, die: () => void): Disarm {
    const armed = { point, die };
    this.#armed.push(armed);
    if (point === 'after-publish') this.#endWatch ??= this.#whenTaken(() => this.#reach('after-publish'));
    return () => this.#disarm(armed);
  }

  /** The same world, with the points on its link. */
  world<W extends Pick<World, 'link'>>(world: W): W {
    const { link } = world;
    return {
      ...world,
      link: {
        open: (options, events) =>
          link.open(options, {
            closed: (reason) => events.closed(reason),
            message: (topic, payload, retained, acknowledge) =>
              events.message(topic, payload, retained, () => {
                acknowledge();
                // Nearly always nothing is armed.
                if (this.#armed.length > 0 && parseTopic(topic)?.channel === 'up')
                  this.#reach('after-receive');
              }),
          }),
      },
    };
  }

  /** The same store, with the points in it. */
  store(store: Store): Store {
    const ingest = withMethod(store.ingest, 'commit', async (batch: IngestBatch) => {
      const result = await store.ingest.commit(batch);
      const hasRecords = batch.records.length > 0 && result.stale.length === 0;
      return hasRecords && this.#reach('after-commit') ? never() : result;
    });
    const outbox = withMethod(store.outbox, 'sent', (positions: readonly number[]) =>
      this.#reach('before-mark') ? never() : store.outbox.sent(positions),
    );
    return { ...store, ingest, outbox, close: () => store.close() };
  }

  /** True: it has died here. */
  #reach(point: CrashPoint): boolean {
    const armed = this.#armed.find((one) => one.point === point);
    if (armed === undefined) return false;
    this.#disarm(armed);
    armed.die();
    return true;
  }

  #disarm(armed: Armed): void {
    const at = this.#armed.indexOf(armed);
    if (at < 0) return;
    this.#armed.splice(at, 1);
    if (this.#armed.some(({ point }) => point === 'after-publish')) return;
    this.#endWatch?.();
    this.#endWatch = undefined;
  }
}

function never(): Promise<never> {
  return new Promise(() => undefined);
}

/** The same object with another member; its own methods keep their object. */
function withMethod<T extends object, K extends keyof T>(target: T, name: K, member: T[K]): T {
  // Each is bound once: they are asked for with every record.
  const bound = new Map<string | symbol, unknown>([[name as string, member]]);
  return new Proxy(target, {
    get(object, key) {
      if (bound.has(key)) return bound.get(key);
      const value: unknown = Reflect.get(object, key);
      if (typeof value !== 'function') return value;
      const own: unknown = value.bind(object);
      bound.set(key, own);
      return own;
    },
  });
}
