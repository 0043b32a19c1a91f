import { describe, expect, test } from 'vitest';
import {
  AmqpConnectionLost,
  type AmqpPublisherSession,
  AmqpRefused,
} from '../../../../world/amqp/amqp-publisher.ts';
import { sleep } from '../../../../world/time/time.ts';
import { openVirtualWorld, type VirtualWorld } from '../../../../world/virtual-world.ts';

const message = (words: string, more: { readonly routingKey?: string; readonly exchange?: string } = {}) => ({
  exchange: 'events',
  routingKey: 'fleet.Message',
  body: Buffer.from(words),
  messageId: words,
  type: 'service.Message',
  timestampS: 1_767_592_800,
  contentType: 'application/json',
  headers: {},
  ...more,
});

/** A world with a queue bound to everything, and a session. */
function withSession(
  body: (stage: {
    readonly world: VirtualWorld;
    readonly session: AmqpPublisherSession;
    readonly heard: (string | boolean)[];
    readonly words: () => readonly string[];
  }) => Promise<void>,
): Promise<void> {
  const world = openVirtualWorld({ seed: 5 });
  return world.run(async () => {
    const heard: (string | boolean)[] = [];
    const session = await open(world, heard);
    await session.declareExchange('events', 'topic');
    await session.declareQueue('queue', { messageTtlMs: 60_000 });
    await session.bind('queue', 'events', '#');
    const words = () => world.amqpBroker.messages('queue').map((each) => Buffer.from(each.body).toString());
    await body({ world, session, heard, words });
  });
}

function open(world: VirtualWorld, heard: (string | boolean)[] = []): Promise<AmqpPublisherSession> {
  if (world.amqp === undefined) throw new Error('A virtual world has an exchange');
  return world.amqp.open(
    { connectTimeoutMs: 5_000 },
    { closed: (reason) => heard.push(reason), blocked: (isBlocked) => heard.push(isBlocked) },
  );
}

describe('the virtual AMQP publisher', () => {
  test('a severed connection closes the session once; publications in flight were kept or not', () =>
    withSession(async ({ world, session, heard, words }) => {
      const publishing = Array.from({ length: 20 }, (_, index) => session.publish(message(`${index}`)));
      const settled = Promise.allSettled(publishing);
      world.loop.schedule(world.loop.nowMs + 3, 'cut', () => world.amqpBroker.cut());
      const outcomes = await settled;
      await sleep(world.time, 1_000);
      expect(heard).toEqual(['connection reset']);
      const confirmedCount = outcomes.filter((outcome) => outcome.status === 'fulfilled').length;
      expect(words().length).toBeGreaterThanOrEqual(confirmedCount);
      for (const outcome of outcomes)
        if (outcome.status === 'rejected') expect(outcome.reason).toBeInstanceOf(AmqpConnectionLost);
      await expect(session.publish(message('late'))).rejects.toBeInstanceOf(AmqpConnectionLost);
    }));

  test('a broker that is down refuses connections, keeps its queues, and accepts connections again', () =>
    withSession(async ({ world, session, words }) => {
      await session.publish(message('a'));
      world.amqpBroker.setDown(true);
      await expect(open(world)).rejects.toBeInstanceOf(AmqpRefused);
      world.amqpBroker.setDown(false);
      const again = await open(world);
      await again.publish(message('b'));
      expect(words()).toEqual(['a', 'b']);
    }));

  test('a blocked broker cannot prevent a session from closing', () =>
    withSession(async ({ world, session, heard }) => {
      world.amqpBroker.setBlocked(true);
      await session.close();
      expect(heard).toEqual([true, 'closed']);
    }));

  test('messages expire after the time that their queue sets', () =>
    withSession(async ({ world, session, words }) => {
      await session.publish(message('a'));
      await sleep(world.time, 40_000);
      await session.publish(message('b'));
      await sleep(world.time, 30_000);
      expect(words()).toEqual(['b']);
      expect(world.amqpBroker.drain('queue')).toHaveLength(1);
      expect(words()).toEqual([]);
    }));

  test('direct, fanout and headers exchanges route by their rules, and the default one by queue name', () =>
    withSession(async ({ world, session }) => {
      const taken: Record<string, unknown> = {};
      for (const type of ['direct', 'fanout', 'headers'] as const) {
        await session.declareExchange(type, type);
        await session.declareQueue(`q-${type}`, { messageTtlMs: 60_000 });
        await session.bind(`q-${type}`, type, 'a.*');
        const outcomes = [];
        for (const routingKey of ['a.*', 'a.b'])
          outcomes.push(await session.publish(message('x', { exchange: type, routingKey })));
        taken[type] = outcomes;
      }
      expect(taken).toEqual({
        direct: ['confirmed', 'unroutable'],
        fanout: ['confirmed', 'confirmed'],
        headers: ['confirmed', 'confirmed'],
      });
      expect(await session.publish(message('x', { exchange: '', routingKey: 'q-direct' }))).toBe('confirmed');
      expect(world.amqpBroker.queueNames).toEqual(['queue', 'q-direct', 'q-fanout', 'q-headers']);
    }));
});
