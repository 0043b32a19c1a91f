import type { IngestBatch } from '../../../backend/store/port/ingest-store.ts';
import type { Store } from '../../../backend/store/port/store.ts';
import type { World } from '../../../world/world.ts';

/** Where the backend crashes while it processes a record. */
export const CRASH_POINTS = {
  'after-receive': 'a frame came in, and is not committed',
  'after-commit': 'records are committed, and no receipt went down',
  'after-publish': 'a message is on its way to the exchange, and nothing is known of it',
  'before-mark': 'the exchange has confirmed, and the outbox still has the message',
} as const;

export type CrashPoint = keyof typeof CRASH_POINTS;

/**
 * The same ports, around which the process kills itself with SIGKILL the `after`-th time that it comes to the point.
 * The backend contains no code for it: only its ports differ.
 */
export function withCrashPoint<W extends Pick<World, 'mqtt' | 'amqp'>>(
  point: CrashPoint,
  after: number,
  ports: { readonly world: W; readonly store: Store },
): { readonly world: W; readonly store: Store } {
  const { world, store } = ports;
  let times = 0;
  const reach = (at: CrashPoint): void => {
    if (at !== point) return;
    times += 1;
    if (times === after) process.kill(process.pid, 'SIGKILL');
  };
  const { mqtt, amqp } = world;
  return {
    world: {
      ...world,
      mqtt: {
        open: (options, events) =>
          mqtt.open(options, {
            ...events,
            message: (...message) => {
              reach('after-receive');
              events.message(...message);
            },
            closed: (reason) => events.closed(reason),
          }),
      },
      amqp: amqp && {
        open: async (options, events) => {
          const session = await amqp.open(options, events);
          return withMethod(session, 'publish', (message) => {
            const word = session.publish(message);
            // The bytes are handed to the socket with the next turn.
            setImmediate(() => reach('after-publish'));
            return word;
          });
        },
      },
    },
    store: withMethod(
      withMethod(
        store,
        'ingest',
        withMethod(store.ingest, 'commit', async (batch: IngestBatch) => {
          const result = await store.ingest.commit(batch);
          if (batch.records.length > 0 && result.stale.length === 0) reach('after-commit');
          return result;
        }),
      ),
      'outbox',
      withMethod(store.outbox, 'sent', (positions: readonly number[]) => {
        reach('before-mark');
        return store.outbox.sent(positions);
      }),
    ),
  };
}

/** The same object with another member; its own methods keep their object. */
function withMethod<T extends object, K extends keyof T>(target: T, name: K, member: T[K]): T {
  return new Proxy(target, {
    get(object, key) {
      if (key === name) return member;
      const value: unknown = Reflect.get(object, key);
      return typeof value === 'function' ? value.bind(object) : value;
    },
  });
}
