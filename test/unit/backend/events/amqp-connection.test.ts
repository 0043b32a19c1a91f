import { describe, expect, test } from 'vitest';
import { makeCounters } from '../../../../backend/counters.ts';
import { startAmqpConnection } from '../../../../backend/events/amqp-connection.ts';
import type { FleetQueue } from '../../../../backend/events/topology.ts';
import { limits } from '../../../../backend/limits.ts';
import { StoreFailed } from '../../../../backend/store/port/store.ts';
import {
  type AmqpPublisherEvents,
  type AmqpPublisherSession,
  AmqpRefused,
} from '../../../../world/amqp/amqp-publisher.ts';
import { VirtualLoop } from '../../../../world/loop/virtual-loop.ts';
import { ProcessScope } from '../../../../world/loop/virtual-process-scope.ts';
import { seededRandom } from '../../../../world/random/seeded-random.ts';
import { sleep } from '../../../../world/time/time.ts';
import { virtualTime } from '../../../../world/time/virtual-time.ts';

const QUEUES = ['one', 'two'].map((name) => ({ name, fleetId: 'FLEET1' }));
const OPENING_MS = 10;

/** A connection to a broker that takes 10 ms to open and 10 ms for each queue, and does what the test says. */
function openConnection(
  broker: { isDown?: boolean; refuses?: readonly string[]; refusal?: string } = {},
  subscribed: () => Promise<readonly FleetQueue[]> = () => Promise.resolve([]),
) {
  const loop = new VirtualLoop();
  const time = virtualTime(loop, new ProcessScope('service'));
  const counters = makeCounters();
  const silent = () => undefined;
  const told: { readonly text: string; readonly fields: object }[] = [];
  const tell = (fields: object, text: string) => void told.push({ text, fields });
  const sessions: { readonly events: AmqpPublisherEvents; closes: number }[] = [];
  let opened = 0;
  const connection = startAmqpConnection({
    world: { time, random: seededRandom(1), log: { debug: silent, info: silent, warn: tell, error: tell } },
    amqp: {
      async open(_options, events): Promise<AmqpPublisherSession> {
        await sleep(time, OPENING_MS);
        if (broker.isDown === true) throw new AmqpRefused('nobody listens');
        const one = { events, closes: 0 };
        sessions.push(one);
        const done = () => Promise.resolve();
        return {
          declareExchange: done,
          async declareQueue(name) {
            await sleep(time, OPENING_MS);
            if (broker.refuses?.includes(name)) throw new AmqpRefused(broker.refusal ?? 'not allowed');
          },
          hasQueue: () => Promise.resolve(true),
          bind: done,
          unbind: done,
          deleteQueue: done,
          publish: () => Promise.resolve('confirmed' as const),
          close() {
            one.closes += 1;
            events.closed('closed');
            return Promise.resolve();
          },
        };
      },
    },
    queues: QUEUES,
    subscribed,
    queueType: broker.refusal?.includes('x-queue-type') ? undefined : 'quorum',
    counters,
    opened: () => {
      opened += 1;
    },
  });
  const pass = (durationMs: number) => loop.runUntil(loop.nowMs + durationMs);
  return { loop, connection, counters, told, sessions, pass, broker, opened: () => opened };
}

const CONNECTED_MS = 3 * OPENING_MS;

