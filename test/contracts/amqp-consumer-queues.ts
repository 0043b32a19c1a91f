import type { Channel, ChannelModel, ConsumeMessage, GetMessage, Options } from 'amqplib';
import { connect } from 'amqplib';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { waitUntil } from '../support/run/external-services.ts';
import { type AmqpBrokerFixture, ownPrefix } from './amqp-consumer-contract.ts';

const textOf = (message: GetMessage | ConsumeMessage | false) => (message ? message.content.toString() : '');

/** How exchanges route and queues store, by amqplib. */
export function queueContract(name: string, open: () => Promise<AmqpBrokerFixture>): void {
  describe(`${name}: exchanges and queues`, () => {
    let fixture: AmqpBrokerFixture;
    let connection: ChannelModel;
    let channel: Channel;
    let prefix: string;

    beforeAll(async () => {
      fixture = await open();
    });
    afterAll(() => fixture.close());
    beforeEach(async () => {
      prefix = ownPrefix();
      connection = await connect(fixture.url, { noDelay: true });
      connection.on('error', () => undefined);
      channel = await connection.createChannel();
    });
    afterEach(() => connection.close());

    const queueOf = async (name: string, options: Options.AssertQueue = {}) =>
      (await channel.assertQueue(`${prefix}${name}`, { exclusive: true, ...options })).queue;
    const send = (queue: string, ...bodies: string[]) => {
      for (const body of bodies) channel.sendToQueue(queue, Buffer.from(body));
    };
    const lengthOf = async (queue: string) => (await channel.checkQueue(queue)).messageCount;
    /** Receives and acknowledges this many messages. */
    async function take(queue: string, count: number): Promise<GetMessage[]> {
      const taken: GetMessage[] = [];
      await waitUntil(async () => {
        const next = await channel.get(queue, { noAck: true });
        if (next !== false) taken.push(next);
        return taken.length === count;
      });
      return taken;
    }
    const bodiesOf = async (queue: string, count: number) => (await take(queue, count)).map(textOf);

    const HEADERS = { x: 1, y: 'two' };
    test.each([
      ['direct', 'k', {}, { k: true, 'k.a': false }],
      ['fanout', 'whatever', {}, { k: true, '': true }],
      ['topic', 'a.*.c', {}, { 'a.b.c': true, 'a.c': false, 'a.b.b.c': false }],
      ['topic', 'a.#', {}, { a: true, 'a.b': true, 'a.b.c': true, b: false }],
      ['topic', '#.c', {}, { c: true, 'a.b.c': true, 'a.c.b': false }],
      ['headers', '', { 'x-match': 'all', x: 1, y: 'two' }, { any: true }],
      ['headers', '', { 'x-match': 'all', x: 1, y: 'three' }, { any: false }],
      ['headers', '', { 'x-match': 'any', x: 1, y: 'three' }, { any: true }],
      ['headers', '', { 'x-match': 'any', x: 2, y: 'three' }, { any: false }],
      ['headers', '', { x: 1 }, { any: true }],
    ])('%s, bound with %j %j', async (type, pattern, args, keys: Record<string, boolean>) => {
      const exchange = `${prefix}exchange`;
      await channel.assertExchange(exchange, type, { durable: false, autoDelete: true });
      const queue = await queueOf('bound');
      await channel.bindQueue(queue, exchange, pattern, args);
      for (const key of [...Object.keys(keys), '']) {
        channel.publish(exchange, key, Buffer.from(key), { headers: HEADERS });
      }
      channel.sendToQueue(queue, Buffer.from('the last'));
      const wanted = [
        ...Object.entries(keys)
          .filter(([, isWanted]) => isWanted)
          .map(([key]) => key),
      ];
      const isEmptyWanted = type === 'fanout' || (type === 'headers' && keys['any'] === true);
      const expected = [...wanted, ...(isEmptyWanted ? [''] : []), 'the last'];
      expect(await bodiesOf(queue, expected.length)).toEqual(expected);
      await channel.unbindQueue(queue, exchange, pattern, args);
      await channel.checkQueue(queue);
    });

    test('exchanges bound to exchanges, and an alternate exchange for unroutable messages', async () => {
      const [source, target, rest] = ['source', 'target', 'rest'].map((each) => `${prefix}${each}`);
      const options = { durable: false, autoDelete: true };
      await channel.assertExchange(`${rest}`, 'fanout', options);
      await channel.assertExchange(`${target}`, 'direct', options);
      await channel.assertExchange(`${source}`, 'topic', { ...options, alternateExchange: `${rest}` });
      await channel.bindExchange(`${target}`, `${source}`, 'a.#');
      const [wanted, unwanted] = [await queueOf('wanted'), await queueOf('unwanted')];
      await channel.bindQueue(wanted, `${target}`, 'a.b');
      await channel.bindQueue(unwanted, `${rest}`, '');
      for (const key of ['a.b', 'b']) channel.publish(`${source}`, key, Buffer.from(key));
      expect([await bodiesOf(wanted, 1), await bodiesOf(unwanted, 1)]).toEqual([['a.b'], ['b']]);
    });

    test('a message is put into a queue once, however many bindings match', async () => {
      const queue = await queueOf('once');
      for (const pattern of ['#', `${prefix}.a`, `${prefix}.*`])
        await channel.bindQueue(queue, 'amq.topic', pattern);
      channel.publish('amq.topic', `${prefix}.a`, Buffer.from('x'));
      channel.sendToQueue(queue, Buffer.from('the last'));
      const bodies: string[] = [];
      // Others publish there too; ours arrive once.
      await waitUntil(async () => {
        bodies.push(textOf(await channel.get(queue, { noAck: true })));
        return bodies.includes('the last');
      });
      expect(bodies.filter((each) => each === 'x')).toHaveLength(1);
    });

    test('x-message-ttl, expiration and the lower of both', async () => {
      const patient = await queueOf('patient');
      const confirming = await connection.createConfirmChannel();
      confirming.sendToQueue(patient, Buffer.from('soon'), { expiration: '20' });
      confirming.sendToQueue(patient, Buffer.from('never'));
      // Confirmed: both have arrived.
      await confirming.waitForConfirms();
      // After its expiration the first is gone, without any delay.
      await waitUntil(async () => (await lengthOf(patient)) === 1);
      expect(await bodiesOf(patient, 1)).toEqual(['never']);
      const queue = await queueOf('ttl', { messageTtl: 100 });
      send(queue, 'as the queue says');
      channel.sendToQueue(queue, Buffer.from('no longer than that'), { expiration: '60000' });
      // Shows that everything before it has arrived.
      const witness = await queueOf('witness');
      send(witness, 'x');
      await waitUntil(async () => (await lengthOf(witness)) === 1);
      await waitUntil(async () => (await lengthOf(queue)) === 0);
    });

    test('x-expires removes an unused queue', async () => {
      const { queue } = await channel.assertQueue(`${prefix}expires`, { durable: false, expires: 100 });
      const reasons: string[] = [];
      await waitUntil(async () => {
        // A passive declare counts as a use: between two of them the queue has time to expire.
        await new Promise((resolve) => setTimeout(resolve, 250));
        const asker = await connection.createChannel();
        asker.on('error', (error: Error) => reasons.push(error.message));
        return asker.checkQueue(queue).then(
          () => false,
          () => true,
        );
      });
      expect(reasons[0]).toContain('404');
    });

    test('x-max-length and x-max-length-bytes drop the oldest', async () => {
      const short = await queueOf('short', { maxLength: 2 });
      send(short, 'a', 'b', 'c');
      expect(await bodiesOf(short, 2)).toEqual(['b', 'c']);
      const small = await queueOf('small', { arguments: { 'x-max-length-bytes': 4 } });
      send(small, 'aa', 'bb', 'cc');
      expect(await bodiesOf(small, 2)).toEqual(['bb', 'cc']);
    });

    test('x-overflow reject-publish nacks messages over the limit', async () => {
      const confirming = await connection.createConfirmChannel();
      const queue = await queueOf('full', { maxLength: 1, arguments: { 'x-overflow': 'reject-publish' } });
      const outcomes = await Promise.all(
        ['a', 'b', 'c'].map(
          (body) =>
            new Promise<boolean>((resolve) => {
              confirming.sendToQueue(queue, Buffer.from(body), {}, (error: unknown) =>
                resolve(error === null),
              );
            }),
        ),
      );
      expect(outcomes[0]).toBe(true);
      expect(outcomes.at(-1)).toBe(false);
      expect(await bodiesOf(queue, 1)).toEqual(['a']);
    });

    test('dead letters contain where, why and how often they were dead-lettered', async () => {
      const dead = await queueOf('dead');
      const target = { deadLetterExchange: '', deadLetterRoutingKey: dead };
      const live = await queueOf('live', { ...target, maxLength: 1 });
      const brief = await queueOf('brief', target);
      send(live, 'too many', 'rejected');
      await take(dead, 1).then(([message]) => expect(textOf(message ?? false)).toBe('too many'));
      const rejected = await channel.get(live);
      if (rejected !== false) channel.reject(rejected, false);
      channel.sendToQueue(brief, Buffer.from('expired'), { expiration: '1', headers: { mine: 'stays' } });
      const messages = await take(dead, 2);
      const told = messages
        .map(({ content, fields, properties }) => {
          const [death] = (properties.headers?.['x-death'] ?? []) as unknown as Record<string, unknown>[];
          const { time, ...rest } = death ?? {};
          const { 'x-death': _, ...others } = properties.headers ?? {};
          return {
            body: content.toString(),
            key: fields.routingKey,
            redelivered: fields.redelivered,
            others,
            expiration: properties.expiration as unknown,
            isTimed: typeof time === 'object',
            death: rest,
          };
        })
        .sort((one, other) => (one.body < other.body ? 1 : -1));
      const common = { key: dead, redelivered: false, expiration: undefined, isTimed: true };
      const firstDeath = (queue: string, reason: string) => ({
        'x-first-death-exchange': '',
        'x-first-death-queue': queue,
        'x-first-death-reason': reason,
      });
      expect(told).toEqual([
        {
          body: 'rejected',
          ...common,
          others: firstDeath(live, 'rejected'),
          death: { count: 1, exchange: '', queue: live, reason: 'rejected', 'routing-keys': [live] },
        },
        {
          body: 'expired',
          ...common,
          others: { mine: 'stays', ...firstDeath(brief, 'expired') },
          death: {
            count: 1,
            exchange: '',
            queue: brief,
            reason: 'expired',
            'routing-keys': [brief],
            'original-expiration': '1',
          },
        },
      ]);
    });

    test('auto-delete queues end with the last consumer, exclusive ones with the connection', async () => {
      const { queue } = await channel.assertQueue(`${prefix}passing`, { durable: false, autoDelete: true });
      const { consumerTag } = await channel.consume(queue, () => undefined);
      await channel.cancel(consumerTag);
      const other = await connect(fixture.url, { noDelay: true });
      const theirs = await other.createChannel();
      const mine = (await theirs.assertQueue('', { exclusive: true })).queue;
      expect(mine).toMatch(/^amq\.gen-.{22}$/);
      await other.close();
      for (const name of [queue, mine]) {
        const asker = await connection.createChannel();
        asker.on('error', () => undefined);
        await expect(asker.checkQueue(name)).rejects.toThrow('404');
      }
    });

    test('purge and delete return how many messages were ready', async () => {
      const queue = await queueOf('counted');
      send(queue, 'a', 'b', 'c');
      await waitUntil(async () => (await lengthOf(queue)) === 3);
      expect(await channel.purgeQueue(queue)).toEqual({ messageCount: 3 });
      send(queue, 'd');
      await waitUntil(async () => (await lengthOf(queue)) === 1);
      expect(await channel.deleteQueue(queue)).toEqual({ messageCount: 1 });
    });
  });
}
