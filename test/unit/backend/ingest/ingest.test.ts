import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { makeCounters } from '../../../../backend/base/counters.ts';
import { limits } from '../../../../backend/base/limits.ts';
import { type Ingest, type IngestParts, startIngest } from '../../../../backend/ingest/ingest.ts';
import { type Store, StoreFailed } from '../../../../backend/store/port/store.ts';
import { openSqliteStore } from '../../../../backend/store/sqlite/store.ts';
import { topics } from '../../../../protocol/topics.ts';
import { openVirtualWorld, type VirtualWorld } from '../../../../world/virtual-world.ts';
import { translateModem } from '../../../support/backend/ingest-input.ts';
import { ScriptedBox } from '../../../support/backend/scripted-box.ts';
import { BOX_ID, newVehicle, OTHER_BOX_ID } from '../../../support/store/store-rows.ts';

describe('ingest', () => {
  let world: VirtualWorld;
  let store: Store;
  let ingest: Ingest | undefined;
  let counters: ReturnType<typeof makeCounters>;
  let box: ScriptedBox;
  let writtenCount: number;
  let settled: string[];
  let readyBoxIds: (readonly string[])[];
  beforeEach(async () => {
    world = openVirtualWorld({ seed: 1 });
    store = openSqliteStore(':memory:');
    counters = makeCounters();
    writtenCount = 0;
    settled = [];
    readyBoxIds = [];
    await store.vehicles.save(newVehicle());
    box = new ScriptedBox(world, BOX_ID);
    await world.run(() => box.connect());
  });
  afterEach(async () => {
    ingest?.sever();
    await store.close();
  });

  async function start(
    options: Partial<Pick<IngestParts, 'store' | 'translate' | 'hasMessageBroker' | 'brokerIsNew'>> = {},
  ) {
    const {
      store: ingestStore = store.ingest,
      translate = translateModem,
      hasMessageBroker = true,
      brokerIsNew = false,
    } = options;
    const started = startIngest({
      world: world.instance('backend'),
      store: ingestStore,
      account: { clientId: 'backend', username: 'backend', password: 'secret' },
      translate,
      hasMessageBroker,
      brokerIsNew,
      counters,
      requestsSettled: (requestIds) => settled.push(...requestIds),
      boxesReady: (boxIds) => readyBoxIds.push(boxIds),
      messagesWritten: () => {
        writtenCount += 1;
      },
    });
    ingest = started;
    await world.run(() => started.started);
    return started;
  }
  const complaints = () => world.warnings.map(({ message }) => message);

  test('a report is stored, its message is in the outbox, and its receipt is sent with the time', async () => {
    await start();
    await world.run(() => box.report(1, 17));
    await world.runFor(1_000);
    expect(box.receipts).toEqual([[1, []]]);
    expect(box.down[0]).toMatchObject({ generation: 2, epoch: 7, sequence: 0 });
    expect(world.time.nowMs() - (box.down[0]?.clockMs ?? 0)).toBeLessThan(2_000);
    const [row] = await store.outbox.next({ afterPosition: 0, limit: 5 });
    const [record] = await store.ingest.records({ boxId: BOX_ID, after: undefined, limit: 5 });
    expect(record?.messageId).toBe(row?.messageId);
    expect(JSON.parse(row?.body ?? '')).toMatchObject({ data: { vehicle_state: { signal: { value: 17 } } } });
    expect((await store.vehicles.find('VEH01'))?.state['signal']?.value).toBe(17);
    expect(writtenCount).toBe(1);
  });

  test('payloads that arrive together give one commit and one receipt', async () => {
    await start();
    for (let sequence = 1; sequence <= 30; sequence += 1) void box.report(sequence);
    await world.runFor(1_000);
    expect(counters.read()['commits.done']).toBeLessThan(30);
    expect(box.receipts.at(-1)).toEqual([30, []]);
    expect(box.receipts.length).toBe(counters.read()['commits.done']);
    expect(await store.ingest.countRecords(BOX_ID)).toEqual({ records: 30, lost: 0 });
  });

  test('without an AMQP broker no message is written', async () => {
    await start({ hasMessageBroker: false });
    await world.run(() => box.report(1));
    await world.runFor(1_000);
    expect(box.receipts).toEqual([[1, []]]);
    expect((await store.outbox.size()).messages).toBe(0);
    expect(writtenCount).toBe(0);
  });

  test('while the store fails no receipt is sent; the batch is committed once it works again', async () => {
    let isBroken = true;
    await start({
      store: {
        ...store.ingest,
        commit: (batch) =>
          isBroken ? Promise.reject(new StoreFailed('the disk is full')) : store.ingest.commit(batch),
      },
    });
    await world.run(() => box.report(1));
    await world.runFor(60_000);
    await world.run(() => box.report(2));
    await world.runFor(60_000);
    expect(box.receipts).toEqual([]);
    // Once for each try with a growing wait, not once for each frame.
    expect(complaints().length).toBeLessThan(60);
    isBroken = false;
    await world.runFor(2 * limits.lastStoreBackoffMs);
    expect(box.receipts.at(-1)).toEqual([2, []]);
    expect((await store.outbox.size()).messages).toBe(2);
  });

  test('while the store fails the queue grows to its limit, and then backpressure applies', async () => {
    let isBroken = true;
    await start({
      store: {
        ...store.ingest,
        commit: (batch) =>
          isBroken ? Promise.reject(new StoreFailed('the disk is full')) : store.ingest.commit(batch),
      },
    });
    const count = limits.queuedPayloads + 500;
    for (let sequence = 1; sequence <= count; sequence += 1) void box.report(sequence);
    await world.runFor(120_000);
    expect(world.mqttBroker.backlog('backend').waiting).toBeGreaterThan(0);
    isBroken = false;
    await world.runFor(120_000);
    expect(box.receipts.at(-1)).toEqual([count, []]);
    expect(await store.ingest.countRecords(BOX_ID)).toEqual({ records: count, lost: 0 });
    expect(counters.read()['intake.braked']).toBeGreaterThan(0);
  });

  test('a payload that cannot be processed is dropped with an error, without the others of its batch', async () => {
    await store.vehicles.save(newVehicle({ id: 'VEH02', boxId: OTHER_BOX_ID }));
    const other = new ScriptedBox(world, OTHER_BOX_ID);
    await world.run(() => other.connect());
    await start({
      translate: (model, signals, report) => {
        if (signals.modem?.csq === 31) throw new Error('a fault in a table');
        return translateModem(model, signals, report);
      },
    });
    // What waits while the session is away comes in one batch.
    world.networkFaults.cut('backend');
    void other.report(1);
    void box.report(1, 31);
    void box.report(2, 5);
    void other.report(2);
    await world.runFor(10_000);
    expect(counters.read()['batches.split']).toBe(1);
    expect(box.receipts.at(-1)).toEqual([0, [[2, 2]]]);
    expect(other.receipts.at(-1)).toEqual([2, []]);
    expect(counters.read()['payloads.dropped']).toBe(1);
    const dropped = world.warnings.filter(({ message }) => message.startsWith('a payload was dropped'));
    expect(dropped.map(({ fields }) => fields['topic'])).toEqual([topics.up(BOX_ID)]);
    // Batches are batches again.
    const commits = counters.read()['commits.done'] ?? 0;
    for (let sequence = 3; sequence <= 30; sequence += 1) void box.report(sequence);
    await world.runFor(1_000);
    expect(box.receipts.at(-1)).toEqual([0, [[2, 30]]]);
    expect((counters.read()['commits.done'] ?? 0) - commits).toBeLessThan(28);
  });

  test('with a new broker connections are forgotten before the first commit, even if the store fails at first', async () => {
    await start();
    await world.run(() => box.send({ kind: 'birth', connection: 1 }));
    await world.runFor(1_000);
    ingest?.sever();
    const connection = async () => (await store.vehicles.find('VEH01'))?.box.connection;
    expect(await connection()).toEqual({ counter: 1, open: true });

    world.mqttBroker.restart({ isPersistent: false });
    await world.run(() => box.connect());
    let isBroken = true;
    let forgettings = 0;
    await start({
      brokerIsNew: true,
      store: {
        ...store.ingest,
        forgetConnections: (atMs) => {
          if (isBroken) return Promise.reject(new StoreFailed('the disk is full'));
          forgettings += 1;
          return store.ingest.forgetConnections(atMs);
        },
      },
    });
    await world.run(() => box.report(1));
    await world.runFor(1_000);
    expect(await store.ingest.countRecords(BOX_ID)).toEqual({ records: 0, lost: 0 });
    isBroken = false;
    await world.runFor(2 * limits.lastStoreBackoffMs);
    expect(await connection()).toBeUndefined();
    expect(box.receipts.at(-1)).toEqual([1, []]);
    await world.run(() => box.send({ kind: 'birth', connection: 2 }));
    await world.run(() => box.report(2));
    await world.runFor(1_000);
    expect(await connection()).toEqual({ counter: 2, open: true });
    expect(forgettings).toBe(1);
  });

  test('a batch is reduced again if its vehicle was changed meanwhile', async () => {
    await start();
    await world.run(() => box.report(1));
    await world.runFor(1_000);
    await store.vehicles.save(newVehicle({ setupStatus: 'RUNNING' }));
    await world.run(() => box.report(2));
    await world.runFor(1_000);
    expect(counters.read()['commits.stale']).toBe(1);
    expect(box.receipts.at(-1)).toEqual([2, []]);
    expect((await store.outbox.size()).messages).toBe(1);
  });

  test('a box that is onboarded after its first frames is accepted from then on', async () => {
    const other = new ScriptedBox(world, OTHER_BOX_ID);
    await world.run(() => other.connect());
    await start();
    await world.run(() => other.report(1));
    await world.run(() => other.report(1));
    await world.runFor(1_000);
    expect(other.down).toEqual([]);
    expect((await store.ingest.quarantined({ limit: 9 })).map(({ fault }) => fault)).toEqual([
      'unknown-box',
      'unknown-box',
    ]);
    expect(complaints().length).toBe(1);
    await store.vehicles.save(newVehicle({ id: 'VEH02', boxId: OTHER_BOX_ID }));
    await world.run(() => other.report(1));
    await world.runFor(1_000);
    expect(other.receipts).toEqual([[1, []]]);
  });

  test('the session resumes after the broker was down, and messages from meanwhile are not lost', async () => {
    await start();
    await world.run(() => box.report(1));
    await world.runFor(1_000);
    world.networkFaults.cut('backend');
    await world.run(() => box.report(2));
    await world.runFor(5_000);
    expect(box.receipts.at(-1)).toEqual([2, []]);
    world.mqttBroker.setDown(true);
    await world.runFor(10 * 60_000);
    world.mqttBroker.setDown(false);
    await world.runFor(limits.lastBackoffMs + 5_000);
    await world.run(() => box.connect());
    await world.run(() => box.report(3));
    await world.runFor(1_000);
    expect(box.receipts.at(-1)).toEqual([3, []]);
  });

  test('a reply settles its command, notifies the command dispatcher, and its message has the flow id', async () => {
    await start();
    const requestId = '01KE60EXAMP1E0000000000001';
    const flowId = '6a0f5a8e-0000-4000-8000-000000000002';
    await store.commands.open({
      requestId,
      vehicleId: 'VEH01',
      boxId: BOX_ID,
      flowId,
      command: 'request-vehicle-state',
      openedMs: world.time.nowMs(),
      expiresMs: world.time.nowMs() + 20_000,
    });
    const signals = { modem: { csq: 3, network: 0 } };
    await world.run(() => box.send({ kind: 'reply', requestId, outcome: 'done', error: '', signals }, 1));
    await world.runFor(1_000);
    expect(settled).toEqual([requestId]);
    expect((await store.commands.find(requestId))?.state?.['signal']?.value).toBe(3);
    const [row] = await store.outbox.next({ afterPosition: 0, limit: 5 });
    expect(JSON.parse(row?.body ?? '')).toMatchObject({
      metadata: { flow_id: flowId },
      data: { triggered_by: { channel: 'API_COMMAND', correlation_id: flowId } },
    });
  });

  test('a box is told to be ready when it becomes so, and not again with each record', async () => {
    await start();
    await world.run(() => box.send({ kind: 'birth', connection: 1 }));
    await world.run(() => box.report(1));
    await world.run(() => box.report(2));
    await world.runFor(1_000);
    expect(readyBoxIds).toEqual([[BOX_ID]]);
    await world.run(() => box.send({ kind: 'going-down', connection: 1, reason: 'reset', expectedS: 20 }));
    await world.run(() => box.send({ kind: 'birth', connection: 2 }));
    await world.run(() => box.report(3));
    await world.runFor(1_000);
    expect(readyBoxIds).toEqual([[BOX_ID], [BOX_ID]]);
  });

  test('its condition tells of the broker, the store and the queue', async () => {
    let isBroken = false;
    const commit = store.ingest.commit.bind(store.ingest);
    const running = await start({
      store: {
        ...store.ingest,
        commit: (batch) => (isBroken ? Promise.reject(new StoreFailed('disk full')) : commit(batch)),
      },
    });
    const fine = { isConnected: true, isStoreFailing: false, fill: 0, isHoldingBack: false };
    expect(running.condition()).toEqual(fine);
    isBroken = true;
    await world.run(() => box.report(1));
    await world.runFor(1_000);
    expect(running.condition()).toMatchObject({ isStoreFailing: true, isHoldingBack: false });
    expect(running.condition().fill).toBeGreaterThan(0);
    isBroken = false;
    await world.runFor(2 * limits.lastStoreBackoffMs);
    expect(running.condition()).toEqual(fine);
    world.mqttBroker.setDown(true);
    await world.runFor(1_000);
    expect(running.condition()).toEqual({ ...fine, isConnected: false });
    world.mqttBroker.setDown(false);
    await world.runFor(limits.lastBackoffMs + 5_000);
    expect(running.condition()).toEqual(fine);
  });

  test('a normal shutdown commits and receipts what had arrived', async () => {
    const running = await start();
    await world.run(() => box.report(1));
    await world.runUntil(
      () => counters.read()['payloads'] !== undefined || world.mqttBroker.backlog('backend').waiting > 0,
    );
    await world.runFor(20);
    await world.run(() => running.stop(), { withinMs: 10_000 });
    await world.runFor(1_000);
    expect(world.mqttBroker.connected).toEqual([BOX_ID]);
    // What the broker had not handed over waits there for the next session.
    await start();
    await world.runFor(1_000);
    expect(box.receipts.at(-1)).toEqual([1, []]);
    expect(await store.ingest.countRecords(BOX_ID)).toEqual({ records: 1, lost: 0 });
  });

  test.each(['stop', 'sever'] as const)(
    'after %s while the broker is down it does not come back',
    async (how) => {
      const running = await start();
      world.mqttBroker.setDown(true);
      await world.runFor(1_000);
      await world.run(() => Promise.resolve(running[how]()));
      world.mqttBroker.setDown(false);
      await world.runFor(2 * limits.lastBackoffMs);
      expect(running.condition().isConnected).toBe(false);
      expect(counters.read()['uplink.opened']).toBe(1);
    },
  );

  test('after it is severed nothing of what it had taken is committed', async () => {
    let isBroken = true;
    const running = await start({
      store: {
        ...store.ingest,
        commit: (batch) =>
          isBroken ? Promise.reject(new StoreFailed('the disk is full')) : store.ingest.commit(batch),
      },
    });
    await world.run(() => box.report(1));
    await world.runFor(1_000);
    expect(running.condition().fill).toBeGreaterThan(0);
    running.sever();
    isBroken = false;
    await world.runFor(2 * limits.lastStoreBackoffMs);
    expect((await store.ingest.countRecords(BOX_ID)).records).toBe(0);
  });

  test('after it is severed nothing is sent, and a later instance continues', async () => {
    const first = await start();
    void box.report(1);
    first.sever();
    await world.runFor(1_000);
    expect(box.down).toEqual([]);
    await start();
    await world.run(() => box.report(1));
    await world.runFor(1_000);
    expect(box.receipts.at(-1)).toEqual([1, []]);
  });

  test('a command is sent over the same session', async () => {
    const running = await start();
    await world.run(() => running.send(topics.down(BOX_ID), Uint8Array.of(1)));
    world.mqttBroker.setDown(true);
    await world.runFor(100);
    await expect(running.send(topics.down(BOX_ID), Uint8Array.of(1))).rejects.toMatchObject({
      name: 'NotSent',
    });
  });
});
