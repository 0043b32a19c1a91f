import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  type AmqpConsumer,
  AmqpConsumerRefused,
  type AmqpConsumerSession,
  type AmqpDelivery,
} from '../../world/amqp/amqp-consumer.ts';
import type { AmqpMessage, AmqpPublisher, AmqpPublisherSession } from '../../world/amqp/amqp-publisher.ts';

export interface AmqpConsumerFixture {
  readonly consumer: AmqpConsumer;
  /** A publisher at the same broker. */
  readonly amqp: AmqpPublisher;
  /** A consumer for an address without a server. */
  readonly unreachableConsumer: AmqpConsumer;
  /** A consumer with a wrong password, or why there is none here. */
  readonly wrongPassword: AmqpConsumer | { readonly none: string };
  /** Makes names that are unique to this test. */
  name(base: string): string;
  /** Resolves once `condition` holds; rejects if it does not within the fixture's time limit. */
  until(condition: () => boolean): Promise<void>;
  settle(): Promise<void>;
  close(): Promise<void>;
}

const PATIENCE = { connectTimeoutMs: 5_000 };

/** The common behaviour of all implementations of `AmqpConsumer`. `setUp` is called for each test. */
export function amqpConsumerPortContract(name: string, setUp: () => Promise<AmqpConsumerFixture>): void {
  describe(`amqp consumer: ${name}`, () => {
    let fixture: AmqpConsumerFixture;
    let queue: string;
    let publisher: AmqpPublisherSession;
    let sessions: AmqpConsumerSession[];

    beforeEach(async () => {
      fixture = await setUp();
      sessions = [];
      queue = fixture.name('queue');
      publisher = await fixture.amqp.open(PATIENCE, {
        closed: () => undefined,
        blocked: () => undefined,
      });
      await publisher.declareQueue(queue, { messageTtlMs: 60_000 });
    });
    afterEach(async () => {
      for (const session of sessions) await session.close();
      await publisher.deleteQueue(queue);
      await publisher.close();
      await fixture.close();
    });

    const message = (words: string): AmqpMessage => ({
      exchange: '',
      routingKey: queue,
      body: new TextEncoder().encode(words),
      messageId: `id-${words}`,
      type: 'test.Message',
      timestampS: 1_760_000_000,
      contentType: 'application/json',
      headers: { 'Flow-ID': 'flow' },
    });
    const send = async (...all: readonly string[]) => {
      for (const words of all) await publisher.publish(message(words));
    };
    const words = (taken: readonly AmqpDelivery[]) => taken.map(({ body }) => new TextDecoder().decode(body));

    async function open() {
      const closings: string[] = [];
      const session = await fixture.consumer.open(PATIENCE, { closed: (reason) => closings.push(reason) });
      sessions.push(session);
      return { session, closings };
    }
    async function reading(prefetch = 10) {
      const { session, closings } = await open();
      const taken: AmqpDelivery[] = [];
      await session.consume(queue, { prefetch }, (delivery) => taken.push(delivery));
      return { session, closings, taken };
    }

    test('delivers the messages of the queue and new ones, in order, unchanged', async () => {
      await send('a');
      const { taken } = await reading();
      await send('b', 'c');
      await fixture.until(() => taken.length === 3);
      expect(words(taken)).toEqual(['a', 'b', 'c']);
      expect(taken[0]).toEqual({
        queue,
        exchange: '',
        routingKey: queue,
        redelivered: false,
        properties: {
          messageId: 'id-a',
          type: 'test.Message',
          timestampS: 1_760_000_000,
          contentType: 'application/json',
          deliveryMode: 2,
        },
        headers: { 'Flow-ID': 'flow' },
        body: new TextEncoder().encode('a'),
      });
    });

    test('delivers no more than the prefetch until a message is acknowledged', async () => {
      await send('a', 'b', 'c');
      const { session, taken } = await reading(2);
      await fixture.until(() => taken.length === 2);
      await fixture.settle();
      expect(words(taken)).toEqual(['a', 'b']);
      for (const delivery of [...taken]) session.ack(delivery);
      await fixture.until(() => taken.length === 3);
    });

    test('unacknowledged messages are delivered again as redelivered, the others never', async () => {
      await send('a', 'b');
      const first = await reading();
      await fixture.until(() => first.taken.length === 2);
      const [done] = first.taken;
      if (done !== undefined) first.session.ack(done);
      await first.session.close();
      const second = await reading();
      await fixture.until(() => second.taken.length === 1);
      await fixture.settle();
      expect(words(second.taken)).toEqual(['b']);
      expect(second.taken[0]?.redelivered).toBe(true);
    });

    test('two sessions share a queue: each message goes to one of them', async () => {
      const [one, two] = [await reading(1), await reading(1)];
      await send('a', 'b');
      await fixture.until(() => one.taken.length + two.taken.length === 2);
      expect([...words(one.taken), ...words(two.taken)].sort()).toEqual(['a', 'b']);
      expect([one.taken.length, two.taken.length]).toEqual([1, 1]);
    });

    test('an acknowledgement of a delivery from before a close does nothing', async () => {
      await send('a');
      const { session, taken } = await reading();
      await fixture.until(() => taken.length === 1);
      await session.close();
      for (const delivery of taken) session.ack(delivery);
      const again = await reading();
      await fixture.until(() => again.taken.length === 1);
    });

    test('a queue that does not exist is refused, with its name', async () => {
      const { session } = await open();
      const refused = session.consume(fixture.name('nowhere'), { prefetch: 1 }, () => undefined);
      await expect(refused).rejects.toBeInstanceOf(AmqpConsumerRefused);
      await expect(refused).rejects.toMatchObject({ kind: 'queue' });
      await expect(refused).rejects.toThrow(/nowhere.*NOT_FOUND/);
    });

    test('the deletion of a queue ends the session', async () => {
      const { closings } = await reading();
      await publisher.deleteQueue(queue);
      await fixture.until(() => closings.length === 1);
      expect(closings[0]).toContain('deleted');
    });

    test('closed is called once, and nothing is delivered afterwards', async () => {
      const { session, closings, taken } = await reading();
      await session.close();
      await session.close();
      await send('late');
      await fixture.settle();
      expect(closings).toHaveLength(1);
      expect(taken).toEqual([]);
    });

    test('no server is `unreachable`, a wrong password is `account`', async () => {
      const nowhere = fixture.unreachableConsumer.open(PATIENCE, { closed: () => undefined });
      await expect(nowhere).rejects.toMatchObject({ name: 'ConsumerRefused', kind: 'unreachable' });
      if ('none' in fixture.wrongPassword) return;
      const wrong = fixture.wrongPassword.open(PATIENCE, { closed: () => undefined });
      await expect(wrong).rejects.toMatchObject({ name: 'ConsumerRefused', kind: 'account' });
    });
  });
}
