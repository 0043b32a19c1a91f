import { type Channel, type ChannelModel, type ConsumeMessage, connect } from 'amqplib';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { until } from '../services.ts';
import { type BrokerStage, ownPrefix } from './amqp-consumer-contract.ts';

const numberOf = ({ content }: ConsumeMessage) => Number(content.toString());

/** How messages are handed out, taken and given back, by amqplib. */
export function consumingContract(name: string, open: () => Promise<BrokerStage>): void {
  describe(`${name}: consuming`, () => {
    let stage: BrokerStage;
    let connection: ChannelModel;
    let channel: Channel;
    let queue: string;

    beforeAll(async () => {
      stage = await open();
    });
    afterAll(() => stage.close());
    beforeEach(async () => {
      connection = await connect(stage.url, { noDelay: true });
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

    /** Answered after everything that was delivered before on the channel. */
    const settled = (on: Channel) => on.checkQueue(queue);

    test('in order, each once, and what was rejected with requeue again as redelivered', async () => {
      await fill(5);
      const { seen } = await consumer(channel);
      await until(() => seen.length === 5);
      expect(seen.map(numberOf)).toEqual([0, 1, 2, 3, 4]);
      expect(seen.map(({ fields }) => [fields.deliveryTag, fields.redelivered])).toEqual(
        [1, 2, 3, 4, 5].map((tag) => [tag, false]),
      );
      channel.reject(seen[2] as ConsumeMessage, true);
      await until(() => seen.length === 6);
      expect([numberOf(seen[5] as ConsumeMessage), seen[5]?.fields.redelivered]).toEqual([2, true]);
    });

    test('nack of several with requeue puts them back in their order', async () => {
      await fill(4);
      await channel.prefetch(3);
      const { seen, tag } = await consumer(channel);
      await until(() => seen.length === 3);
      await channel.cancel(tag);
      channel.nack(seen[2] as ConsumeMessage, true, true);
      const again: (readonly [string, boolean])[] = [];
      await until(async () => {
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

    test('prefetch holds back for each consumer, and as global for the channel', async () => {
      await fill(20);
      await channel.prefetch(2);
      const [one, two] = [await consumer(channel), await consumer(channel)];
      await until(() => one.seen.length + two.seen.length === 4);
      await settled(channel);
      expect([one.seen.length, two.seen.length]).toEqual([2, 2]);
      const wide = await connection.createChannel();
      await wide.prefetch(3, true);
      const [three, four] = [await consumer(wide), await consumer(wide)];
      await until(() => three.seen.length + four.seen.length === 3);
      await settled(wide);
      expect(three.seen.length + four.seen.length).toBe(3);
      wide.ack([...three.seen, ...four.seen][0] as ConsumeMessage);
      await until(() => three.seen.length + four.seen.length === 4);
      channel.ack(one.seen[1] as ConsumeMessage, false);
      await until(() => one.seen.length === 3);
    });

    test('acknowledged up to a tag, all up to it are gone; what is open comes back with the channel', async () => {
      await fill(4);
      const { seen } = await consumer(channel);
      await until(() => seen.length === 4);
      channel.ack(seen[1] as ConsumeMessage, true);
      await channel.close();
      channel = await connection.createChannel();
      const again = await consumer(channel, { noAck: true });
      await until(() => again.seen.length === 2);
      expect(again.seen.map((each) => [numberOf(each), each.fields.redelivered])).toEqual([
        [2, true],
        [3, true],
      ]);
    });

    test('recover gives everything again', async () => {
      await fill(2);
      const { seen } = await consumer(channel);
      await until(() => seen.length === 2);
      await channel.recover();
      await until(() => seen.length === 4);
      expect(seen.map((each) => [numberOf(each), each.fields.redelivered])).toEqual([
        [0, false],
        [1, false],
        [0, true],
        [1, true],
      ]);
    });

    test('get counts what is left, and does not count for a prefetch', async () => {
      await fill(3);
      await channel.prefetch(1);
      const got = await channel.get(queue);
      expect(got === false ? undefined : [got.fields.messageCount, got.fields.redelivered]).toEqual([
        2,
        false,
      ]);
      const { seen } = await consumer(channel);
      await until(() => seen.length === 1);
      const empty = (await channel.assertQueue('', { exclusive: true })).queue;
      expect(await channel.get(empty)).toBe(false);
    });

    test('a consumer whose queue goes is told; one that cancels hears no more', async () => {
      const other = await connection.createChannel();
      const told = new Promise((resolve) => {
        void other.consume(queue, (message) => {
          if (message === null) resolve('cancelled');
        });
      });
      const { tag, seen } = await consumer(channel);
      await channel.cancel(tag);
      await until(async () => (await channel.checkQueue(queue)).consumerCount === 1);
      await channel.deleteQueue(queue);
      expect(await told).toBe('cancelled');
      expect(seen).toEqual([]);
    });

    test('consumers take turns, and one with an exclusive or single active right has all', async () => {
      const [one, two] = [await consumer(channel), await consumer(channel)];
      await fill(10);
      await until(() => one.seen.length + two.seen.length === 10);
      expect([one.seen.length, two.seen.length]).toEqual([5, 5]);
      queue = (
        await channel.assertQueue('', { exclusive: true, arguments: { 'x-single-active-consumer': true } })
      ).queue;
      const [active, waiting] = [
        await consumer(channel, { noAck: true }),
        await consumer(channel, { noAck: true }),
      ];
      await fill(3);
      await until(() => active.seen.length === 3);
      await channel.cancel(active.tag);
      await fill(2);
      await until(() => waiting.seen.length === 2);
    });
  });
}
