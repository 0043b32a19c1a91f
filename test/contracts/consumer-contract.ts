import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Consumer, ConsumerRefused, type ConsumerSession, type Delivery } from '../../world/consumer.ts';
import type { Exchange, ExchangeMessage, ExchangeSession } from '../../world/exchange.ts';

export interface ConsumerStage {
  readonly consumer: Consumer;
  /** A publisher at the same broker. */
  readonly exchange: Exchange;
  /** A consumer for an address where nobody listens. */
  readonly deadConsumer: Consumer;
  /** A consumer with a wrong password, or why there is none here. */
  readonly wrongPassword: Consumer | { readonly none: string };
  /** Makes names unique to this test. */
  name(base: string): string;
  /** Resolves once `condition` holds; rejects where it does not within the stage's patience. */
  until(condition: () => boolean): Promise<void>;
  settle(): Promise<void>;
  close(): Promise<void>;
}

const PATIENCE = { connectTimeoutMs: 5_000 };

/** The behaviour that every fulfilment of `Consumer` has in common. `setUp` is called for each test. */
export function consumerContract(name: string, setUp: () => Promise<ConsumerStage>): void {
  describe(`consumer: ${name}`, () => {
    let stage: ConsumerStage;
    let queue: string;
    let publisher: ExchangeSession;
    let sessions: ConsumerSession[];

    beforeEach(async () => {
      stage = await setUp();
      sessions = [];
      queue = stage.name('queue');
      publisher = await stage.exchange.open(PATIENCE, {
        closed: () => undefined,
        blocked: () => undefined,
      });
      await publisher.declareQueue(queue, { messageTtlMs: 60_000 });
    });
    afterEach(async () => {
      for (const session of sessions) await session.close();
      await publisher.deleteQueue(queue);
      await publisher.close();
      await stage.close();
    });

    const message = (words: string): ExchangeMessage => ({
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
    const words = (taken: readonly Delivery[]) => taken.map(({ body }) => new TextDecoder().decode(body));

    async function open() {
      const closings: string[] = [];
      const session = await stage.consumer.open(PATIENCE, { closed: (reason) => closings.push(reason) });
      sessions.push(session);
      return { session, closings };
    }
    async function reading(prefetch = 10) {
      const { session, closings } = await open();
      const taken: Delivery[] = [];
      await session.consume(queue, { prefetch }, (delivery) => taken.push(delivery));
      return { session, closings, taken };
    }

    test('hands over what lies in the queue and what comes, in order, as it was sent', async () => {
      await send('a');
      const { taken } = await reading();
      await send('b', 'c');
      await stage.until(() => taken.length === 3);
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

    test('hands over no more than the prefetch until something is acknowledged', async () => {
      await send('a', 'b', 'c');
      const { session, taken } = await reading(2);
      await stage.until(() => taken.length === 2);
      await stage.settle();
      expect(words(taken)).toEqual(['a', 'b']);
      for (const delivery of [...taken]) session.ack(delivery);
      await stage.until(() => taken.length === 3);
    });

    test('what was not acknowledged comes again as redelivered, the rest never', async () => {
      await send('a', 'b');
      const first = await reading();
      await stage.until(() => first.taken.length === 2);
      const [done] = first.taken;
      if (done !== undefined) first.session.ack(done);
      await first.session.close();
      const second = await reading();
      await stage.until(() => second.taken.length === 1);
      await stage.settle();
      expect(words(second.taken)).toEqual(['b']);
      expect(second.taken[0]?.redelivered).toBe(true);
    });

    test('two sessions share a queue: each message goes to one of them', async () => {
      const [one, two] = [await reading(1), await reading(1)];
      await send('a', 'b');
      await stage.until(() => one.taken.length + two.taken.length === 2);
      expect([...words(one.taken), ...words(two.taken)].sort()).toEqual(['a', 'b']);
      expect([one.taken.length, two.taken.length]).toEqual([1, 1]);
    });

    test('an acknowledgement of what came before a close does nothing', async () => {
      await send('a');
      const { session, taken } = await reading();
      await stage.until(() => taken.length === 1);
      await session.close();
      for (const delivery of taken) session.ack(delivery);
      const again = await reading();
      await stage.until(() => again.taken.length === 1);
    });

    test('a queue that is not there is refused as such, by its name', async () => {
      const { session } = await open();
      const refused = session.consume(stage.name('nowhere'), { prefetch: 1 }, () => undefined);
      await expect(refused).rejects.toBeInstanceOf(ConsumerRefused);
      await expect(refused).rejects.toMatchObject({ kind: 'queue' });
      await expect(refused).rejects.toThrow(/nowhere.*NOT_FOUND/);
    });

    test('a queue that is deleted ends the session', async () => {
      const { closings } = await reading();
      await publisher.deleteQueue(queue);
      await stage.until(() => closings.length === 1);
      expect(closings[0]).toContain('deleted');
    });

    test('close is told once, and hands over nothing more', async () => {
      const { session, closings, taken } = await reading();
      await session.close();
      await session.close();
      await send('late');
      await stage.settle();
      expect(closings).toHaveLength(1);
      expect(taken).toEqual([]);
    });

    test('nobody there is unreachable, a wrong password an account', async () => {
      const nowhere = stage.deadConsumer.open(PATIENCE, { closed: () => undefined });
      await expect(nowhere).rejects.toMatchObject({ name: 'ConsumerRefused', kind: 'unreachable' });
      if ('none' in stage.wrongPassword) return;
      const wrong = stage.wrongPassword.open(PATIENCE, { closed: () => undefined });
      await expect(wrong).rejects.toMatchObject({ name: 'ConsumerRefused', kind: 'account' });
    });
  });
}
