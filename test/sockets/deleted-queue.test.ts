import { randomUUID } from 'node:crypto';
import { connect } from 'amqplib';
import { describe, expect, test } from 'vitest';
import { makeCounters } from '../../backend/base/counters.ts';
import { startAmqpConnection } from '../../backend/events/amqp-connection.ts';
import { realAmqpPublisher } from '../../world/amqp/real-amqp-publisher.ts';
import { seededRandom } from '../../world/random/seeded-random.ts';
import { realTime } from '../../world/time/real-time.ts';
import { startEmbeddedAmqp } from '../support/amqp/embedded-amqp-broker.ts';
import { rabbitmq, waitUntil, withService } from '../support/run/external-services.ts';

const silent = () => undefined;
const LOG = { debug: silent, info: silent, warn: silent, error: silent };

/** Deletes a queue of the service at the broker of that URL, and subscribes another one to the same messages. */
async function deleteBesideAnother(url: string): Promise<void> {
  const suffix = randomUUID();
  const queue = { name: `boxtwin-test-deleted-${suffix}`, fleetId: suffix };
  const beside = { name: `boxtwin-test-beside-${suffix}`, fleetId: suffix };
  const counters = makeCounters();
  const operator = await connect(url);
  const channel = await operator.createChannel();
  const connection = startAmqpConnection({
    world: { time: realTime(), random: seededRandom(1), log: LOG },
    amqp: realAmqpPublisher({ url }),
    queues: [queue, beside],
    counters,
    opened: silent,
  });
  try {
    await waitUntil(() => connection.condition() === 'open');
    await channel.deleteQueue(queue.name);
    connection.added([beside]);
    await waitUntil(() => counters.read()['queues.missing'] === 1);
    await waitUntil(async () => (await depthOf(url, queue.name)) === 0);
    channel.publish('service.events', `${suffix}.VehicleStateReceived`, Buffer.from('{}'));
    await waitUntil(async () => (await depthOf(url, queue.name)) === 1);
    expect(await depthOf(url, beside.name)).toBe(1);
  } finally {
    await connection.stop();
    for (const { name } of [queue, beside]) await channel.deleteQueue(name);
    await operator.close();
  }
}

/** How many messages lie in a queue; undefined: there is none. */
async function depthOf(url: string, name: string): Promise<number | undefined> {
  const looking = await connect(url);
  try {
    const channel = await looking.createChannel();
    channel.on('error', silent);
    return (await channel.checkQueue(name)).messageCount;
  } catch {
    return undefined;
  } finally {
    await looking.close().catch(silent);
  }
}

describe('a queue that somebody deletes beside another one is declared again, and takes messages', () => {
  test('at the embedded broker', async () => {
    const broker = await startEmbeddedAmqp();
    try {
      await deleteBesideAnother(broker.urlOf('owner'));
    } finally {
      await broker.close();
    }
  });
});

await withService(rabbitmq, ({ url }) => {
  test(
    'a queue that somebody deletes beside another one at RabbitMQ is declared again',
    () => deleteBesideAnother(url),
    30_000,
  );
});
