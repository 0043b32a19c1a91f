import { type ChannelModel, type ConsumeMessage, connect } from 'amqplib';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { runProgram } from '../support/mqtt/mosquitto-clients.ts';
import { amqpTools, waitUntil, withService } from '../support/run/external-services.ts';
import { type AmqpBrokerFixture, ownPrefix } from './amqp-consumer-contract.ts';

/** The tutorials of amqplib, each with its own channels. */
export function patternContract(name: string, open: () => Promise<AmqpBrokerFixture>): void {
  describe(`${name}: the patterns of amqplib's tutorials`, () => {
    let fixture: AmqpBrokerFixture;
    let connection: ChannelModel;
    let prefix: string;

    beforeAll(async () => {
      fixture = await open();
    });
    afterAll(() => fixture.close());
    beforeEach(async () => {
      prefix = ownPrefix();
      connection = await connect(fixture.url, { noDelay: true });
    });
    afterEach(() => connection.close());

    test('work queues: each task is done once, even if a worker crashes', async () => {
      const boss = await connection.createConfirmChannel();
      const tasks = (await boss.assertQueue(`${prefix}tasks`, { durable: true })).queue;
      for (let count = 0; count < 20; count++)
        boss.sendToQueue(tasks, Buffer.from(`${count}`), { persistent: true });
      await boss.waitForConfirms();
      const done: string[] = [];
      const work = async (dies: boolean) => {
        const worker = await connection.createChannel();
        await worker.prefetch(1);
        await worker.consume(tasks, (message) => {
          if (message === null) return;
          if (dies) {
            void worker.close();
            return;
          }
          done.push(message.content.toString());
          worker.ack(message);
        });
      };
      await Promise.all([work(true), work(false), work(false)]);
      await waitUntil(() => done.length === 20);
      expect(new Set(done).size).toBe(20);
      await boss.deleteQueue(tasks);
    });

    test.each([
      ['publish and subscribe', 'fanout', [''], [''], 1],
      ['routing', 'direct', ['info', 'error'], ['error'], 1],
      ['topics', 'topic', ['kern.critical', 'cron.info'], ['kern.*', '*.critical'], 1],
    ])('%s', async (_, type, keys, patterns, count) => {
      const exchange = `${prefix}logs`;
      const channel = await connection.createChannel();
      await channel.assertExchange(exchange, type, { durable: false, autoDelete: true });
      const seen: string[][] = [[], []];
      for (const each of seen) {
        const { queue } = await channel.assertQueue('', { exclusive: true });
        for (const pattern of patterns) await channel.bindQueue(queue, exchange, pattern);
        await channel.consume(queue, (message) => each.push(message?.fields.routingKey ?? ''), {
          noAck: true,
        });
      }
      for (const key of keys) channel.publish(exchange, key, Buffer.from('x'));
      await waitUntil(() => seen.every((each) => each.length === count));
    });

    test('calls with a reply queue and correlation ids', async () => {
      const server = await connection.createChannel();
      const { queue: calls } = await server.assertQueue(`${prefix}calls`, { exclusive: true });
      await server.consume(calls, (message) => {
        if (message === null) return;
        const { replyTo, correlationId } = message.properties as { replyTo: string; correlationId: string };
        const answer = Number(message.content.toString()) ** 2;
        server.sendToQueue(replyTo, Buffer.from(`${answer}`), { correlationId });
        server.ack(message);
      });
      const client = await connection.createChannel();
      const { queue: replyTo } = await client.assertQueue('', { exclusive: true });
      const answers = new Map<unknown, string>();
      const keep = (message: ConsumeMessage | null) =>
        answers.set(message?.properties.correlationId, message?.content.toString() ?? '');
      await client.consume(replyTo, keep, { noAck: true });
      for (let count = 0; count < 10; count++)
        client.sendToQueue(calls, Buffer.from(`${count}`), { correlationId: `c${count}`, replyTo });
      await waitUntil(() => answers.size === 10);
      expect(answers.get('c7')).toBe('49');
    });
  });
}

/** The command-line clients of Debian's amqp-tools, written in C by others. */
export async function toolContract(name: string, open: () => Promise<AmqpBrokerFixture>): Promise<void> {
  await withService(amqpTools, ({ publisher, consumer, getter, declarer, deleter }) => {
    describe(`${name}: Debian's amqp-tools`, () => {
      test('declare, publish, get, consume and delete', async () => {
        const fixture = await open();
        const me = ['-u', fixture.url];
        const queue = `${ownPrefix()}tools`;
        expect(await runProgram(declarer, [...me, '-d', '-q', queue])).toMatchObject({
          code: 0,
          out: `${queue}\n`,
        });
        for (const words of ['one', 'two', 'three'])
          expect((await runProgram(publisher, [...me, '-r', queue, '-p', '-b', words])).code).toBe(0);
        expect(await runProgram(getter, [...me, '-q', queue])).toMatchObject({ code: 0, out: 'one' });
        const consumed = await runProgram(consumer, [...me, '-q', queue, '-c', '2', '-p', '1', 'cat']);
        expect(consumed).toMatchObject({ code: 0, out: 'twothree' });
        expect((await runProgram(getter, [...me, '-q', queue])).code).toBe(2);
        const big = Buffer.alloc(400_000, 'abcdefg');
        expect((await runProgram(publisher, [...me, '-r', queue], big)).code).toBe(0);
        expect((await runProgram(getter, [...me, '-q', queue])).out).toBe(big.toString());
        expect(await runProgram(deleter, [...me, '-q', queue])).toMatchObject({ code: 0, out: '0\n' });
        const gone = await runProgram(getter, [...me, '-q', queue]);
        expect(gone.err).toContain(`NOT_FOUND - no queue '${queue}' in vhost '/'`);
        const wrong = fixture.url.replace(/:[^:@]*@/, ':wrong@');
        expect((await runProgram(getter, ['-u', wrong, '-q', queue])).err).toContain('ACCESS_REFUSED');
        await fixture.close();
      });
    });
  });
}
