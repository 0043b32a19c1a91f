import type { Channel, ChannelModel, ConfirmChannel, GetMessage } from 'amqplib';
import { connect } from 'amqplib';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { waitUntil } from '../support/run/external-services.ts';
import { type AmqpBrokerFixture, ownPrefix } from './amqp-consumer-contract.ts';

/** What a quorum queue does beyond a classic one, by amqplib. */
export function quorumContract(name: string, open: () => Promise<AmqpBrokerFixture>): void {
  describe(`${name}: quorum queues`, () => {
    let fixture: AmqpBrokerFixture;
    let connection: ChannelModel;
    let channel: ConfirmChannel;
    let queue: string;
    let dead: string;

    beforeAll(async () => {
      fixture = await open();
    });
    afterAll(() => fixture.close());
    beforeEach(async () => {
      connection = await connect(fixture.url, { noDelay: true });
      connection.on('error', () => undefined);
      channel = await connection.createConfirmChannel();
      queue = `${ownPrefix()}quorum`;
      dead = (await channel.assertQueue(`${queue}-dead`, { exclusive: true })).queue;
    });
    afterEach(async () => {
      const cleaner = await connect(fixture.url, { noDelay: true });
      await (await cleaner.createChannel()).deleteQueue(queue);
      await cleaner.close();
      await connection.close().catch(() => undefined);
    });

    const declare = (more: Readonly<Record<string, unknown>> = {}) =>
      channel.assertQueue(queue, {
        durable: true,
        deadLetterExchange: '',
        deadLetterRoutingKey: dead,
        arguments: { 'x-queue-type': 'quorum', ...more },
      });
    const publish = async (body: string, headers: Readonly<Record<string, unknown>> = {}) => {
      channel.sendToQueue(queue, Buffer.from(body), { headers });
      await channel.waitForConfirms();
    };
    /** A returned message is ready again after a moment. */
    async function take(by: Channel, from = queue): Promise<GetMessage> {
      let taken: GetMessage | false = false;
      await waitUntil(async () => {
        taken = await by.get(from);
        return taken !== false;
      });
      return taken as unknown as GetMessage;
    }
    const shown = ({ fields, properties }: GetMessage) => [fields.redelivered, properties.headers];

    test('basic.get says in x-delivery-count how often a message was delivered before, the first time too', async () => {
      await declare();
      await publish('x', { mine: 'stays', 'x-delivery-count': 7 });
      for (const count of [0, 1, 2, 3]) {
        const message = await take(channel);
        expect(shown(message)).toEqual([count > 0, { mine: 'stays', 'x-delivery-count': count }]);
        channel.nack(message);
      }
    });

    test('a consumer receives the header with each repetition, without headers of the publisher too', async () => {
      await declare();
      channel.sendToQueue(queue, Buffer.from('x'));
      await channel.waitForConfirms();
      const headers: unknown[] = [];
      await channel.consume(queue, (message) => {
        if (message === null) return;
        headers.push(message.properties.headers);
        if (headers.length < 3) channel.nack(message);
        else channel.ack(message);
      });
      await waitUntil(() => headers.length === 3);
      expect(headers).toEqual([{}, { 'x-delivery-count': 1 }, { 'x-delivery-count': 2 }]);
    });

    test.each([
      ['by basic.nack', (message: GetMessage) => Promise.resolve(channel.nack(message))],
      ['by basic.reject', (message: GetMessage) => Promise.resolve(channel.reject(message))],
      ['by basic.recover', () => channel.recover()],
      [
        'by the end of its channel',
        async () => {
          await channel.close();
          channel = await connection.createConfirmChannel();
        },
      ],
    ])(
      'a message that comes back more often than x-delivery-limit is dead-lettered: %s',
      async (_, giveBack) => {
        await declare({ 'x-delivery-limit': 2 });
        await publish('poison');
        for (let delivery = 0; delivery < 3; delivery++) await giveBack(await take(channel));
        const letter = await take(channel, dead);
        const { headers = {} } = letter.properties;
        expect(letter.content.toString()).toBe('poison');
        expect(headers['x-first-death-reason']).toBe('delivery_limit');
        expect(headers).not.toHaveProperty('x-delivery-count');
        expect(await channel.get(queue)).toBe(false);
      },
    );

    test('x-delivery-limit may be a number that is not whole', async () => {
      await declare({ 'x-delivery-limit': 1.5 });
      await publish('poison');
      for (let delivery = 0; delivery < 2; delivery++) channel.nack(await take(channel));
      const letter = await take(channel, dead);
      expect(letter.properties.headers?.['x-first-death-reason']).toBe('delivery_limit');
      expect(await channel.get(queue)).toBe(false);
    });

    test('x-delivery-limit that is not a number limits nothing', async () => {
      await declare({ 'x-delivery-limit': '1' });
      await publish('poison');
      for (let delivery = 0; delivery < 5; delivery++) channel.nack(await take(channel));
      expect((await take(channel)).content.toString()).toBe('poison');
    });

    test('two declarations must agree in x-delivery-limit', async () => {
      await declare({ 'x-delivery-limit': 2 });
      const other = await connection.createChannel();
      other.on('error', () => undefined);
      const arguments_ = { 'x-queue-type': 'quorum', 'x-delivery-limit': 3 };
      await expect(
        other.assertQueue(queue, {
          durable: true,
          deadLetterExchange: '',
          deadLetterRoutingKey: dead,
          arguments: arguments_,
        }),
      ).rejects.toThrow(
        `inequivalent arg 'x-delivery-limit' for queue '${queue}' in vhost '/': received '3' but current is '2'`,
      );
    });

    test('a consumer of a channel with a global prefetch is refused with 540', async () => {
      await declare();
      const errors: string[] = [];
      connection.on('error', (error: Error) => errors.push(error.message));
      await channel.prefetch(5, true);
      await expect(channel.consume(queue, () => undefined)).rejects.toThrow();
      expect(errors).toEqual([
        expect.stringContaining(
          `540 (NOT-IMPLEMENTED) with message "NOT_IMPLEMENTED - queue '${queue}' in vhost '/' does not support global qos"`,
        ),
      ]);
    });

    test('a global prefetch of 0, one that was taken back, and one that follows are accepted', async () => {
      await declare();
      await channel.prefetch(5, true);
      await channel.prefetch(0, true);
      await channel.consume(queue, () => undefined);
      await channel.prefetch(5, true);
    });
  });
}
