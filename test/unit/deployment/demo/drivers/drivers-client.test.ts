import { afterEach, beforeEach, expect, test } from 'vitest';
import { openSqliteStore, type SqliteStore } from '../../../../../backend/store/sqlite/store.ts';
import { driversClient } from '../../../../../deployment/demo/drivers/drivers-client.ts';
import { VehicleTurns } from '../../../../../deployment/demo/drivers/vehicle-turns.ts';
import { limits } from '../../../../../deployment/shared/limits.ts';
import { openVirtualWorld } from '../../../../../world/virtual-world.ts';

let store: SqliteStore;
beforeEach(async () => {
  store = openSqliteStore(':memory:');
  await store.access.saveFleet({ id: 'FLEET1', name: 'One' });
});
afterEach(() => store.close());

const PATH = '/vehicles/V1/commands/enable-driving';

/** A client of the drivers at a service that gives these statuses to their commands, one after the other. */
function scene(statuses: readonly number[]) {
  const world = openVirtualWorld({ seed: 1 });
  const turns = new VehicleTurns();
  const sentMs: number[] = [];
  const begin = () =>
    driversClient({
      store,
      world,
      baseUrl: 'http://service.test',
      identity: { client_id: 'demo', fleet_id: 'FLEET1' },
      service: {
        fetch: async ({ url }) => {
          if (!url.endsWith(PATH)) return Response.json({ access_token: 'token' });
          const status = statuses[sentMs.length] ?? 200;
          sentMs.push(world.time.nowMs());
          return new Response(null, { status, headers: { 'retry-after': '600' } });
        },
      },
    });
  const inTurn = (send: () => Promise<Response>) => turns.ofDriver('V1', send);
  return { world, turns, sentMs, begin, inTurn };
}

test('a driver that waits for its quota does not keep a client waiting', async () => {
  const { world, turns, sentMs, begin, inTurn } = scene([429]);
  await world.run(async () => {
    const { call } = await begin();
    const beganMs = world.time.nowMs();
    const driven = call('POST', PATH, { inTurn });
    while (sentMs.length === 0) await Promise.resolve();
    await turns.ofClient('V1', async () => 'answered');
    expect(world.time.nowMs()).toBe(beganMs);
    expect((await driven)?.status).toBe(200);
    expect(sentMs).toEqual([beganMs, beganMs + limits.driversWaitS * 1_000]);
  });
});

test('a command that waited for its quota is not sent to a vehicle that a client uses by then', async () => {
  const { world, turns, sentMs, begin, inTurn } = scene([429]);
  await world.run(async () => {
    const { call } = await begin();
    const driven = call('POST', PATH, { inTurn });
    while (sentMs.length === 0) await Promise.resolve();
    const used = Promise.withResolvers<void>();
    const client = turns.ofClient('V1', () => used.promise);
    expect(await driven).toBeUndefined();
    expect(sentMs.length).toBe(1);
    used.resolve();
    await client;
  });
});

test('a refused token is replaced once', async () => {
  const { world, sentMs, begin } = scene([401, 401]);
  await world.run(async () => {
    const { call } = await begin();
    expect((await call('POST', PATH))?.status).toBe(401);
    expect(sentMs.length).toBe(2);
  });
});
