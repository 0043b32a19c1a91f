import { describe, expect, test } from 'vitest';
import { limits } from '../../../../backend/base/limits.ts';
import type { FleetQueue } from '../../../../backend/events/topology.ts';
import { StoreFailed } from '../../../../backend/store/port/store.ts';
import { LIMITS } from '../../../../contract/limits.ts';
import {
  CONNECTED_MS,
  OPENING_MS,
  openConnection,
  QUEUES,
} from '../../../support/backend/amqp-connection-stage.ts';

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

  test('counts how often the broker blocks and unblocks it, and takes messages again after each', async () => {
    const { pass, sessions, counters, opened } = openConnection();
    await pass(CONNECTED_MS);
    for (const isBlocked of [true, false, true, false]) sessions[0]?.events.blocked(isBlocked);
    expect(counters.read()).toMatchObject({ 'outlet.blocked': 2, 'outlet.unblocked': 2 });
    expect(opened()).toBe(3);
  });

  test('is not open over a session that ended while its queues were declared', async () => {
    const { connection, pass, sessions, opened } = openConnection();
    expect(connection.refused()).toEqual([]);
    await pass(OPENING_MS + 1);
    sessions[0]?.events.closed('cut');
    await pass(CONNECTED_MS);
    expect([connection.condition(), opened()]).toEqual(['away', 0]);
    await pass(limits.lastBackoffMs + CONNECTED_MS);
    expect([connection.condition(), opened(), sessions.length]).toEqual(['open', 1, 2]);
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
    ['x-message-ttl', `(${LIMITS.subscription.messageTtlMs})`],
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
      'the store cannot read which queues have subscribers',
    ]);
    subscribed = () => Promise.resolve([]);
    connection.subscribedElsewhere();
    await pass(0);
    expect(expects()).toBe(false);
  });

  test('learns of a change although the store failed when it was asked, without another word of it', async () => {
    const elsewhere = { name: 'three', fleetId: 'FLEET3' };
    let subscribed: () => Promise<readonly FleetQueue[]> = () => Promise.resolve([]);
    const { connection, pass } = openConnection({}, () => subscribed());
    await pass(CONNECTED_MS);
    subscribed = () => Promise.reject(new StoreFailed('locked'));
    connection.subscribedElsewhere();
    await pass(0);
    subscribed = () => Promise.resolve([elsewhere]);
    await pass(limits.firstBackoffMs);
    expect(connection.queueState({ fleetId: 'FLEET3', name: 'VehicleStateReceived' })).toBe('declared');
  });

  test('learns of a change while the store still owes an answer to the session before', async () => {
    const elsewhere = { name: 'three', fleetId: 'FLEET3' };
    let subscribed: () => Promise<readonly FleetQueue[]> = () => Promise.resolve([]);
    const { connection, pass } = openConnection({}, () => subscribed());
    await pass(CONNECTED_MS);
    const late = Promise.withResolvers<readonly FleetQueue[]>();
    subscribed = () => late.promise;
    connection.subscribedElsewhere();
    subscribed = () => Promise.resolve([]);
    connection.renew('the test wants another session');
    await pass(limits.firstBackoffMs + CONNECTED_MS);
    expect(connection.condition()).toBe('open');
    subscribed = () => Promise.resolve([elsewhere]);
    connection.subscribedElsewhere();
    await pass(0);
    late.resolve([]);
    await pass(0);
    expect(connection.queueState({ fleetId: 'FLEET3', name: 'VehicleStateReceived' })).toBe('declared');
  });

  test('declares a queue again that was deleted beside another one, within the time of a look', async () => {
    const { connection, pass, broker, counters, told } = openConnection({ missing: new Set() });
    await pass(CONNECTED_MS);
    broker.missing?.add('two');
    await pass(limits.sharedQueueLookMs + OPENING_MS);
    expect([...(broker.missing ?? [])]).toEqual([]);
    expect(counters.read()).toMatchObject({ 'queues.missing': 1, 'outlet.opened': 1 });
    expect(told.at(-1)).toEqual({
      text: 'a subscribed queue is missing at the broker and is declared again',
      fields: { queue: 'two' },
    });
    expect(connection.condition()).toBe('open');
  });

  test('tells of a missing queue that the broker refuses to declare again, and looks at it no more', async () => {
    const { connection, pass, broker, counters, told, looks } = openConnection({ missing: new Set() });
    await pass(CONNECTED_MS);
    broker.missing?.add('two');
    broker.refuses = ['two'];
    await pass(limits.sharedQueueLookMs + OPENING_MS);
    expect(connection.refused().map(({ name }) => name)).toEqual(['two']);
    expect(counters.read()).toMatchObject({ 'queues.missing': 1, 'queues.refused': 1 });
    expect(told.at(-1)?.text).toBe('the message broker refuses a queue');
    const count = looks.length;
    await pass(3 * limits.sharedQueueLookMs);
    expect(looks).toHaveLength(count);
  });

  test('keeps the messages of a missing queue whose node is down, and declares it once the node is back', async () => {
    const { connection, pass, broker } = openConnection({ missing: new Set() });
    const state = () => connection.queueState({ fleetId: 'FLEET1', name: 'VehicleStateReceived' });
    await pass(CONNECTED_MS);
    broker.missing?.add('two');
    Object.assign(broker, { refuses: ['two'], refusal: "home node 'rabbit@one' is down or inaccessible" });
    await pass(limits.sharedQueueLookMs + OPENING_MS);
    expect(state()).toBe('unreachable');
    broker.refuses = [];
    await pass(limits.unreachableQueueLookMs + OPENING_MS);
    expect([state(), [...(broker.missing ?? [])]]).toEqual(['declared', []]);
  });

  test('leaves a queue alone that is there for another connection only', async () => {
    const { pass, looks, counters } = openConnection({ exclusive: 'two' });
    await pass(CONNECTED_MS + 2 * limits.sharedQueueLookMs);
    expect(looks).toContain('two');
    expect(counters.read()['queues.missing']).toBeUndefined();
  });

  test('looks at no queue that takes its messages alone, since its loss is told by a message that comes back', async () => {
    const { connection, pass, looks } = openConnection();
    await pass(CONNECTED_MS);
    connection.removing(['two']);
    connection.added([{ name: 'three', fleetId: 'FLEET3' }]);
    await pass(10 * limits.sharedQueueLookMs);
    expect(looks).toEqual([]);
  });

  test('looks at once at what a new queue hides from then on', async () => {
    const { connection, pass, broker } = openConnection({ missing: new Set() });
    await pass(CONNECTED_MS);
    connection.removing(['one']);
    broker.missing?.add('two');
    connection.added([{ name: 'three', fleetId: 'FLEET1' }]);
    await pass(OPENING_MS);
    expect([...(broker.missing ?? [])]).toEqual([]);
  });

  describe('leaves no queue behind whose subscription another backend has ended', () => {
    const elsewhere = { name: 'three', fleetId: 'FLEET1' };

    test('before it was found missing', async () => {
      let subscribed: readonly FleetQueue[] = [elsewhere];
      const { pass, broker, deleted, looks } = openConnection({ missing: new Set() }, () =>
        Promise.resolve(subscribed),
      );
      await pass(CONNECTED_MS + OPENING_MS);
      subscribed = [];
      broker.missing?.add('three');
      await pass(limits.sharedQueueLookMs + OPENING_MS);
      expect([[...(broker.missing ?? [])], deleted]).toEqual([['three'], []]);
      const count = looks.filter((name) => name === 'three').length;
      await pass(3 * limits.sharedQueueLookMs);
      expect(looks.filter((name) => name === 'three')).toHaveLength(count);
    });

    test('where the store cannot be asked, and declares it once the store tells that it is wanted', async () => {
      let subscribed: () => Promise<readonly FleetQueue[]> = () => Promise.resolve([elsewhere]);
      const { pass, broker } = openConnection({ missing: new Set() }, () => subscribed());
      await pass(CONNECTED_MS + OPENING_MS);
      subscribed = () => Promise.reject(new StoreFailed('cut off'));
      broker.missing?.add('three');
      await pass(3 * limits.sharedQueueLookMs);
      expect([...(broker.missing ?? [])]).toEqual(['three']);
      subscribed = () => Promise.resolve([elsewhere]);
      await pass(limits.sharedQueueLookMs + OPENING_MS);
      expect([...(broker.missing ?? [])]).toEqual([]);
    });

    test.each([
      ['while it is declared again', limits.sharedQueueLookMs + CONNECTED_MS + 2 * OPENING_MS, true],
      ['while queues are declared at a connect', OPENING_MS + 5, false],
    ])('%s', async (_when, endedMs, isMissing) => {
      let subscribed: readonly FleetQueue[] = [elsewhere];
      const { pass, broker, deleted, looks } = openConnection({ missing: new Set() }, () =>
        Promise.resolve(subscribed),
      );
      if (isMissing) {
        await pass(CONNECTED_MS + OPENING_MS);
        broker.missing?.add('three');
        await pass(endedMs - CONNECTED_MS - OPENING_MS - 5);
      } else await pass(endedMs);
      subscribed = [];
      await pass(5 * OPENING_MS);
      expect(deleted).toEqual(['three']);
      const count = looks.filter((name) => name === 'three').length;
      await pass(3 * limits.sharedQueueLookMs);
      expect(looks.filter((name) => name === 'three')).toHaveLength(count);
    });
  });

  test('looks at a bounded number of queues at a time, and at all of them in turn', async () => {
    const many = Array.from({ length: 2 * limits.sharedQueuesPerLook }, (_, index) => ({
      name: `many-${index}`,
      fleetId: 'FLEET2',
    }));
    const { connection, pass, looks } = openConnection();
    await pass(CONNECTED_MS);
    connection.added(many);
    await pass(limits.sharedQueueLookMs);
    expect(looks).toHaveLength(limits.sharedQueuesPerLook);
    await pass(2 * limits.sharedQueueLookMs);
    expect(new Set(looks).size).toBe(many.length + QUEUES.length);
  });

  test('looks at nothing while it is blocked, and at once when that ends', async () => {
    const { pass, sessions, broker, looks } = openConnection({ missing: new Set() });
    await pass(CONNECTED_MS);
    sessions[0]?.events.blocked(true);
    broker.missing?.add('two');
    await pass(10 * limits.sharedQueueLookMs);
    expect(looks).toEqual([]);
    sessions[0]?.events.blocked(false);
    await pass(OPENING_MS);
    expect([...(broker.missing ?? [])]).toEqual([]);
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
