import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  AmqpConnectionLost,
  type AmqpMessage,
  type AmqpPublisher,
  type AmqpPublisherSession,
  AmqpRefused,
} from '../../world/amqp/amqp-publisher.ts';

/** A message as received by another client library. */
export interface DrainedMessage {
  readonly body: Uint8Array;
  readonly routingKey: string;
  readonly exchange: string;
  readonly messageId: string | undefined;
  readonly type: string | undefined;
  readonly timestampS: number | undefined;
  readonly contentType: string | undefined;
  /** 2 for a persistent message. */
  readonly deliveryMode: number | undefined;
  readonly headers: Readonly<Record<string, unknown>>;
}

export interface AmqpPublisherFixture {
  readonly amqp: AmqpPublisher;
  /** A publisher for an address without a server. */
  readonly unreachableAmqp: AmqpPublisher;
  /** A publisher with a wrong password, or why there is none here. */
  readonly wrongPassword: AmqpPublisher | { readonly none: string };
  /** Makes names that are unique to this test, so that runs do not interfere on a shared broker. */
  name(base: string): string;
  /** Takes all messages from a queue, oldest first, with another client library. */
  drain(queue: string): Promise<readonly DrainedMessage[]>;
  /** Resolves once `condition` holds; rejects if it does not within the fixture's time limit. */
  until(condition: () => boolean): Promise<void>;
  settle(): Promise<void>;
  close(): Promise<void>;
}

const WEEK_MS = 7 * 24 * 3_600_000;

