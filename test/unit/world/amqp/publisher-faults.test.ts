import { describe, expect, test } from 'vitest';
import { AmqpConnectionLost, type AmqpPublisherSession } from '../../../../world/amqp/amqp-publisher.ts';
import { FaultyAmqpPublisher } from '../../../../world/amqp/faulty-amqp-publisher.ts';
import type { PublisherFaults } from '../../../../world/amqp/publisher-faults.ts';
import { sleep } from '../../../../world/time/time.ts';
import { openVirtualWorld, type VirtualWorld } from '../../../../world/virtual-world.ts';

const message = (words: string) => ({
  exchange: 'events',
  routingKey: 'fleet.Message',
  body: Buffer.from(words),
  messageId: words,
  type: 'service.Message',
  timestampS: 1_767_592_800,
  contentType: 'application/json',
  headers: {},
});

/** A publisher with faults, and its callbacks; `cut` severs its connections. */
type Faulty = (world: VirtualWorld) => {
  readonly amqp: NonNullable<VirtualWorld['amqp']>;
  readonly faults: PublisherFaults & { cut(): void };
};

function exchangeOf(world: VirtualWorld): NonNullable<VirtualWorld['amqp']> {
  if (world.amqp === undefined) throw new Error('A virtual world has an exchange');
  return world.amqp;
}

const FAULTY: readonly (readonly [string, Faulty])[] = [
  ['a virtual broker', (world) => ({ amqp: exchangeOf(world), faults: world.amqpBroker })],
  [
    'an exchange with faults laid over it',
    (world) => {
      const faults = new FaultyAmqpPublisher(world.time, world.amqpBroker);
      return { amqp: faults.wrap(exchangeOf(world)), faults };
    },
  ],
];

