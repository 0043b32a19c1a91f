import { describe, expect, test } from 'vitest';
import { startService } from '../../../../../../backend/service.ts';
import { openSqliteStore } from '../../../../../../backend/store/sqlite/store.ts';
import type { CrashPoint } from '../../../../../../scenarios/language/steps/backend-breaks.ts';
import { CrashPoints } from '../../../../../../scenarios/testbed/common/faults/crash-points.ts';
import { openVirtualWorld } from '../../../../../../world/virtual-world.ts';
import { ScriptedBox } from '../../../../../support/backend/scripted-box.ts';
import { BOX_ID, ingestBatch, newVehicle, storedRecord } from '../../../../../support/store/store-rows.ts';

const QUEUE = 'VehicleState_v1-crash';

/** A service that can die at points, with a box that is moved by hand; `start` begins another incarnation of it. */
async function stage() {
  const world = openVirtualWorld({ seed: 1 });
  const store = openSqliteStore(':memory:');
  await store.vehicles.save(newVehicle());
  const crashPoints = new CrashPoints(
    (taken) => world.amqpBroker.onAccepted(taken),
    (lost) => world.amqpBroker.losePublications(1, { isCut: true, onEffect: lost }),
  );
  const start = async () => {
    const instance = world.instance('backend');
    const service = startService(crashPoints.wrapWorld(instance), crashPoints.wrapStore(store), {
      baseUrl: 'http://127.0.0.1',
      mqtt: { clientId: 'backend', username: 'backend', password: 'secret' },
      answerTimeoutMs: 20_000,
      queues: [{ name: QUEUE, fleetId: 'FLEET1' }],
    });
    await world.run(() => service.started);
    await world.runFor(1_000);
    return () => {
      instance.kill();
      service.sever();
    };
  };
  const box = new ScriptedBox(world, BOX_ID);
  await world.run(() => box.connect());
  const account = async () => ({
    records: (await store.ingest.countRecords(BOX_ID)).records,
    receipts: box.receipts.length,
    messages: world.amqpBroker.messages(QUEUE).length,
    outbox: (await store.outbox.size()).messages,
    waiting: world.mqttBroker.backlog('backend').waiting,
  });
  return { world, crashPoints, start, box, account };
}

describe('a backend that crashes at a crash point', () => {
  test.each<[CrashPoint, Partial<Awaited<ReturnType<Awaited<ReturnType<typeof stage>>['account']>>>]>([
    ['after-receive', { records: 0, receipts: 0, messages: 0, waiting: 0 }],
    ['after-commit', { records: 1, receipts: 0, messages: 0, outbox: 1 }],
    ['after-publish', { records: 1, messages: 1, outbox: 1 }],
    ['before-mark', { records: 1, messages: 1, outbox: 1 }],
  ])('%s: what has happened by then stays, and nothing more happens', async (point, left) => {
    const { world, crashPoints, start, box, account } = await stage();
    const sever = await start();
    let deaths = 0;
    crashPoints.arm(point, () => {
      deaths += 1;
      sever();
    });
    await world.run(() => box.report(1));
    await world.runFor(60_000);
    expect([deaths, await account()]).toEqual([1, expect.objectContaining(left)]);
    await start();
    await world.run(() => box.report(1));
    await world.runFor(60_000);
    const ids = world.amqpBroker.messages(QUEUE).map(({ messageId }) => messageId);
    expect([new Set(ids).size, (await account()).outbox]).toEqual([1, 0]);
    expect(box.receipts.at(-1)?.[0]).toBe(1);
  });

  test('of several backends only the one that is named dies at its point, and a commit of another one is answered', async () => {
    const { crashPoints } = await stage();
    const store = openSqliteStore(':memory:');
    await store.vehicles.save(newVehicle());
    const died: (number | undefined)[] = [];
    crashPoints.arm('after-commit', (backend) => died.push(backend), 1);
    const batch = ingestBatch({ records: [storedRecord(1)] });
    await crashPoints.wrapStore(store, 2).ingest.commit(batch);
    expect(died).toEqual([]);
    void crashPoints.wrapStore(store, 1).ingest.commit(ingestBatch({ records: [storedRecord(2)] }));
    await Promise.resolve().then(() => undefined);
    await store.ingest.countRecords('0');
    expect(died).toEqual([1]);
  });

  test('a disarmed crash point has no effect', async () => {
    const { world, crashPoints, start, box, account } = await stage();
    await start();
    const disarm = crashPoints.arm('after-publish', () => expect.unreachable());
    disarm();
    disarm();
    await world.run(() => box.report(1));
    await world.runFor(10_000);
    expect(await account()).toMatchObject({ records: 1, messages: 1, outbox: 0 });
  });
});
