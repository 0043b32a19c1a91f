import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  type Exchange,
  ExchangeLost,
  type ExchangeMessage,
  ExchangeRefused,
  type ExchangeSession,
} from '../../world/exchange.ts';

/** A message as a consumer that is not ours sees it. */
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

export interface ExchangeStage {
  readonly exchange: Exchange;
  /** An exchange for an address where nobody listens. */
  readonly deadExchange: Exchange;
  /** An exchange with a wrong password, or why there is none here. */
  readonly wrongPassword: Exchange | { readonly none: string };
  /** Makes names unique to this test, so that runs do not meet on a shared broker. */
  name(base: string): string;
  /** Takes all messages out of a queue, oldest first, as a consumer of another make would. */
  drain(queue: string): Promise<readonly DrainedMessage[]>;
  /** Resolves once `condition` holds; rejects where it does not within the stage's patience. */
  until(condition: () => boolean): Promise<void>;
  settle(): Promise<void>;
  close(): Promise<void>;
}

const WEEK_MS = 7 * 24 * 3_600_000;

/** The behaviour that every fulfilment of `Exchange` has in common. `setUp` is called for each test. */
export function exchangeContract(name: string, setUp: () => Promise<ExchangeStage>): void {
  describe(`exchange: ${name}`, () => {
    let stage: ExchangeStage;
    let sessions: ExchangeSession[];
    let queues: string[];

    beforeEach(async () => {
      stage = await setUp();
      sessions = [];
      queues = [];
    });
    afterEach(async () => {
      const sweeper = await stage.exchange.open(
        { connectTimeoutMs: 5_000 },
        { closed: () => undefined, blocked: () => undefined },
      );
      for (const queue of queues) await sweeper.deleteQueue(queue);
      for (const session of [...sessions, sweeper]) await session.close();
      await stage.close();
    });

    async function open() {
      const closings: string[] = [];
      const session = await stage.exchange.open(
        { connectTimeoutMs: 5_000 },
        { closed: (reason) => closings.push(reason), blocked: () => undefined },
      );
      sessions.push(session);
      return { session, closings };
    }

    /** An exchange with one queue bound for the fleet's vehicle states. */
    async function ready() {
      const { session, closings } = await open();
      const exchange = stage.name('events');
      const queue = stage.name('queue');
      await session.declareExchange(exchange, 'topic');
      await declare(session, queue);
      await session.bind(queue, exchange, 'fleet1.VehicleStateReceived');
      return { session, closings, exchange, queue };
    }

    async function declare(session: ExchangeSession, queue: string) {
      queues.push(queue);
      await session.declareQueue(queue, { messageTtlMs: WEEK_MS });
    }

    const message = (exchange: string, words: string, more: Partial<ExchangeMessage> = {}) => ({
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
      test('refuses where nobody listens', async () => {
        const opening = stage.deadExchange.open(
          { connectTimeoutMs: 5_000 },
          { closed: () => undefined, blocked: () => undefined },
        );
        await expect(opening).rejects.toBeInstanceOf(ExchangeRefused);
      });

      test('refuses a wrong password, and says so', async (context) => {
        if ('none' in stage.wrongPassword) return context.skip(stage.wrongPassword.none);
        const opening = stage.wrongPassword.open(
          { connectTimeoutMs: 5_000 },
          { closed: () => undefined, blocked: () => undefined },
        );
        await expect(opening).rejects.toBeInstanceOf(ExchangeRefused);
      });
    });

    describe('publishing', () => {
      test('a message that a queue took is confirmed, with its properties and headers as they were given', async () => {
        const { session, exchange, queue } = await ready();
        const headers = { message_type: 'service.VehicleStateReceived', message_version: '2.0.0' };
        const said = await session.publish(message(exchange, '{"a":"ü"}', { headers }));
        expect(said).toBe('confirmed');
        expect(await stage.drain(queue)).toEqual([
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
        expect(await stage.drain(queue)).toEqual([]);
      });

      test('each of many messages in flight gets its own word', async () => {
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
        expect(words(await stage.drain(queue))).toEqual(
          Array.from({ length: 200 }, (_, index) => `${index}`).filter((_, index) => index % 3 !== 0),
        );
      });

      test('the same id published twice gets two words and is kept twice', async () => {
        const { session, exchange, queue } = await ready();
        const twice = await Promise.all([
          session.publish(message(exchange, 'same')),
          session.publish(message(exchange, 'same')),
        ]);
        expect(twice).toEqual(['confirmed', 'confirmed']);
        expect(words(await stage.drain(queue))).toEqual(['same', 'same']);
        const lost = await Promise.all([
          session.publish(message(exchange, 'same', { routingKey: 'nobody' })),
          session.publish(message(exchange, 'same', { routingKey: 'nobody' })),
        ]);
        expect(lost).toEqual(['unroutable', 'unroutable']);
      });

      test('a body of 100,000 bytes comes whole', async () => {
        const { session, exchange, queue } = await ready();
        const body = new Uint8Array(100_000).fill(0x41);
        expect(await session.publish(message(exchange, 'big', { body }))).toBe('confirmed');
        const [drained] = await stage.drain(queue);
        expect(drained?.body).toEqual(body);
      });

      test('publishing on a closed session is ExchangeLost, and so is everything else', async () => {
        const { session, exchange, queue } = await ready();
        await session.close();
        await expect(session.publish(message(exchange, 'x'))).rejects.toBeInstanceOf(ExchangeLost);
        await expect(session.declareExchange(exchange, 'topic')).rejects.toBeInstanceOf(ExchangeLost);
        await expect(session.bind(queue, exchange, 'y')).rejects.toBeInstanceOf(ExchangeLost);
      });

      test('publishing to an exchange that does not exist ends the session, and the message is in doubt', async () => {
        const { session, closings } = await open();
        await expect(session.publish(message(stage.name('nowhere'), 'x'))).rejects.toBeInstanceOf(
          ExchangeLost,
        );
        await stage.until(() => closings.length === 1);
      });
    });

    describe('topology', () => {
      test('declaring the same thing again does nothing', async () => {
        const { session, exchange, queue } = await ready();
        await session.declareExchange(exchange, 'topic');
        await declare(session, queue);
        await session.bind(queue, exchange, 'fleet1.VehicleStateReceived');
        expect(await session.publish(message(exchange, 'once'))).toBe('confirmed');
        expect(words(await stage.drain(queue))).toEqual(['once']);
      });

      test('a queue that exists with other arguments is refused in clear words, and the session lives on', async () => {
        const { session, closings, exchange, queue } = await ready();
        const declaring = session.declareQueue(queue, { messageTtlMs: 1_000 });
        await expect(declaring).rejects.toBeInstanceOf(ExchangeRefused);
        await expect(declaring).rejects.toThrow(/PRECONDITION_FAILED/);
        await expect(declaring).rejects.toThrow(queue);
        expect(closings).toEqual([]);
        expect(await session.publish(message(exchange, 'after'))).toBe('confirmed');
        await declare(session, stage.name('another'));
      });

      test('a queue is there from its declaration until it is deleted, and a look at none costs nothing', async () => {
        const { session, exchange, queue } = await ready();
        expect(await session.hasQueue(queue)).toBe(true);
        expect(await session.hasQueue(stage.name('none'))).toBe(false);
        expect(await session.publish(message(exchange, 'after'))).toBe('confirmed');
        await session.deleteQueue(queue);
        expect(await session.hasQueue(queue)).toBe(false);
      });

      test('a quorum queue takes messages as any other', async () => {
        const { session, exchange } = await ready();
        const queue = stage.name('quorum');
        queues.push(queue);
        const options = { messageTtlMs: WEEK_MS, type: 'quorum' } as const;
        await session.declareQueue(queue, options);
        await session.declareQueue(queue, options);
        await session.bind(queue, exchange, 'quorum.#');
        const said = await session.publish(message(exchange, 'kept', { routingKey: 'quorum.a' }));
        expect(said).toBe('confirmed');
        expect(words(await stage.drain(queue))).toEqual(['kept']);
      });

      test('an exchange that exists with another type is refused', async () => {
        const { session, exchange } = await ready();
        const declaring = session.declareExchange(exchange, 'fanout');
        await expect(declaring).rejects.toBeInstanceOf(ExchangeRefused);
      });

      test('binding a queue that does not exist is refused', async () => {
        const { session, exchange } = await ready();
        const binding = session.bind(stage.name('missing'), exchange, '#');
        await expect(binding).rejects.toBeInstanceOf(ExchangeRefused);
      });

      test('topic patterns: a star is one word, a hash any number', async () => {
        const { session } = await open();
        const exchange = stage.name('events');
        await session.declareExchange(exchange, 'topic');
        const [star, hash] = [stage.name('star'), stage.name('hash')];
        await declare(session, star);
        await declare(session, hash);
        await session.bind(star, exchange, 'fleet1.*');
        await session.bind(hash, exchange, 'fleet1.#');
        for (const routingKey of ['fleet1', 'fleet1.a', 'fleet1.a.b', 'fleet2.a']) {
          await session.publish(message(exchange, routingKey, { routingKey }));
        }
        expect(words(await stage.drain(star))).toEqual(['fleet1.a']);
        expect(words(await stage.drain(hash))).toEqual(['fleet1', 'fleet1.a', 'fleet1.a.b']);
      });

      test('after unbind and after deleteQueue nothing is routed any more', async () => {
        const { session, exchange, queue } = await ready();
        await session.unbind(queue, exchange, 'fleet1.VehicleStateReceived');
        expect(await session.publish(message(exchange, 'x'))).toBe('unroutable');
        await session.bind(queue, exchange, 'fleet1.VehicleStateReceived');
        expect(await session.publish(message(exchange, 'y'))).toBe('confirmed');
        await session.deleteQueue(queue);
        expect(await session.publish(message(exchange, 'z'))).toBe('unroutable');
      });

      test('deleting a queue that is not there does nothing', async () => {
        const { session } = await open();
        await session.deleteQueue(stage.name('never'));
      });
    });

    describe('the end', () => {
      test('what was published before close is settled, and closed is told once', async () => {
        const { session, closings, exchange, queue } = await ready();
        const publishing = Promise.allSettled(
          Array.from({ length: 50 }, (_, index) => session.publish(message(exchange, `${index}`))),
        );
        await session.close();
        expect((await publishing).map((outcome) => outcome.status)).toEqual(new Array(50).fill('fulfilled'));
        expect(await stage.drain(queue)).toHaveLength(50);
        await stage.until(() => closings.length === 1);
        await session.close();
        await stage.settle();
        expect(closings).toHaveLength(1);
      });

      test('messages outlive the session that published them', async () => {
        const { session, exchange, queue } = await ready();
        await session.publish(message(exchange, 'stays'));
        await session.close();
        expect(words(await stage.drain(queue))).toEqual(['stays']);
      });
    });
  });
}