describe('the connection to the AMQP broker', () => {
  test('is away until its queues are declared, and open from then on', async () => {
    const { connection, pass, opened } = openConnection();
    await pass(CONNECTED_MS - 1);
    expect([connection.condition(), connection.session(), opened()]).toEqual(['away', undefined, 0]);
    await pass(1);
    expect(connection.condition()).toBe('open');
    expect(connection.session()).toBeDefined();
    expect(opened()).toBe(1);
  });

  test('is blocked from the beginning if the broker said so while queues were declared', async () => {
    const { connection, pass, sessions, opened } = openConnection();
    await pass(OPENING_MS + 1);
    sessions[0]?.events.blocked(true);
    await pass(CONNECTED_MS);
    expect([connection.condition(), connection.session(), opened()]).toEqual(['blocked', undefined, 0]);
    sessions[0]?.events.blocked(false);
    expect([connection.condition(), opened()]).toEqual(['open', 1]);
    expect(connection.session()).toBeDefined();
  });

  test('tells of each queue that the broker refuses, and expects no messages in it', async () => {
    const { connection, pass, counters, told } = openConnection({ refuses: ['two'] });
    await pass(CONNECTED_MS);
    expect(connection.condition()).toBe('open');
    expect(connection.refused().map(({ name }) => name)).toEqual(['two']);
    expect(counters.read()).toMatchObject({ 'queues.refused': 1, 'outlet.opened': 1 });
    expect(told).toEqual([
      {
        text: 'the message broker refuses a queue',
        fields: { queue: 'two', detail: expect.stringContaining('not allowed') },
      },
    ]);
  });

  test.each([
    ['x-queue-type', '(classic)'],
    ['x-message-ttl', `(${limits.messageTtlMs})`],
  ])('says with which %s it would have declared a queue that is there', async (argument, needed) => {
    const refusal = `PRECONDITION_FAILED - inequivalent arg '${argument}' for queue 'one'`;
    const { connection, pass } = openConnection({ refuses: ['one'], refusal });
    // A queue of another type is tried once more, with that type.
    await pass(CONNECTED_MS + OPENING_MS);
    expect(connection.refused()[0]?.detail).toContain(
      `with another ${argument} than this service declares ${needed}`,
    );
  });

  test('expects what is subscribed to by way of another backend, and no more what ends there', async () => {
    const elsewhere = { name: 'three', fleetId: 'FLEET3' };
    let subscribed: readonly FleetQueue[] = [];
    const { connection, pass } = openConnection({}, () => Promise.resolve(subscribed));
    const expects = (fleetId: string) =>
      connection.queueState({ fleetId, name: 'VehicleStateReceived' }) === 'declared';
    await pass(CONNECTED_MS);
    subscribed = [elsewhere];
    expect(expects('FLEET3')).toBe(false);
    connection.subscribedElsewhere();
    await pass(0);
    expect([expects('FLEET1'), expects('FLEET3')]).toEqual([true, true]);
    subscribed = [];
    connection.subscribedElsewhere();
    await pass(0);
    expect([expects('FLEET1'), expects('FLEET3')]).toEqual([true, false]);
  });

  test('goes on expecting what it has declared itself, which the store may not show yet', async () => {
    const { connection, pass } = openConnection();
    const expects = () =>
      connection.queueState({ fleetId: 'FLEET3', name: 'VehicleStateReceived' }) === 'declared';
    await pass(CONNECTED_MS);
    connection.added([{ name: 'three', fleetId: 'FLEET3' }]);
    connection.subscribedElsewhere();
    await pass(0);
    expect(expects()).toBe(true);
    connection.removing(['three']);
    connection.subscribedElsewhere();
    await pass(0);
    expect(expects()).toBe(false);
  });

  test('learns of a subscription that changed while it was being opened, or the store failed', async () => {
    const elsewhere = { name: 'three', fleetId: 'FLEET3' };
    let subscribed: () => Promise<readonly FleetQueue[]> = () => Promise.resolve([]);
    const { connection, pass, told } = openConnection({}, () => subscribed());
    const expects = () =>
      connection.queueState({ fleetId: 'FLEET3', name: 'VehicleStateReceived' }) === 'declared';
    await pass(OPENING_MS + 1);
    subscribed = () => Promise.resolve([elsewhere]);
    connection.subscribedElsewhere();
    await pass(CONNECTED_MS);
    expect(expects()).toBe(true);
    subscribed = () => Promise.reject(new StoreFailed('locked'));
    connection.subscribedElsewhere();
    await pass(0);
    expect([expects(), told.at(-1)?.text]).toEqual([
      true,
      'the store cannot tell which queues are subscribed to',
    ]);
    subscribed = () => Promise.resolve([]);
    connection.subscribedElsewhere();
    await pass(0);
    expect(expects()).toBe(false);
  });

  test('is opened again after it was lost', async () => {
    const { connection, pass, sessions, opened } = openConnection();
    await pass(CONNECTED_MS);
    sessions[0]?.events.closed('cut');
    expect([connection.condition(), connection.session()]).toEqual(['away', undefined]);
    await pass(limits.lastBackoffMs + CONNECTED_MS);
    expect([connection.condition(), opened(), sessions.length]).toEqual(['open', 2, 2]);
  });

  test.each(['stop', 'sever'] as const)('is not opened again after %s, which it waited for', async (how) => {
    const { connection, loop, pass, sessions, broker } = openConnection({ isDown: true });
    await pass(1_000);
    await connection[how]();
    broker.isDown = false;
    await pass(10 * limits.lastBackoffMs);
    expect(sessions).toHaveLength(0);
    expect(loop.scheduledCount).toBe(0);
  });

  test('is closed when it is stopped, whether it is open or still being opened', async () => {
    for (const afterMs of [CONNECTED_MS, OPENING_MS + 1, 1]) {
      const { connection, pass, sessions, opened } = openConnection();
      await pass(afterMs);
      await connection.stop();
      await pass(10 * limits.lastBackoffMs);
      expect(
        sessions.map(({ closes }) => closes),
        `after ${afterMs} ms`,
      ).toEqual([1]);
      expect(connection.session()).toBeUndefined();
      expect(opened()).toBe(afterMs === CONNECTED_MS ? 1 : 0);
    }
  });
});