describe.each(FAULTY)('publishing to %s', (_, faulty) => {
  /** A world with a queue bound to everything, and a session. */
  function withSession(
    body: (stage: {
      readonly world: VirtualWorld;
      readonly faults: ReturnType<Faulty>['faults'];
      readonly session: AmqpPublisherSession;
      readonly heard: (string | boolean)[];
      readonly open: () => Promise<AmqpPublisherSession>;
      readonly words: () => readonly string[];
    }) => Promise<void>,
  ): Promise<void> {
    const world = openVirtualWorld({ seed: 5 });
    const { amqp, faults } = faulty(world);
    return world.run(async () => {
      const heard: (string | boolean)[] = [];
      const open = () =>
        amqp.open(
          { connectTimeoutMs: 5_000 },
          { closed: (reason) => heard.push(reason), blocked: (isBlocked) => heard.push(isBlocked) },
        );
      const session = await open();
      await session.declareExchange('events', 'topic');
      await session.declareQueue('queue', { messageTtlMs: 60_000 });
      await session.bind('queue', 'events', '#');
      const words = () => world.amqpBroker.messages('queue').map((each) => Buffer.from(each.body).toString());
      await body({ world, faults, session, heard, open, words });
    });
  }

  test('refused publications are not kept, and only the requested number is refused', () =>
    withSession(async ({ faults, session, words }) => {
      faults.refuseNext(2);
      const said = await Promise.all(['a', 'b', 'c'].map((each) => session.publish(message(each))));
      expect(said).toEqual(['refused', 'refused', 'confirmed']);
      expect(words()).toEqual(['c']);
    }));

  test('a lost publication is nowhere, and its publisher hears nothing while the connection is up', () =>
    withSession(async ({ world, faults, session, heard, words }) => {
      const effects: string[] = [];
      const cancel = faults.losePublications(2, { onEffect: () => effects.push('lost') });
      let answer: unknown;
      session.publish(message('a')).then(
        (outcome) => (answer = outcome),
        (error: unknown) => (answer = error),
      );
      await sleep(world.time, 60_000);
      expect([answer, effects, words(), cancel()]).toEqual([undefined, ['lost'], [], 1]);
      expect(await session.publish(message('b'))).toBe('confirmed');
      expect(heard).toEqual([]);
    }));

  test('a publication that is lost with its connection is nowhere either, and its publisher knows nothing of it', () =>
    withSession(async ({ faults, session, open, words }) => {
      faults.losePublications(1, { isCut: true });
      await expect(session.publish(message('a'))).rejects.toThrow(AmqpConnectionLost);
      const again = await open();
      expect(await again.publish(message('a'))).toBe('confirmed');
      expect(words()).toEqual(['a']);
    }));

  test('a doubled publication is kept twice and confirmed once', () =>
    withSession(async ({ faults, session, words }) => {
      const cancel = faults.doublePublications(2);
      expect(await session.publish(message('a'))).toBe('confirmed');
      expect(cancel()).toBe(1);
      await session.publish(message('b'));
      expect(words()).toEqual(['a', 'a', 'b']);
    }));

  test('while it refuses, every publication is refused and none is kept', () =>
    withSession(async ({ faults, session, words }) => {
      faults.setRefusing(true);
      expect(await session.publish(message('a'))).toBe('refused');
      expect(await session.publish(message('b'))).toBe('refused');
      faults.setRefusing(false);
      expect(await session.publish(message('c'))).toBe('confirmed');
      expect(words()).toEqual(['c']);
    }));

  test('a late confirm comes after those of later publications', () =>
    withSession(async ({ world, faults, session, words }) => {
      faults.delayConfirms(1, 30_000);
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

  test('with a confirm lost together with its connection, the message is kept and its outcome unknown', () =>
    withSession(async ({ faults, session, heard, open, words }) => {
      faults.swallowConfirms(1, { isCut: true });
      await expect(session.publish(message('a'))).rejects.toBeInstanceOf(AmqpConnectionLost);
      expect([words(), heard]).toEqual([['a'], ['connection reset']]);
      expect(await (await open()).publish(message('b'))).toBe('confirmed');
    }));

  test('without a confirm the outcome of the message stays unknown until the connection ends', () =>
    withSession(async ({ world, faults, session, words }) => {
      faults.swallowConfirms(1);
      let isSettled = false;
      const doubtful = expect(session.publish(message('a'))).rejects.toBeInstanceOf(AmqpConnectionLost);
      void doubtful.then(() => {
        isSettled = true;
      });
      expect(await session.publish(message('b'))).toBe('confirmed');
      await sleep(world.time, 3_600_000 / 100);
      expect(isSettled).toBe(false);
      expect(words()).toEqual(['a', 'b']);
      faults.cut();
      await doubtful;
    }));

  test('cancelling a count ends the rest of it, and does not affect other counts', () =>
    withSession(async ({ world, faults, session }) => {
      const spare = faults.delayConfirms(3, 60_000);
      faults.delayConfirms(1, 20_000);
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

  test('while it is blocked publications wait, then they are sent in order', () =>
    withSession(async ({ world, faults, session, heard, words }) => {
      faults.setBlocked(true);
      const publishing = Promise.all(['a', 'b', 'c'].map((each) => session.publish(message(each))));
      await sleep(world.time, 10_000);
      expect([words(), heard]).toEqual([[], [true]]);
      faults.setBlocked(false);
      expect(await publishing).toEqual(['confirmed', 'confirmed', 'confirmed']);
      expect([words(), heard]).toEqual([
        ['a', 'b', 'c'],
        [true, false],
      ]);
    }));

  test('the listener is called for each accepted publication, not for refused ones, and not after its removal', () =>
    withSession(async ({ faults, session }) => {
      let count = 0;
      const end = faults.onAccepted(() => {
        count += 1;
      });
      faults.refuseNext(1);
      await session.publish(message('a'));
      await session.publish(message('b'));
      end();
      await session.publish(message('c'));
      expect(count).toBe(1);
    }));
});
