import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { registerClient } from '../../../../backend/access/clients.ts';
import { limits, subscriptionLimits } from '../../../../backend/base/limits.ts';
import { AccountsUnreachable } from '../../../../backend/events/accounts.ts';
import { writeStateReceived } from '../../../../backend/events/message.ts';
import { type Service, startService } from '../../../../backend/service.ts';
import type { ServiceSettings } from '../../../../backend/settings.ts';
import { openSqliteStore, type SqliteStore } from '../../../../backend/store/sqlite/store.ts';
import { LIMITS } from '../../../../contract/limits.ts';
import {
  openVirtualWorld,
  type ProcessInstance,
  type VirtualWorld,
} from '../../../../world/virtual-world.ts';
import { type FakeQueueAccounts, fakeQueueAccounts } from '../../../support/http/fake-queue-accounts.ts';
import { ingestBatch, newVehicle, START_MS } from '../../../support/store/store-rows.ts';

const BASE_URL = 'http://service.test';
const QUEUE = 'VehicleState_v1-alpha';
const DEMO = {
  fleetId: 'FLEET1',
  discriminator: 'demo',
  topics: ['VehicleState_v1', 'SmokeDetected_v1'],
  username: 'demo-user',
  password: 'demo-password',
};

describe('subscriptions with a service, its outbox publisher and a message broker', () => {
  let world: VirtualWorld;
  let store: SqliteStore;
  let instance: ProcessInstance;
  let service: Service;
  let users: FakeQueueAccounts;
  beforeEach(async () => {
    world = openVirtualWorld({ seed: 1 });
    store = openSqliteStore(':memory:');
    users = fakeQueueAccounts(() => 0);
    await store.vehicles.save(newVehicle());
  });
  afterEach(async () => {
    service.sever();
    await store.close();
  });

  async function start(change: Partial<ServiceSettings> = {}): Promise<void> {
    instance = world.instance('backend');
    service = startService(instance, store, {
      baseUrl: BASE_URL,
      mqtt: { clientId: 'backend', username: 'backend', password: 'secret' },
      answerTimeoutMs: 20_000,
      queues: [],
      accounts: users.accounts,
      ...change,
    });
    await world.run(() => service.started);
    await world.runFor(1_000);
  }
  /** As kill -9, and a new start on what was committed. */
  async function crash(): Promise<void> {
    const bytes = store.serialize();
    instance.kill();
    service.sever();
    await store.close();
    store = openSqliteStore(bytes);
  }

  /** A request with a token of a client of the fleet. */
  async function requestOf(
    method: string,
    path: string,
    body?: object,
    fleetId = 'FLEET1',
  ): Promise<Request> {
    const { clientId, clientSecret } = await world.run(() =>
      registerClient(store.access, world, { fleetId, permissions: ['message-subscriptions'] }),
    );
    const answer = await world.run(() =>
      service.fetch(
        new Request(`${BASE_URL}/auth/oauth/token?grant_type=client_credentials`, {
          method: 'POST',
          headers: { authorization: `Basic ${btoa(`${clientId}:${clientSecret}`)}` },
        }),
      ),
    );
    const { access_token: bearer } = (await answer.json()) as { access_token: string };
    return new Request(`${BASE_URL}${path}`, {
      method,
      headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  }
  const call = async (...request: Parameters<typeof requestOf>) => {
    const whole = await requestOf(...request);
    return world.run(() => service.fetch(whole));
  };
  const wishFor = (discriminator: string) => ({
    queue_discriminator: discriminator,
    topics: ['VehicleState_v1'],
  });
  const subscribe = async (discriminator = 'alpha', fleetId = 'FLEET1') => {
    const answer = await call('POST', '/message-subscriptions', wishFor(discriminator), fleetId);
    return { status: answer.status, body: (await answer.json()) as Readonly<Record<string, string>> };
  };
  const cancel = async ({ id = '' }: Readonly<Record<string, string>>) =>
    (await call('DELETE', `/message-subscriptions/${id}`)).status;

  let count = 0;
  /** A vehicle state of the fleet, by its id. */
  async function happen(fleetId = 'FLEET1'): Promise<string> {
    count += 1;
    const id = `01J9Z3M4S5T6V7W8X9Y0Z${String(count).padStart(5, '0')}`;
    const told = writeStateReceived({
      messageId: id,
      flowId: '6a0f5a8e-0000-4000-8000-000000000001',
      createdMs: START_MS,
      vehicleId: 'VEH01',
      fleetId,
      partition: 0,
      receivedMs: START_MS,
      triggeredBy: undefined,
      properties: {},
    });
    await store.ingest.commit(ingestBatch({ messages: [told] }));
    await world.runFor(limits.outboxPollMs + 1_000);
    return id;
  }
  const arrived = (queue = QUEUE) => world.amqpBroker.messages(queue).map(({ messageId }) => messageId);
  const isOutboxEmpty = async () => (await store.outbox.size()).messages === 0;

  test('only messages of its fleet are kept, from the subscription until its end', async () => {
    await start();
    await happen();
    expect(await isOutboxEmpty()).toBe(true);
    const { status, body } = await subscribe();
    expect(status).toBe(201);
    expect(arrived()).toEqual([]);
    const mine = await happen();
    await happen('FLEET2');
    expect(arrived()).toEqual([mine]);
    expect(await cancel(body)).toBe(204);
    expect(world.amqpBroker.queueNames).toEqual([]);
    const openings = service.counters()['outlet.opened'];
    await happen();
    expect(await isOutboxEmpty()).toBe(true);
    // The outbox publisher does not declare the queue again as if it were lost.
    expect(service.counters()['outlet.opened']).toBe(openings);
  });

  test('each fleet reads its own', async () => {
    await start();
    await subscribe('alpha');
    await subscribe('beta', 'FLEET2');
    const [mine, theirs] = [await happen(), await happen('FLEET2')];
    expect(arrived()).toEqual([mine]);
    expect(arrived('VehicleState_v1-beta')).toEqual([theirs]);
  });

  test('its queues are declared again if the broker has lost them', async () => {
    await start();
    await subscribe();
    world.amqpBroker.deleteQueue(QUEUE);
    world.amqpBroker.cut();
    await world.runFor(limits.lastBackoffMs);
    expect(arrived()).toEqual([]);
    expect(world.amqpBroker.queueNames).toEqual([QUEUE]);
    const id = await happen();
    expect(arrived()).toEqual([id]);
  });

  test('it survives a crash of the service, with its queue and its user', async () => {
    await start();
    const { body } = await subscribe();
    const before = await happen();
    await crash();
    await start();
    const after = await happen();
    expect(arrived()).toEqual([before, after]);
    expect((await store.subscriptions.userOf(body['username'] ?? ''))?.queues).toEqual([QUEUE]);
    expect(await cancel(body)).toBe(204);
    expect(users.users.size).toBe(0);
  });

  test('a crash at any moment of its creation leaves it complete, or nothing of it', async () => {
    let whole = 0;
    let nothing = 0;
    for (let atMs = 1; atMs < 40; atMs += 3) {
      await start();
      // Nobody hears the answer of a process that is gone.
      void service.fetch(await requestOf('POST', '/message-subscriptions', wishFor('alpha')));
      await world.runFor(atMs);
      await crash();
      await start();
      await world.runFor(subscriptionLimits.makingMs + 2 * subscriptionLimits.endingMs);
      const live = await store.subscriptions.live();
      expect(world.amqpBroker.queueNames).toEqual(live.length === 0 ? [] : [QUEUE]);
      expect(users.users.size).toBe(live.length);
      if (live.length === 0) nothing += 1;
      else whole += 1;
      for (const { id } of live) expect(await cancel({ id })).toBe(204);
      service.sever();
      instance.kill();
    }
    expect(whole).toBeGreaterThan(0);
    expect(nothing).toBeGreaterThan(0);
  });

  test('a connection lost during its creation gives a 500 and leaves nothing of it', async () => {
    for (let atMs = 1; atMs < 30; atMs += 4) {
      await start();
      const asking = service.fetch(await requestOf('POST', '/message-subscriptions', wishFor('alpha')));
      await world.runFor(atMs);
      world.amqpBroker.cut();
      const { status } = await world.run(() => asking);
      await world.runFor(subscriptionLimits.makingMs + 2 * subscriptionLimits.endingMs);
      const live = await store.subscriptions.live();
      expect([201, 500]).toContain(status);
      expect(live.length).toBe(status === 201 ? 1 : 0);
      expect(world.amqpBroker.queueNames).toEqual(status === 201 ? [QUEUE] : []);
      expect(users.users.size).toBe(live.length);
      for (const { id } of live) expect(await cancel({ id })).toBe(204);
      service.sever();
      instance.kill();
    }
  });

  test('a queue with other arguments is reported at the start, and the others work', async () => {
    await start();
    await subscribe('alpha');
    await subscribe('beta');
    await crash();
    world.amqpBroker.deleteQueue(QUEUE);
    world.amqpBroker.declareQueue(QUEUE, { messageTtlMs: 1 });
    await start();
    expect(service.refusedQueues()).toEqual([
      {
        name: QUEUE,
        detail: `The message broker has a queue ${QUEUE} already, with another x-message-ttl than this service declares (604800000). Delete that queue at the broker, or choose another discriminator.`,
      },
    ]);
    expect(service.counters()['queues.refused']).toBe(1);
    const id = await happen();
    expect(arrived('VehicleState_v1-beta')).toEqual([id]);
  });

  test('with quorum queues in the settings these are declared', async () => {
    await start({ queueType: 'quorum' });
    await subscribe();
    const again = () =>
      world.amqpBroker.declareQueue(QUEUE, { messageTtlMs: LIMITS.subscription.messageTtlMs });
    expect(again).toThrow('x-queue-type');
  });

  describe('an account administration that does not answer', () => {
    const watched = () => ({
      ...users.accounts,
      check: async () => {
        if (users.areAccountsAway) throw new AccountsUnreachable('nobody is there');
      },
    });
    const health = async () => {
      const answer = await world.run(() => service.fetch(new Request(`${BASE_URL}/health/ready`)));
      const { status, checks } = (await answer.json()) as {
        status: string;
        checks: { name: string; status: string; reason: string }[];
      };
      return [answer.status, status, checks.find(({ name }) => name === 'accounts')?.status];
    };
    const warnings = () =>
      world.warnings.filter(({ message }) => message.includes('management interface of the message broker'));

    test('is logged once and shown in health before any subscription, and is retried until it answers', async () => {
      users.areAccountsAway = true;
      await start({ accounts: watched() });
      let isThere = false;
      void service.ensureSubscription(DEMO).then(() => {
        isThere = true;
      });
      await world.runFor(10 * 60_000);
      expect(await health()).toEqual([200, 'degraded', 'degraded']);
      expect(isThere).toBe(false);
      expect(warnings()).toHaveLength(1);
      expect(warnings()[0]).toMatchObject({ level: 'warn', fields: { reason: 'nobody is there' } });
      users.areAccountsAway = false;
      await world.runFor(subscriptionLimits.retryMs);
      expect(await health()).toEqual([200, 'ready', 'ok']);
      expect(isThere).toBe(true);
      expect(users.users.get('demo-user')?.queues).toHaveLength(2);
    });

    test('is detected later too, even without subscriptions', async () => {
      await start({ accounts: watched() });
      expect(await health()).toEqual([200, 'ready', 'ok']);
      users.areAccountsAway = true;
      await world.runFor(subscriptionLimits.accountsLookMs);
      expect(await health()).toEqual([200, 'degraded', 'degraded']);
    });
  });

  describe('a subscription required at the start', () => {
    const QUEUES = ['VehicleState_v1-demo', 'SmokeDetected_v1-demo'];

    test('exists when its promise resolves, with the given user', async () => {
      await start();
      await world.run(() => service.ensureSubscription(DEMO));
      expect(world.amqpBroker.queueNames).toEqual(QUEUES);
      expect(users.users.get('demo-user')).toEqual({
        username: 'demo-user',
        password: 'demo-password',
        queues: QUEUES,
      });
      const kept = await store.subscriptions.userOf('demo-user');
      expect(
        await world.run(() => instance.crypto.verifySecret('demo-password', kept?.secretHash ?? '')),
      ).toBe(true);
      const id = await happen();
      expect(arrived('VehicleState_v1-demo')).toEqual([id]);
    });

    test('waits for a broker that is down, and is created when it is up', async () => {
      world.amqpBroker.setDown(true);
      await start();
      let isThere = false;
      void service.ensureSubscription(DEMO).then(() => {
        isThere = true;
      });
      const id = await happen();
      await world.runFor(5 * 60_000);
      expect(isThere).toBe(false);
      world.amqpBroker.setDown(false);
      await world.runFor(limits.lastBackoffMs + 1_000);
      expect(isThere).toBe(true);
      expect(arrived('VehicleState_v1-demo')).toEqual([id]);
    });

    test('is kept over restarts, with the messages in its queues; its password may change', async () => {
      await start();
      await world.run(() => service.ensureSubscription(DEMO));
      const id = await happen();
      await crash();
      await start();
      await world.run(() => service.ensureSubscription({ ...DEMO, password: 'another' }));
      expect((await store.subscriptions.live()).length).toBe(1);
      expect(arrived('VehicleState_v1-demo')).toEqual([id]);
      expect(users.users.get('demo-user')?.password).toBe('another');
    });

    test('is refused if its names belong to another fleet', async () => {
      await start();
      expect((await subscribe('demo', 'FLEET2')).status).toBe(201);
      const ensuring = service.ensureSubscription(DEMO);
      await expect(world.run(() => ensuring)).rejects.toThrow('demo is taken');
    });
  });
});
