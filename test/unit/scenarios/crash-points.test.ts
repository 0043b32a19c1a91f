import { describe, expect, test } from 'vitest';
import { startService } from '../../../backend/service.ts';
import { openSqliteStore } from '../../../backend/store/sqlite.ts';
import { CrashPoints } from '../../../scenarios/crash-points.ts';
import type { CrashPoint } from '../../../scenarios/language/breaks.ts';
import { openVirtualWorld } from '../../../world/virtual-world.ts';
import { BOX, newVehicle } from '../../contracts/store-kit.ts';
import { HandBox } from '../backend/ingest/hand-box.ts';

const QUEUE = 'VehicleState_v1-crash';

/** A service that can die at points, with a box that is moved by hand; `start` begins another incarnation of it. */
async function stage() {
  const world = openVirtualWorld({ seed: 1 });
  const store = openSqliteStore(':memory:');
  await store.vehicles.save(newVehicle());
  const points = new CrashPoints((taken) => world.exchangeBroker.whenTaken(taken));
  const start = async () => {
    const life = world.incarnation('backend');
    const service = startService(points.world(life), points.store(store), {
      baseUrl: 'http://127.0.0.1',
      mqtt: { clientId: 'backend', username: 'backend', password: 'secret' },
      answerTimeoutMs: 20_000,
      queues: [{ name: QUEUE, fleetId: 'FLEET1' }],
    });
    await world.run(() => service.started);
    await world.pass(1_000);
    return () => {
      life.sever();
      service.sever();
    };
  };
  const box = new HandBox(world, BOX);
  await world.run(() => box.connect());
  const account = async () => ({
    records: (await store.ingest.countRecords(BOX)).records,
    receipts: box.receipts.length,
    messages: world.exchangeBroker.messages(QUEUE).length,
    outbox: (await store.outbox.size()).messages,
    waiting: world.broker.backlog('backend').waiting,
  });
  return { world, points, start, box, account };
}

describe('a backend that dies at a point of its way', () => {
  test.each<[CrashPoint, Partial<Awaited<ReturnType<Awaited<ReturnType<typeof stage>>['account']>>>]>([
    ['after-receive', { records: 0, receipts: 0, messages: 0, waiting: 0 }],
    ['after-commit', { records: 1, receipts: 0, messages: 0, outbox: 1 }],
    ['after-publish', { records: 1, messages: 1, outbox: 1 }],
    ['before-mark', { records: 1, messages: 1, outbox: 1 }],
  ])('%s: what has happened by then stays, and nothing more happens', async (point, left) => {
    const { world, points, start, box, account } = await stage();
    const sever = await start();
    let deaths = 0;
    points.arm(point, () => {
      deaths += 1;
      sever();
    });
    await world.run(() => box.report(1));
    await world.pass(60_000);
    expect([deaths, await account()]).toEqual([1, expect.objectContaining(left)]);
    await start();
    await world.run(() => box.report(1));
    await world.pass(60_000);
    const ids = world.exchangeBroker.messages(QUEUE).map(({ messageId }) => messageId);
    expect([new Set(ids).size, (await account()).outbox]).toEqual([1, 0]);
    expect(box.receipts.at(-1)?.[0]).toBe(1);
  });

  test('what was disarmed kills nobody', async () => {
    const { world, points, start, box, account } = await stage();
    await start();
    const disarm = points.arm('after-publish', () => expect.unreachable());
    disarm();
    disarm();
    await world.run(() => box.report(1));
    await world.pass(10_000);
    expect(await account()).toMatchObject({ records: 1, messages: 1, outbox: 0 });
  });
});