/** The common behaviour of all implementations of `AmqpPublisher`. `setUp` is called for each test. */
export function amqpPublisherContract(name: string, setUp: () => Promise<AmqpPublisherFixture>): void {
  describe(`amqp publisher: ${name}`, () => {
    let fixture: AmqpPublisherFixture;
    let sessions: AmqpPublisherSession[];
    let queues: string[];

    beforeEach(async () => {
      fixture = await setUp();
      sessions = [];
      queues = [];
    });
    afterEach(async () => {
      const sweeper = await fixture.amqp.open(
        { connectTimeoutMs: 5_000 },
        { closed: () => undefined, blocked: () => undefined },
      );
      for (const queue of queues) await sweeper.deleteQueue(queue);
      for (const session of [...sessions, sweeper]) await session.close();
      await fixture.close();
    });

    async function open() {
      const closings: string[] = [];
      const session = await fixture.amqp.open(
        { connectTimeoutMs: 5_000 },
        { closed: (reason) => closings.push(reason), blocked: () => undefined },
      );
      sessions.push(session);
      return { session, closings };
    }

    /** An exchange with one queue bound for the fleet's vehicle states. */
    async function ready() {
      const { session, closings } = await open();
      const exchange = fixture.name('events');
      const queue = fixture.name('queue');
      await session.declareExchange(exchange, 'topic');
      await declare(session, queue);
      await session.bind(queue, exchange, 'fleet1.VehicleStateReceived');
      return { session, closings, exchange, queue };
    }

    async function declare(session: AmqpPublisherSession, queue: string) {
      queues.push(queue);
      await session.declareQueue(queue, { messageTtlMs: WEEK_MS });
    }

    const message = (exchange: string, words: string, more: Partial<AmqpMessage> = {}) => ({
      exchange,
      routingKey: 'fleet1.VehicleStateReceived',
      body: new TextEncoder().encode(words),
      messageId: `id-${words}`,
      type: 'service.VehicleStateReceived',
      timestampS: 1_760_000_000,
      contentType: 'application/json',
      headers: {},
      ...more,
    });
    const words = (drained: readonly DrainedMessage[]) =>
      drained.map((each) => new TextDecoder().decode(each.body));

    describe('connecting', () => {
      test('refuses an address without a server', async () => {
        const opening = fixture.unreachableAmqp.open(
          { connectTimeoutMs: 5_000 },
          { closed: () => undefined, blocked: () => undefined },
        );
        await expect(opening).rejects.toBeInstanceOf(AmqpRefused);
      });

      test('refuses a wrong password, with the reason', async (context) => {
        if ('none' in fixture.wrongPassword) return context.skip(fixture.wrongPassword.none);
        const opening = fixture.wrongPassword.open(
          { connectTimeoutMs: 5_000 },
          { closed: () => undefined, blocked: () => undefined },
        );
        await expect(opening).rejects.toBeInstanceOf(AmqpRefused);
      });
    });

    describe('publishing', () => {
      test('a message that a queue took is confirmed, and has its properties and headers unchanged', async () => {
        const { session, exchange, queue } = await ready();
        const headers = { message_type: 'service.VehicleStateReceived', message_version: '2.0.0' };
        const said = await session.publish(message(exchange, '{"a":"ü"}', { headers }));
        expect(said).toBe('confirmed');
        expect(await fixture.drain(queue)).toEqual([
          {
            body: new TextEncoder().encode('{"a":"ü"}'),
            routingKey: 'fleet1.VehicleStateReceived',
            exchange,
            messageId: 'id-{"a":"ü"}',
            type: 'service.VehicleStateReceived',
            timestampS: 1_760_000_000,
            contentType: 'application/json',
            deliveryMode: 2,
            headers,
          },
        ]);
      });

      test('a message that no queue took is unroutable', async () => {
        const { session, exchange, queue } = await ready();
        expect(await session.publish(message(exchange, 'x', { routingKey: 'fleet2.Other' }))).toBe(
          'unroutable',
        );
        expect(await fixture.drain(queue)).toEqual([]);
      });

      test('each of many messages in flight gets its own outcome', async () => {
        const { session, exchange, queue } = await ready();
        const said = await Promise.all(
          Array.from({ length: 200 }, (_, index) =>
            session.publish(
              message(exchange, `${index}`, index % 3 === 0 ? { routingKey: `nobody.${index}` } : undefined),
            ),
          ),
        );
        expect(said).toEqual(
          Array.from({ length: 200 }, (_, index) => (index % 3 === 0 ? 'unroutable' : 'confirmed')),
        );
        expect(words(await fixture.drain(queue))).toEqual(
          Array.from({ length: 200 }, (_, index) => `${index}`).filter((_, index) => index % 3 !== 0),
        );
      });

      test('the same id published twice gets two outcomes and is stored twice', async () => {
        const { session, exchange, queue } = await ready();
        const twice = await Promise.all([
          session.publish(message(exchange, 'same')),
          session.publish(message(exchange, 'same')),
        ]);
        expect(twice).toEqual(['confirmed', 'confirmed']);
        expect(words(await fixture.drain(queue))).toEqual(['same', 'same']);
        const lost = await Promise.all([
          session.publish(message(exchange, 'same', { routingKey: 'nobody' })),
          session.publish(message(exchange, 'same', { routingKey: 'nobody' })),
        ]);
        expect(lost).toEqual(['unroutable', 'unroutable']);
      });

      test('a body of 100,000 bytes arrives completely', async () => {
        const { session, exchange, queue } = await ready();
        const body = new Uint8Array(100_000).fill(0x41);
        expect(await session.publish(message(exchange, 'big', { body }))).toBe('confirmed');
        const [drained] = await fixture.drain(queue);
        expect(drained?.body).toEqual(body);
      });

      test('every call on a closed session is AmqpConnectionLost', async () => {
        const { session, exchange, queue } = await ready();
        await session.close();
        await expect(session.publish(message(exchange, 'x'))).rejects.toBeInstanceOf(AmqpConnectionLost);
        await expect(session.declareExchange(exchange, 'topic')).rejects.toBeInstanceOf(AmqpConnectionLost);
        await expect(session.bind(queue, exchange, 'y')).rejects.toBeInstanceOf(AmqpConnectionLost);
      });

      test('publishing to an exchange that does not exist ends the session, and the message may have arrived or not', async () => {
        const { session, closings } = await open();
        await expect(session.publish(message(fixture.name('nowhere'), 'x'))).rejects.toBeInstanceOf(
          AmqpConnectionLost,
        );
        await fixture.until(() => closings.length === 1);
      });
    });

    describe('topology', () => {
      test('declaring the same thing again does nothing', async () => {
        const { session, exchange, queue } = await ready();
        await session.declareExchange(exchange, 'topic');
        await declare(session, queue);
        await session.bind(queue, exchange, 'fleet1.VehicleStateReceived');
        expect(await session.publish(message(exchange, 'once'))).toBe('confirmed');
        expect(words(await fixture.drain(queue))).toEqual(['once']);
      });

      test('a queue that exists with other arguments is refused with a clear reason, and the session stays open', async () => {
        const { session, closings, exchange, queue } = await ready();
        const declaring = session.declareQueue(queue, { messageTtlMs: 1_000 });
        await expect(declaring).rejects.toBeInstanceOf(AmqpRefused);
        await expect(declaring).rejects.toThrow(/PRECONDITION_FAILED/);
        await expect(declaring).rejects.toThrow(queue);
        expect(closings).toEqual([]);
        expect(await session.publish(message(exchange, 'after'))).toBe('confirmed');
        await declare(session, fixture.name('another'));
      });

      test('hasQueue is true from the declaration to the deletion, and does not close the session otherwise', async () => {
        const { session, exchange, queue } = await ready();
        expect(await session.hasQueue(queue)).toBe(true);
        expect(await session.hasQueue(fixture.name('none'))).toBe(false);
        expect(await session.publish(message(exchange, 'after'))).toBe('confirmed');
        await session.deleteQueue(queue);
        expect(await session.hasQueue(queue)).toBe(false);
      });

      test('a quorum queue accepts messages like any other', async () => {
        const { session, exchange } = await ready();
        const queue = fixture.name('quorum');
        queues.push(queue);
        const options = { messageTtlMs: WEEK_MS, type: 'quorum' } as const;
        await session.declareQueue(queue, options);
        await session.declareQueue(queue, options);
        await session.bind(queue, exchange, 'quorum.#');
        const said = await session.publish(message(exchange, 'kept', { routingKey: 'quorum.a' }));
        expect(said).toBe('confirmed');
        expect(words(await fixture.drain(queue))).toEqual(['kept']);
      });

      test('an exchange that exists with another type is refused', async () => {
        const { session, exchange } = await ready();
        const declaring = session.declareExchange(exchange, 'fanout');
        await expect(declaring).rejects.toBeInstanceOf(AmqpRefused);
      });

      test('binding a queue that does not exist is refused', async () => {
        const { session, exchange } = await ready();
        const binding = session.bind(fixture.name('missing'), exchange, '#');
        await expect(binding).rejects.toBeInstanceOf(AmqpRefused);
      });

      test('topic patterns: a star is one word, a hash any number', async () => {
        const { session } = await open();
        const exchange = fixture.name('events');
        await session.declareExchange(exchange, 'topic');
        const [star, hash] = [fixture.name('star'), fixture.name('hash')];
        await declare(session, star);
        await declare(session, hash);
        await session.bind(star, exchange, 'fleet1.*');
        await session.bind(hash, exchange, 'fleet1.#');
        for (const routingKey of ['fleet1', 'fleet1.a', 'fleet1.a.b', 'fleet2.a']) {
          await session.publish(message(exchange, routingKey, { routingKey }));
        }
        expect(words(await fixture.drain(star))).toEqual(['fleet1.a']);
        expect(words(await fixture.drain(hash))).toEqual(['fleet1', 'fleet1.a', 'fleet1.a.b']);
      });

      test('after unbind and after deleteQueue nothing is routed', async () => {
        const { session, exchange, queue } = await ready();
        await session.unbind(queue, exchange, 'fleet1.VehicleStateReceived');
        expect(await session.publish(message(exchange, 'x'))).toBe('unroutable');
        await session.bind(queue, exchange, 'fleet1.VehicleStateReceived');
        expect(await session.publish(message(exchange, 'y'))).toBe('confirmed');
        await session.deleteQueue(queue);
        expect(await session.publish(message(exchange, 'z'))).toBe('unroutable');
      });

      test('deleting a queue that does not exist does nothing', async () => {
        const { session } = await open();
        await session.deleteQueue(fixture.name('never'));
      });
    });

    describe('the end', () => {
      test('messages published before close get their outcome, and closed is called once', async () => {
        const { session, closings, exchange, queue } = await ready();
        const publishing = Promise.allSettled(
          Array.from({ length: 50 }, (_, index) => session.publish(message(exchange, `${index}`))),
        );
        await session.close();
        expect((await publishing).map((outcome) => outcome.status)).toEqual(new Array(50).fill('fulfilled'));
        expect(await fixture.drain(queue)).toHaveLength(50);
        await fixture.until(() => closings.length === 1);
        await session.close();
        await fixture.settle();
        expect(closings).toHaveLength(1);
      });

      test('messages outlive the session that published them', async () => {
        const { session, exchange, queue } = await ready();
        await session.publish(message(exchange, 'stays'));
        await session.close();
        expect(words(await fixture.drain(queue))).toEqual(['stays']);
      });
    });
  });
}
