import { AMQPSession } from '@cloudamqp/amqp-client';
import { type ConsumeMessage, connect } from 'amqplib';
import { Connection } from 'rabbitmq-client';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  openRawAmqpClient,
  type RawAmqpClient,
  type ReceivedMethod,
} from '../support/amqp/raw-amqp-client.ts';
import { type AmqpBrokerFixture, ownPrefix } from './amqp-consumer-contract.ts';

const REPLY_TO = 'amq.rabbitmq.reply-to';
const nameIn = (word: ReceivedMethod | undefined) => String(word?.header?.properties.replyTo);
/** A line of the script without its channel, and with NAME for the caller. */
const shownFor = (word: ReceivedMethod | undefined, name: string) =>
  word === undefined
    ? []
    : [
        word.name,
        Object.fromEntries(
          Object.entries(word.args).map(([key, value]) => [key, value === name ? 'NAME' : value]),
        ),
        word.body.toString(),
      ];

/**
 * Direct reply-to: calls over the broker, by single methods, by amqplib and by client libraries with built-in
 * support.
 */
export function callContract(name: string, open: () => Promise<AmqpBrokerFixture>): void {
  describe(`${name}: calls with direct replies`, () => {
    let fixture: AmqpBrokerFixture;
    let queue: string;
    let wires: RawAmqpClient[];

    beforeAll(async () => {
      fixture = await open();
    });
    afterAll(() => fixture.close());
    beforeEach(() => {
      queue = `${ownPrefix()}calls`;
      wires = [];
    });
    afterEach(() => {
      for (const wire of wires) wire.cut();
    });

    const signIn = async () => {
      const wire = await openRawAmqpClient(fixture.account);
      wires.push(wire);
      return wire;
    };
    /** A caller with a server, and the caller's name that the server reads in the first call. */
    const meet = async (to = queue) => {
      const [caller, server] = [await signIn(), await signIn()];
      await caller.ask('basic.consume', { queue: REPLY_TO, noAck: true, consumerTag: 'caller' });
      await server.ask('queue.declare', { queue: to, autoDelete: true });
      await server.ask('basic.consume', { queue: to, noAck: true, consumerTag: 'server' });
      caller.publish({ routingKey: to }, 'question', { replyTo: REPLY_TO, correlationId: '7' });
      const call = await server.next();
      return { caller, server, call, name: nameIn(call) };
    };

    test('the capability is announced', async () => {
      const wire = await signIn();
      const told = wire.words[0]?.args['serverProperties'];
      const capabilities = told instanceof Map ? told.get('capabilities') : undefined;
      expect(capabilities?.value.get('direct_reply_to')).toEqual({ type: 't', value: true });
    });

    test('the server reads an unguessable name in reply_to, and all other properties unchanged', async () => {
      const { call, name: caller } = await meet();
      expect(caller).toMatch(/^amq\.rabbitmq\.reply-to\..{20,}$/);
      expect(call?.header?.properties).toEqual({ correlationId: '7', replyTo: caller });
      expect(nameIn((await meet(`${queue}-2`)).call)).not.toBe(caller);
    });

    test('a message to that name is delivered at once, with the tag of the next delivery, and counts as unroutable', async () => {
      const { caller, server, name: to } = await meet();
      server.publish({ routingKey: to }, 'answer', { correlationId: '7', deliveryMode: 2 });
      const answer = await caller.next();
      const delivered = (deliveryTag: bigint, routingKey: string, body: string) => [
        'basic.deliver',
        { consumerTag: 'caller', deliveryTag, redelivered: false, exchange: '', routingKey },
        body,
      ];
      expect(shownFor(answer, to)).toEqual(delivered(1n, 'NAME', 'answer'));
      expect(answer?.header?.properties).toEqual({ correlationId: '7', deliveryMode: 2 });
      await server.ask('confirm.select');
      server.publish({ routingKey: to, mandatory: true }, 'once more');
      expect(shownFor(await caller.next(), to)).toEqual(delivered(1n, 'NAME', 'once more'));
      const said = { replyCode: 312, replyText: 'NO_ROUTE', exchange: '', routingKey: 'NAME' };
      expect(shownFor(await server.next(), to)).toEqual(['basic.return', said, 'once more']);
      expect(shownFor(await server.next(), to)).toEqual([
        ...['basic.ack', { deliveryTag: 1n, multiple: false }, ''],
      ]);
      const field = { type: 'S', value: Buffer.from(to) } as const;
      server.publish({ routingKey: 'elsewhere' }, 'copy', {
        headers: new Map([['CC', { type: 'A', value: [field] }]]),
      });
      expect(shownFor(await caller.next(), to)).toEqual(delivered(1n, 'elsewhere', 'copy'));
      await caller.ask('queue.declare', { queue: `${queue}-own`, exclusive: true });
      await caller.ask('basic.consume', { queue: `${queue}-own`, consumerTag: 'own' });
      caller.publish({ routingKey: `${queue}-own` }, 'ordinary');
      expect((await caller.next())?.args['deliveryTag']).toBe(1n);
      caller.publish({ routingKey: to }, 'to itself');
      expect(shownFor(await caller.next(), to)).toEqual(delivered(2n, 'NAME', 'to itself'));
    });

    test('only the default exchange knows the name, and only while its caller consumes', async () => {
      const { caller, server, name: to } = await meet();
      const here = { queue: to, messageCount: 0, consumerCount: 1 };
      expect((await server.ask('queue.declare', { queue: to, passive: true }))?.args).toEqual(here);
      expect((await server.ask('queue.declare', { queue: to }))?.args).toEqual(here);
      await server.ask('confirm.select');
      server.publish({ exchange: 'amq.direct', routingKey: to }, 'lost');
      await server.next();
      await caller.ask('basic.cancel', { consumerTag: 'caller' });
      server.publish({ routingKey: to, mandatory: true }, 'late');
      expect([(await server.next())?.name, (await server.next())?.name]).toEqual([
        'basic.return',
        'basic.ack',
      ]);
      await caller.ask('basic.consume', { queue: REPLY_TO, noAck: true, consumerTag: 'caller' });
      caller.publish({ routingKey: queue }, 'again', { replyTo: REPLY_TO });
      const again = await server.next();
      expect(nameIn(again)).not.toBe(to);
      server.publish({ routingKey: to }, 'to the one before');
      server.publish({ routingKey: nameIn(again) }, 'to this one');
      expect((await caller.next())?.body.toString()).toBe('to this one');
      const gone = await (await signIn()).ask('queue.declare', { queue: to });
      expect(gone?.args['replyText']).toBe(`NOT_FOUND - no queue '${to}' in vhost '/'`);
    });

    test('a caller whose channel is closed no longer exists', async () => {
      const { caller, server, name: to } = await meet();
      await caller.ask('channel.close', { replyCode: 200 });
      expect((await server.ask('queue.declare', { queue: to }))?.args['replyCode']).toBe(404);
    });

    test('amqplib calls and answers', async () => {
      const connection = await connect(fixture.url, { noDelay: true });
      const [caller, server] = [await connection.createChannel(), await connection.createChannel()];
      await server.assertQueue(queue, { exclusive: true });
      await server.consume(queue, (call) => {
        if (call === null) return;
        const { replyTo, correlationId } = call.properties;
        server.sendToQueue(String(replyTo), Buffer.from(`${call.content}!`), {
          correlationId: String(correlationId),
        });
        server.ack(call);
      });
      const answers = new Map<string, string>();
      const all = new Promise<void>((resolve) => {
        const take = (answer: ConsumeMessage | null) => {
          if (answer !== null) answers.set(String(answer.properties.correlationId), `${answer.content}`);
          if (answers.size === 20) resolve();
        };
        void caller.consume(REPLY_TO, take, { noAck: true });
      });
      for (let count = 0; count < 20; count++)
        caller.sendToQueue(queue, Buffer.from(`${count}`), { replyTo: REPLY_TO, correlationId: `${count}` });
      await all;
      expect([...answers]).toEqual(Array.from({ length: 20 }, (_, index) => [`${index}`, `${index}!`]));
      await connection.close();
    });

    test('rabbitmq-client calls and answers', async () => {
      const rabbit = new Connection(fixture.url);
      const server = rabbit.createConsumer(
        { queue, queueOptions: { exclusive: true } },
        async (call, reply) => {
          await reply(`${String(call.body)}!`);
        },
      );
      await new Promise((resolve) => server.once('ready', () => resolve(undefined)));
      const caller = rabbit.createRPCClient({ confirm: true });
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, index) => caller.send(queue, `${index}`)),
      );
      expect(answers.map(({ body }): unknown => body)).toEqual(
        Array.from({ length: 20 }, (_, index) => `${index}!`),
      );
      await caller.close();
      await server.close();
      await rabbit.close();
    });

    test('@cloudamqp/amqp-client calls and answers', async () => {
      const session = await AMQPSession.connect(fixture.url);
      const server = await session.rpcServer(queue, (call) => `${call.bodyString()}!`);
      const caller = await session.rpcClient();
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, index) => caller.call(queue, `${index}`)),
      );
      expect(answers.map((each) => each.bodyString())).toEqual(
        Array.from({ length: 20 }, (_, index) => `${index}!`),
      );
      await caller.close();
      await server.close();
      await session.stop();
      await (await signIn()).ask('queue.delete', { queue });
    });
  });
}
