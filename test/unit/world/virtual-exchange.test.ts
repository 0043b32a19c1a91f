import { describe, expect, test } from 'vitest';
import { ExchangeLost, ExchangeRefused, type ExchangeSession } from '../../../world/exchange.ts';
import { sleep } from '../../../world/time.ts';
import { openVirtualWorld, type VirtualWorld } from '../../../world/virtual-world.ts';

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

/** A world with a queue that takes everything, and a session to it. */
function withSession(
  body: (stage: {
    readonly world: VirtualWorld;
    readonly session: ExchangeSession;
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
    const words = () =>
      world.exchangeBroker.messages('queue').map((each) => Buffer.from(each.body).toString());
    await body({ world, session, heard, words });
  });
}

function open(world: VirtualWorld, heard: (string | boolean)[] = []): Promise<ExchangeSession> {
  if (world.exchange === undefined) throw new Error('A virtual world has an exchange');
  return world.exchange.open(
    { connectTimeoutMs: 5_000 },
    { closed: (reason) => heard.push(reason), blocked: (isBlocked) => heard.push(isBlocked) },
  );
}

describe('the virtual exchange', () => {
  test('refused publications are not kept, and only as many as were asked for', () =>
    withSession(async ({ world, session, words }) => {
      world.exchangeBroker.refuseNext(2);
      const said = await Promise.all(['a', 'b', 'c'].map((each) => session.publish(message(each))));
      expect(said).toEqual(['refused', 'refused', 'confirmed']);
      expect(words()).toEqual(['c']);
    }));

  test('while it refuses, every publication is refused and none is kept', () =>
    withSession(async ({ world, session, words }) => {
      world.exchangeBroker.setRefusing(true);
      expect(await session.publish(message('a'))).toBe('refused');
      expect(await session.publish(message('b'))).toBe('refused');
      world.exchangeBroker.setRefusing(false);
      expect(await session.publish(message('c'))).toBe('confirmed');
      expect(words()).toEqual(['c']);
    }));

  test('a confirm that is late is passed by the next ones', () =>
    withSession(async ({ world, session, words }) => {
      world.exchangeBroker.delayConfirms(1, 30_000);
      const order: string[] = [];
      const fromMs = world.loop.nowMs;
      const said = ['a', 'b'].map(async (each) => {
        await session.publish(message(each));
        order.push(each);
      });
      await Promise.all(said);
      expect([order, words()]).toEqual([
        ['b', 'a'],
        ['a', 'b'],
      ]);
      expect(world.loop.nowMs - fromMs).toBeGreaterThan(30_000);
    }));

  test('a confirm that is lost with its connection leaves the message kept and in doubt', () =>
    withSession(async ({ world, session, heard, words }) => {
      world.exchangeBroker.swallowConfirms(1, { isCut: true });
      await expect(session.publish(message('a'))).rejects.toBeInstanceOf(ExchangeLost);
      expect([words(), heard]).toEqual([['a'], ['connection reset']]);
      expect(await (await open(world)).publish(message('b'))).toBe('confirmed');
    }));

  test('a confirm that never comes leaves the message in doubt until the connection ends', () =>
    withSession(async ({ world, session, words }) => {
      world.exchangeBroker.swallowConfirms(1);
      let isSettled = false;
      const doubtful = expect(session.publish(message('a'))).rejects.toBeInstanceOf(ExchangeLost);
      void doubtful.then(() => {
        isSettled = true;
      });
      expect(await session.publish(message('b'))).toBe('confirmed');
      await sleep(world.time, 3_600_000 / 100);
      expect(isSettled).toBe(false);
      expect(words()).toEqual(['a', 'b']);
      world.exchangeBroker.cut();
      await doubtful;
    }));

  test('what is left of a count is spared once it is taken back, and no other count is', () =>
    withSession(async ({ world, session }) => {
      const spare = world.exchangeBroker.delayConfirms(3, 60_000);
      world.exchangeBroker.delayConfirms(1, 20_000);
      const took = async (text: string) => {
        const fromMs = world.loop.nowMs;
        await session.publish(message(text));
        return Math.floor((world.loop.nowMs - fromMs) / 10_000) * 10;
      };
      const first = await took('a');
      spare();
      spare();
      expect([first, await took('b'), await took('c')]).toEqual([60, 20, 0]);
    }));

  test('a cut tells the session once; what was under way is in doubt: kept or not', () =>
    withSession(async ({ world, session, heard, words }) => {
      const publishing = Array.from({ length: 20 }, (_, index) => session.publish(message(`${index}`)));
      const settled = Promise.allSettled(publishing);
      world.loop.schedule(world.loop.nowMs + 3, 'cut', () => world.exchangeBroker.cut());
      const outcomes = await settled;
      await sleep(world.time, 1_000);
      expect(heard).toEqual(['connection reset']);
      const confirmedCount = outcomes.filter((outcome) => outcome.status === 'fulfilled').length;
      expect(words().length).toBeGreaterThanOrEqual(confirmedCount);
      for (const outcome of outcomes)
        if (outcome.status === 'rejected') expect(outcome.reason).toBeInstanceOf(ExchangeLost);
      await expect(session.publish(message('late'))).rejects.toBeInstanceOf(ExchangeLost);
    }));

  test('a broker that is down refuses, keeps its queues, and takes callers in again', () =>
    withSession(async ({ world, session, words }) => {
      await session.publish(message('a'));
      world.exchangeBroker.setDown(true);
      await expect(open(world)).rejects.toBeInstanceOf(ExchangeRefused);
      world.exchangeBroker.setDown(false);
      const again = await open(world);
      await again.publish(message('b'));
      expect(words()).toEqual(['a', 'b']);
    }));

  test('while it is blocked publications wait, then they go out in order', () =>
    withSession(async ({ world, session, heard, words }) => {
      world.exchangeBroker.setBlocked(true);
      const publishing = Promise.all(['a', 'b', 'c'].map((each) => session.publish(message(each))));
      await sleep(world.time, 10_000);
      expect([words(), heard]).toEqual([[], [true]]);
      world.exchangeBroker.setBlocked(false);
      expect(await publishing).toEqual(['confirmed', 'confirmed', 'confirmed']);
      expect([words(), heard]).toEqual([
        ['a', 'b', 'c'],
        [true, false],
      ]);
    }));

  test('a blocked broker cannot keep a session from closing', () =>
    withSession(async ({ world, session, heard }) => {
      world.exchangeBroker.setBlocked(true);
      await session.close();
      expect(heard).toEqual([true, 'closed']);
    }));

  test('messages live as long as their queue says', () =>
    withSession(async ({ world, session, words }) => {
      await session.publish(message('a'));
      await sleep(world.time, 40_000);
      await session.publish(message('b'));
      await sleep(world.time, 30_000);
      expect(words()).toEqual(['b']);
      expect(world.exchangeBroker.drain('queue')).toHaveLength(1);
      expect(words()).toEqual([]);
    }));

  test('direct, fanout and headers exchanges choose as theirs do, and the nameless one by queue name', () =>
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
      expect(world.exchangeBroker.queueNames).toEqual(['queue', 'q-direct', 'q-fanout', 'q-headers']);
    }));
});
