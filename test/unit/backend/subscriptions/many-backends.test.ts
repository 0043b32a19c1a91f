import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { makeCounters } from '../../../../backend/base/counters.ts';
import { subscriptionLimits } from '../../../../backend/base/limits.ts';
import type { QueueAccounts } from '../../../../backend/events/accounts.ts';
import { openSqliteStore, type SqliteStore } from '../../../../backend/store/sqlite/store.ts';
import { makeSubscriptions, type Subscriptions } from '../../../../backend/subscriptions/subscriptions.ts';
import { openVirtualWorld, type VirtualWorld } from '../../../../world/virtual-world.ts';
import { type FakeQueueAccounts, fakeQueueAccounts } from '../../../support/http/fake-queue-accounts.ts';

const QUEUE = 'VehicleState_v1-alpha';
const WISH = { fleetId: 'FLEET1', discriminator: 'alpha', topics: ['VehicleState_v1'] };
const STANDING = { ...WISH, username: 'demo-user', password: 'demo-password' };

describe('subscriptions of several backends on one store', () => {
  let world: VirtualWorld;
  let store: SqliteStore;
  let queues: FakeQueueAccounts;
  let running: Subscriptions[];
  beforeEach(() => {
    world = openVirtualWorld({ seed: 1 });
    store = openSqliteStore(':memory:');
    queues = fakeQueueAccounts(() => world.time.nowMs());
    running = [];
    queues.broker.declareExchange('messages', 'topic');
  });
  afterEach(async () => {
    for (const subscriptions of running) subscriptions.stop();
    await store.close();
  });

  function start(name: string, accounts: QueueAccounts = queues.accounts): Subscriptions {
    const subscriptions = makeSubscriptions({
      world: world.instance(name),
      store: store.subscriptions,
      accounts,
      amqpConnection: queues.amqpConnection,
      queueType: undefined,
      counters: makeCounters(),
    });
    store.listen(({ kind }) => {
      if (kind === 'subscriptions') subscriptions.changedElsewhere();
    });
    running.push(subscriptions);
    return subscriptions;
  }

  test('a standing one that several begin with is made once, and none of them fails or waits', async () => {
    const backends = ['one', 'two', 'three'].map((name) => start(name));
    const beganMs = world.time.nowMs();
    await world.run(() => Promise.all(backends.map((backend) => backend.ensure(STANDING))));
    expect(world.time.nowMs() - beganMs).toBeLessThan(1_000);
    expect(await store.subscriptions.live()).toHaveLength(1);
    expect([...queues.users.keys()]).toEqual([STANDING.username]);
    expect(queues.broker.queueNames).toEqual([QUEUE]);
  });

  test('a standing one that a backend left half made is made by another once that was taken away', async () => {
    const dueMs = world.time.nowMs() + subscriptionLimits.makingMs;
    const left = { id: 'LEFT', user: undefined, createdMs: world.time.nowMs(), dueMs };
    const queue = { topic: 'VehicleState_v1', name: QUEUE };
    const { fleetId, discriminator } = WISH;
    await store.subscriptions.begin({ ...left, fleetId, discriminator, queues: [queue] }, { perFleet: 1 });
    await world.run(() => start('other').ensure(STANDING));
    expect((await store.subscriptions.live()).map(({ queues: [one] }) => one?.name)).toEqual([QUEUE]);
  });

  test('a standing one of a name that another fleet has is refused, with what to do', async () => {
    const backend = start('one');
    await world.run(() => backend.ensure({ ...STANDING, fleetId: 'FLEET2' }));
    await expect(world.run(() => backend.ensure(STANDING))).rejects.toThrow(
      'The discriminator alpha is taken by another fleet. Choose another one.',
    );
  });

  test('one that took so long that another backend has taken it away leaves nothing at the broker', async () => {
    const granting = Promise.withResolvers<void>();
    const slow = start('slow', {
      ...queues.accounts,
      async grant(account) {
        await granting.promise;
        await queues.accounts.grant(account);
      },
    });
    start('other');
    const subscribing = slow.subscribe(WISH);
    await world.runFor(1_000);
    expect(queues.broker.queueNames).toEqual([QUEUE]);
    await world.runFor(subscriptionLimits.makingMs + subscriptionLimits.pollMs);
    expect(queues.broker.queueNames).toEqual([]);
    // The broker does now what it was asked for long ago.
    granting.resolve();
    expect(await world.run(() => subscribing)).toMatchObject({ problem: 'internal-server-error' });
    await world.runFor(1_000);
    expect([...queues.users.keys()]).toEqual([]);
    expect(await world.run(() => slow.subscribe(WISH))).toMatchObject({
      subscription: { discriminator: 'alpha' },
    });
  });

  test('one that took so long that its names are those of another one by now takes nothing of that away', async () => {
    const granting = Promise.withResolvers<void>();
    const slow = start('slow', {
      ...queues.accounts,
      async grant(account) {
        await granting.promise;
        await queues.accounts.grant(account);
      },
    });
    const other = start('other');
    const subscribing = slow.subscribe(WISH);
    await world.runFor(subscriptionLimits.makingMs + subscriptionLimits.pollMs);
    const then = await world.run(() => other.subscribe(WISH));
    if (!('subscription' in then)) throw new Error(JSON.stringify(then));
    granting.resolve();
    expect(await world.run(() => subscribing)).toMatchObject({ problem: 'internal-server-error' });
    await world.runFor(1_000);
    expect([...queues.users.keys()]).toEqual([then.username]);
    expect(queues.broker.queueNames).toEqual([QUEUE]);
  });

  test('ended ones are taken away by one backend each', async () => {
    const deleted: string[] = [];
    const accounts: QueueAccounts = {
      ...queues.accounts,
      async revoke(username) {
        deleted.push(username);
        await queues.accounts.revoke(username);
      },
    };
    const names = Array.from({ length: 50 }, (_, index) => `user-${index}`);
    for (const [index, username] of names.entries()) {
      const bounds = { perFleet: 100 };
      await store.subscriptions.begin(
        {
          id: `S${index}`,
          fleetId: 'FLEET1',
          discriminator: `d${index}`,
          user: { username, secretHash: 'hash' },
          queues: [{ topic: 'VehicleState_v1', name: `VehicleState_v1-d${index}` }],
          createdMs: world.time.nowMs(),
          dueMs: world.time.nowMs(),
        },
        bounds,
      );
    }
    for (const name of ['one', 'two', 'three']) start(name, accounts);
    await world.runFor(subscriptionLimits.endingMs);
    expect(deleted.toSorted((one, other) => one.localeCompare(other))).toEqual(
      names.toSorted((one, other) => one.localeCompare(other)),
    );
    expect(await store.subscriptions.nextOverdueMs()).toBeUndefined();
  });
});
