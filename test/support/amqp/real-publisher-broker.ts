import { randomUUID } from 'node:crypto';
import { type ChannelModel, connect, type GetMessage } from 'amqplib';
import { realAmqpPublisher } from '../../../world/amqp/real-amqp-publisher.ts';
import type { AmqpPublisherFixture, DrainedMessage } from '../../contracts/amqp-publisher-contract.ts';
import { waitUntil } from '../run/external-services.ts';
import { freePort } from '../run/free-port.ts';

/** A fixture over a broker at `url`, with a consumer that is amqplib's and not ours. */
export async function realPublisherBroker(url: string): Promise<AmqpPublisherFixture> {
  const consumer = await connect(url);
  const suffix = randomUUID();
  const names = new Set<string>();
  const wrong = new URL(url);
  wrong.password = 'wrong';
  return {
    amqp: realAmqpPublisher({ url }),
    unreachableAmqp: realAmqpPublisher({ url: `amqp://guest:guest@127.0.0.1:${await freePort()}` }),
    wrongPassword: realAmqpPublisher({ url: wrong.href }),
    name(base) {
      const name = `boxtwin-test-${base}-${suffix}`;
      names.add(name);
      return name;
    },
    drain: (queue) => drain(consumer, queue),
    until: waitUntil,
    async settle() {
      // Several round trips: everything the broker had to send before them has arrived.
      for (let round = 0; round < 5; round++) await (await consumer.createChannel()).close();
    },
    async close() {
      const channel = await consumer.createChannel();
      // Deleting what does not exist does nothing on RabbitMQ.
      for (const name of names) await channel.deleteExchange(name);
      await consumer.close();
    },
  };
}

async function drain(consumer: ChannelModel, queue: string): Promise<readonly DrainedMessage[]> {
  const channel = await consumer.createChannel();
  const drained: DrainedMessage[] = [];
  for (;;) {
    const message = await channel.get(queue, { noAck: true });
    if (message === false) break;
    drained.push(seen(message));
  }
  await channel.close();
  return drained;
}

function seen({ content, fields, properties }: GetMessage): DrainedMessage {
  const { messageId, type, timestamp, contentType, deliveryMode, headers } = properties;
  return {
    body: Uint8Array.from(content),
    routingKey: fields.routingKey,
    exchange: fields.exchange,
    messageId: text(messageId),
    type: text(type),
    timestampS: typeof timestamp === 'number' ? timestamp : undefined,
    contentType: text(contentType),
    deliveryMode: typeof deliveryMode === 'number' ? deliveryMode : undefined,
    headers: headers ?? {},
  };
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
