import { expect, test } from 'vitest';
import { openSqliteStore } from '../../../backend/store/sqlite.ts';
import { onboardFleet } from '../../../cli/demo-fleet.ts';
import { planFleet, planShelf } from '../../../simulator/plan.ts';
import { seededRandom } from '../../../world/seeded-random.ts';
import { openVirtualWorld } from '../../../world/virtual-world.ts';

const IDENTITY = {
  fleet_id: 'FLEET1',
  client_id: 'demo',
  client_secret: 'secret',
  mqtt_password: 'password',
  signing_key: {},
} as unknown as Parameters<typeof onboardFleet>[2];
const PEOPLE = { user: { name: 'demo', password: 'a long password' }, redirectUri: undefined };
const rule = { mayConnect: () => true, mayPublish: () => true, maySubscribe: () => true };

test('a restart leaves a box where its owner has put it: in the stock, or in another vehicle', async () => {
  const world = openVirtualWorld({ seed: 1, rule }).incarnation('backend');
  const store = openSqliteStore(':memory:');
  const random = seededRandom(1);
  const plans = planFleet(random, 3).map((plan) => ({ ...plan, secret: 'secret' }));
  const shelf = planShelf(random, plans).map((plan) => ({ ...plan, secret: 'secret' }));
  const start = () => onboardFleet(store, world, IDENTITY, plans, shelf, PEOPLE);
  await start();
  const [first, second, third] = plans;
  if (first === undefined || second === undefined || third === undefined) throw new Error('no plans');
  await store.vehicles.remove(first.vehicleId);
  await store.vehicles.remove(second.vehicleId);
  const moved = await store.vehicles.create({
    id: 'MOVED1',
    fleetId: IDENTITY.fleet_id,
    telematics: { boxId: second.boxId },
    model: second.model,
    setupStatus: 'PENDING',
    masterData: {},
    customFields: {},
    tags: [],
    atMs: 1,
  });
  expect(moved).toBe('created');
  await start();
  expect(await store.vehicles.findUnit(first.boxId)).toMatchObject({ vehicleId: undefined });
  expect(await store.vehicles.findUnit(second.boxId)).toMatchObject({ vehicleId: 'MOVED1' });
  expect(await store.vehicles.findUnit(third.boxId)).toMatchObject({ vehicleId: third.vehicleId });
});
