import { type Channel, type ChannelModel, type ConsumeMessage, connect } from 'amqplib';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { waitUntil } from '../support/run/external-services.ts';
import { type AmqpBrokerFixture, ownPrefix } from './amqp-consumer-contract.ts';

const numberOf = ({ content }: ConsumeMessage) => Number(content.toString());

/** How messages are delivered, acknowledged and requeued, by amqplib. */
export function consumingContract(name: string, open: () => Promise<AmqpBrokerFixture>): void {
  describe(`${name}: consuming`, () => {
    let fixture: AmqpBrokerFixture;
    let connection: ChannelModel;
    let channel: Channel;
    let queue: string;

    beforeAll(async () => {
      fixture = await open();
    });
    afterAll(() => fixture.close());
    beforeEach(async () => {
      connection = await connect(fixture.url, { noDelay: true });
      connection.on('error', () => undefined);
      channel = await connection.createChannel();
      queue = (await channel.assertQueue(`${ownPrefix()}work`, { exclusive: true })).queue;
    });
    afterEach(() => connection.close());

    /** Messages 0 to count - 1, all ready. */
    async function fill(count: number): Promise<void> {
      const confirming = await connection.createConfirmChannel();
      for (let index = 0; index < count; index++) confirming.sendToQueue(queue, Buffer.from(`${index}`));
      await confirming.waitForConfirms();
      await confirming.close();
    }

    async function consumer(on: Channel, options = {}): Promise<{ seen: ConsumeMessage[]; tag: string }> {
      const seen: ConsumeMessage[] = [];
      const { consumerTag } = await on.consume(
        queue,
        (message) => {
          if (message !== null) seen.push(message);
        },
        options,
      );
      return { seen, tag: consumerTag };
    }

    /** Answered after all earlier deliveries on the channel. */
    const settled = (on: Channel) => on.checkQueue(queue);

    test('in order, each once, and rejected ones with requeue again as redelivered', async () => {
      await fill(5);
      const { seen } = await consumer(channel);
      await waitUntil(() => seen.length === 5);
      expect(seen.map(numberOf)).toEqual([0, 1, 2, 3, 4]);
      expect(seen.map(({ fields }) => [fields.deliveryTag, fields.redelivered])).toEqual(
        [1, 2, 3, 4, 5].map((tag) => [tag, false]),
      );
      channel.reject(seen[2] as ConsumeMessage, true);
      await waitUntil(() => seen.length === 6);
      expect([numberOf(seen[5] as ConsumeMessage), seen[5]?.fields.redelivered]).toEqual([2, true]);
    });

    test('nack of several with requeue restores their order', async () => {
      await fill(4);
      await channel.prefetch(3);
      const { seen, tag } = await consumer(channel);
      await waitUntil(() => seen.length === 3);
      await channel.cancel(tag);
      channel.nack(seen[2] as ConsumeMessage, true, true);
      const again: (readonly [string, boolean])[] = [];
      await waitUntil(async () => {
        const next = await channel.get(queue, { noAck: true });
        if (next !== false) again.push([next.content.toString(), next.fields.redelivered]);
        return again.length === 4;
      });
      expect(again).toEqual([
        ['0', true],
        ['1', true],
        ['2', true],
        ['3', false],
      ]);
    });

    test('prefetch limits each consumer, and as global the channel', async () => {
      await fill(20);
      await channel.prefetch(2);
      const [one, two] = [await consumer(channel), await consumer(channel)];
      await waitUntil(() => one.seen.length + two.seen.length === 4);
      await settled(channel);
      expect([one.seen.length, two.seen.length]).toEqual([2, 2]);
      const wide = await connection.createChannel();
      await wide.prefetch(3, true);
      const [three, four] = [await consumer(wide), await consumer(wide)];
      await waitUntil(() => three.seen.length + four.seen.length === 3);
      await settled(wide);
      expect(three.seen.length + four.seen.length).toBe(3);
      wide.ack([...three.seen, ...four.seen][0] as ConsumeMessage);
      await waitUntil(() => three.seen.length + four.seen.length === 4);
      channel.ack(one.seen[1] as ConsumeMessage, false);
      await waitUntil(() => one.seen.length === 3);
    });

    test('an acknowledgement up to a tag removes all up to it; the others are requeued with the channel', async () => {
      await fill(4);
      const { seen } = await consumer(channel);
      await waitUntil(() => seen.length === 4);
      channel.ack(seen[1] as ConsumeMessage, true);
      await channel.close();
      channel = await connection.createChannel();
      const again = await consumer(channel, { noAck: true });
      await waitUntil(() => again.seen.length === 2);
      expect(again.seen.map((each) => [numberOf(each), each.fields.redelivered])).toEqual([
        [2, true],
        [3, true],
      ]);
    });

    test('recover delivers everything again', async () => {
      await fill(2);
      const { seen } = await consumer(channel);
      await waitUntil(() => seen.length === 2);
      await channel.recover();
      await waitUntil(() => seen.length === 4);
      expect(seen.map((each) => [numberOf(each), each.fields.redelivered])).toEqual([
        [0, false],
        [1, false],
        [0, true],
        [1, true],
      ]);
    });

    test('get counts the messages left, and does not count for a prefetch', async () => {
      await fill(3);
      await channel.prefetch(1);
      const got = await channel.get(queue);
      expect(got === false ? undefined : [got.fields.messageCount, got.fields.redelivered]).toEqual([
        2,
        false,
      ]);
      const { seen } = await consumer(channel);
      await waitUntil(() => seen.length === 1);
      const empty = (await channel.assertQueue('', { exclusive: true })).queue;
      expect(await channel.get(empty)).toBe(false);
    });

    test('a consumer whose queue is deleted is told; one that cancels gets nothing more', async () => {
      const other = await connection.createChannel();
      const told = new Promise((resolve) => {
        void other.consume(queue, (message) => {
          if (message === null) resolve('cancelled');
        });
      });
      const { tag, seen } = await consumer(channel);
      await channel.cancel(tag);
      await waitUntil(async () => (await channel.checkQueue(queue)).consumerCount === 1);
      await channel.deleteQueue(queue);
      expect(await told).toBe('cancelled');
      expect(seen).toEqual([]);
    });

    test('consumers take turns, and an exclusive or single active one gets all', async () => {
      const [one, two] = [await consumer(channel), await consumer(channel)];
      await fill(10);
      await waitUntil(() => one.seen.length + two.seen.length === 10);
      expect([one.seen.length, two.seen.length]).toEqual([5, 5]);
      queue = (
        await channel.assertQueue('', { exclusive: true, arguments: { 'x-single-active-consumer': true } })
      ).queue;
      const [active, waiting] = [
        await consumer(channel, { noAck: true }),
        await consumer(channel, { noAck: true }),
      ];
      await fill(3);
      await waitUntil(() => active.seen.length === 3);
      await channel.cancel(active.tag);
      await fill(2);
      await waitUntil(() => waiting.seen.length === 2);
    });
  });
}
