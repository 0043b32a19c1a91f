import { setTimeout as sleep } from 'node:timers/promises';
import type { AmqpDelivery } from '../../../world/amqp/amqp-consumer.ts';
import { realAmqpConsumer } from '../../../world/amqp/real-amqp-consumer.ts';
import { limits } from './limits.ts';

/** Reads one queue of a cluster, at whichever node has it for reading, and acknowledges what it gets. */
export interface QueueReader {
  /** In the order in which they came. */
  readonly arrivals: readonly Arrival[];
  close(): Promise<void>;
}

export interface Arrival extends AmqpDelivery {
  readonly arrivedMs: number;
}

/**
 * Reads until it is closed. `urls`: of the nodes, with commas between them; a lost session goes on at the next one. `take`
 * is called with each delivery before it is acknowledged.
 */
export function startQueueReader(
  urls: string,
  queue: string,
  take: (delivery: AmqpDelivery) => void = () => undefined,
): QueueReader {
  const nodes = urls.split(',').map((url) => realAmqpConsumer({ url }));
  const arrivals: Arrival[] = [];
  const end = Promise.withResolvers<void>();
  let isOver = false;

  async function readOnce(place: number): Promise<void> {
    const lost = Promise.withResolvers<void>();
    const session = await nodes[place % nodes.length]?.open(
      { connectTimeoutMs: limits.askMs },
      { closed: () => lost.resolve() },
    );
    try {
      await session?.consume(queue, { prefetch: 100 }, (delivery) => {
        take(delivery);
        arrivals.push({ ...delivery, arrivedMs: Date.now() });
        session.ack(delivery);
      });
      await Promise.race([lost.promise, end.promise]);
    } finally {
      await session?.close();
    }
  }

  async function read(): Promise<void> {
    for (let place = 0; !isOver; place += 1) {
      // The node is down, or it has not got the queue yet.
      await readOnce(place).catch(() => undefined);
      if (!isOver) await sleep(limits.readAgainMs);
    }
  }

  const reading = read();
  return {
    arrivals,
    close: () => {
      isOver = true;
      end.resolve();
      return reading;
    },
  };
}
