import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { registerClient } from '../../../backend/access/clients.ts';
import { type Service, startService } from '../../../backend/service.ts';
import type { ServiceSettings } from '../../../backend/settings.ts';
import { openSqliteStore, type SqliteStore } from '../../../backend/store/sqlite/store.ts';
import { openVirtualWorld, type ProcessInstance, type VirtualWorld } from '../../../world/virtual-world.ts';
import { ScriptedBox } from '../../support/backend/scripted-box.ts';
import { BOX_ID, newVehicle } from '../../support/store/store-rows.ts';

const QUEUE = 'VehicleState_v1-test';
const BASE_URL = 'http://127.0.0.1:8080';

describe('the backend', () => {
  let world: VirtualWorld;
  let store: SqliteStore;
  let instance: ProcessInstance;
  let service: Service;
  let box: ScriptedBox;
  beforeEach(async () => {
    world = openVirtualWorld({ seed: 1 });
    store = openSqliteStore(':memory:');
    await store.vehicles.save(newVehicle());
    box = new ScriptedBox(world, BOX_ID);
    await world.run(() => box.connect());
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
      queues: [{ name: QUEUE, fleetId: 'FLEET1' }],
      ...change,
    });
    await world.run(() => service.started);
  }

  /** As kill -9: what is committed stays, all else is gone. */
  async function crash(): Promise<void> {
    const bytes = store.serialize();
    instance.kill();
    service.sever();
    await store.close();
    store = openSqliteStore(bytes);
  }

  async function token(): Promise<string> {
    const client = await world.run(() =>
      registerClient(store.access, world, {
        fleetId: 'FLEET1',
        permissions: ['vehicles', 'vehicle-commands'],
      }),
    );
    const basic = Buffer.from(`${client.clientId}:${client.clientSecret}`).toString('base64');
    const answer = await world.run(() =>
      service.fetch(
        new Request(`${BASE_URL}/auth/oauth/token?grant_type=client_credentials`, {
          method: 'POST',
          headers: { authorization: `Basic ${basic}` },
        }),
      ),
    );
    const body: unknown = await answer.json();
    if (typeof body !== 'object' || body === null || !('access_token' in body)) throw new Error('no token');
    return String(body.access_token);
  }

  test('a report of a box is a message in the queue and the state that a client reads', async () => {
    await start();
    await world.run(() => box.send({ kind: 'birth', connection: 1 }));
    await world.run(() => box.report(1, 31));
    await world.runFor(1_000);
    expect(world.amqpBroker.messages(QUEUE).length).toBe(1);
    const bearer = await token();
    const answer = await world.run(() =>
      service.fetch(
        new Request(`${BASE_URL}/vehicles/VEH01`, { headers: { authorization: `Bearer ${bearer}` } }),
      ),
    );
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({
      id: 'VEH01',
      latest_vehicle_state: { cellular_signal_quality: { value: 5 } },
    });
  });

  test('a command is sent to the box, and its reply becomes the answer and a message with its flow id', async () => {
    await start();
    const bearer = await token();
    await world.run(() => box.send({ kind: 'birth', connection: 1 }));
    await world.runFor(1_000);
    const flowId = '6a0f5a8e-0000-4000-8000-000000000009';
    const answering = service.fetch(
      new Request(`${BASE_URL}/vehicles/VEH01/commands/request-vehicle-state`, {
        method: 'POST',
        headers: { authorization: `Bearer ${bearer}`, 'X-Service-Flow-ID': flowId },
      }),
    );
    await world.runUntil(() => box.down.some(({ message }) => message.kind === 'command'), 5_000);
    const request = box.down.map(({ message }) => message).find((message) => message.kind === 'command');
    if (request?.kind !== 'command') throw new Error('no command came down');
    const signals = { modem: { csq: 0, network: 0 } };
    await world.run(() =>
      box.send({ kind: 'reply', requestId: request.requestId, outcome: 'done', error: '', signals }, 1),
    );
    const answer = await world.run(() => answering);
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({ cellular_signal_quality: { value: 0 } });
    await world.runFor(1_000);
    const [message] = world.amqpBroker.messages(QUEUE);
    expect(message?.headers['Flow-ID']).toBe(flowId);
    expect(JSON.parse(Buffer.from(message?.body ?? []).toString())).toMatchObject({
      data: { triggered_by: { channel: 'API_COMMAND', correlation_id: flowId } },
    });
  });

  const lock = (bearer: string) =>
    service.fetch(
      new Request(`${BASE_URL}/vehicles/VEH01/commands/lock-central-lock`, {
        method: 'POST',
        headers: { authorization: `Bearer ${bearer}` },
      }),
    );
  const HELLO = {
    kind: 'hello',
    connection: 1,
    firmware: [2, 30],
    hardwareRevision: 1,
    resetReason: 'SOFTWARE',
    lowestHeld: 1,
    nextSequence: 2,
    configurationRevision: 0,
  } as const;

  test('a box whose ready was lost accepts commands again after its next record', async () => {
    await start();
    await world.run(() => box.send({ kind: 'birth', connection: 1 }));
    await world.run(() => box.send(HELLO));
    await world.runFor(1_000);
    // The broker would have its ready now, and the backend ends between taking and committing it: it never comes.
    await crash();
    await start();
    await world.runFor(60 * 60_000);
    const bearer = await token();
    expect((await world.run(() => lock(bearer))).status).toBe(504);
    await world.run(() => box.report(1));
    await world.runFor(1_000);
    void lock(bearer);
    await world.runFor(1_000);
    expect(box.down.filter(({ message }) => message.kind === 'command')).toHaveLength(1);
  });

  test('after a new broker no vehicle is online before its box sends a hello, but commands are sent', async () => {
    await start();
    await world.run(() => box.send({ kind: 'birth', connection: 1 }));
    await world.runFor(1_000);
    const life = async () => {
      const bearer = await token();
      const request = new Request(`${BASE_URL}/vehicles/VEH01`, {
        headers: { authorization: `Bearer ${bearer}` },
      });
      return JSON.parse(await (await world.run(() => service.fetch(request))).text()) as unknown;
    };
    expect(await life()).toMatchObject({ life_status: { value: 'ONLINE' } });
    await crash();
    world.mqttBroker.restart({ isPersistent: false });
    await start({ brokerIsNew: true });
    expect(await life()).toMatchObject({ life_status: { value: 'STANDBY' } });
    await world.run(() => box.connect());
    void lock(await token());
    await world.runFor(1_000);
    expect(box.down.filter(({ message }) => message.kind === 'command')).toHaveLength(1);
    await world.run(() => box.send({ ...HELLO, connection: 2 }));
    await world.run(() => box.send({ kind: 'ready' }));
    await world.runFor(1_000);
    expect(await life()).toMatchObject({ life_status: { value: 'ONLINE' } });
  });

  test('after its release it answers pending commands, accepts no others, and continues otherwise', async () => {
    await start();
    await world.run(() => box.send({ kind: 'birth', connection: 1 }));
    await world.runFor(1_000);
    const bearer = await token();
    const waiting = lock(bearer);
    await world.runUntil(() => box.down.some(({ message }) => message.kind === 'command'), 5_000);
    const releasedMs = world.time.nowMs();
    void service.release();
    expect((await world.run(() => waiting)).status).toBe(504);
    expect((await world.run(() => lock(bearer))).status).toBe(504);
    expect(world.time.nowMs() - releasedMs).toBeLessThan(1_000);
    await world.run(() => box.report(1));
    await world.runFor(1_000);
    expect(box.receipts.at(-1)).toEqual([1, []]);
  });

  test('no crash loses a receipted record, stores one twice, or gives an old record a message with a new id', async () => {
    await start();
    const last = 150;
    const chance = world.random.stream('test/crashes');
    let sent = 0;
    const contiguous = () => Math.max(0, ...box.receipts.map(([sequence]) => sequence));
    for (let round = 0; round < 40 && contiguous() < last; round += 1) {
      const receipted = contiguous();
      // The box sends again what no receipt names, and a few records more.
      sent = Math.min(last, sent + 6);
      for (let sequence = receipted + 1; sequence <= sent; sequence += 1) void box.report(sequence);
      await world.runFor(chance.whole(1, 40));
      await crash();
      expect((await store.ingest.countRecords(BOX_ID)).records).toBeGreaterThanOrEqual(contiguous());
      await start();
      await world.runFor(chance.whole(1, 60));
    }
    for (let sequence = contiguous() + 1; sequence <= last; sequence += 1) void box.report(sequence);
    await world.runFor(60_000);
    expect(contiguous()).toBe(last);
    expect((await store.ingest.countRecords(BOX_ID)).records).toBe(last);
    const records = await store.ingest.records({ boxId: BOX_ID, after: undefined, limit: 1_000 });
    const idsInQueue = new Set(world.amqpBroker.messages(QUEUE).map(({ messageId }) => messageId));
    expect(idsInQueue).toEqual(new Set(records.map(({ messageId }) => messageId)));
    expect(idsInQueue.size).toBe(last);
    expect((await store.outbox.size()).messages).toBe(0);
  });

  test('a severed backend answers no request and no longer uses the store', async () => {
    await start();
    const bearer = await token();
    let isAnswered = false;
    const request = new Request(`${BASE_URL}/vehicles`, { headers: { authorization: `Bearer ${bearer}` } });
    service.fetch(request).then(
      () => {
        isAnswered = true;
      },
      () => undefined,
    );
    service.sever();
    void box.report(1);
    await world.runFor(5_000);
    expect(isAnswered).toBe(false);
    expect((await store.ingest.countRecords(BOX_ID)).records).toBe(0);
  });

  test('a normal shutdown keeps the store open and leaves nothing behind', async () => {
    await start();
    await world.run(() => box.report(1));
    await world.runFor(1_000);
    await world.run(() => service.stop(), { withinMs: 10_000 });
    expect(world.mqttBroker.connected).toEqual([BOX_ID]);
    expect((await store.ingest.countRecords(BOX_ID)).records).toBe(1);
    expect(service.counters()).toMatchObject({ 'records.stored': 1, 'messages.confirmed': 1 });
  });
});
