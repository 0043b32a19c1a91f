import { expect, test } from 'vitest';
import { openSqliteStore } from '../../../../backend/store/sqlite/store.ts';
import { onboardFleet } from '../../../../deployment/demo/demo-fleet.ts';
import { planFleet, planStock } from '../../../../simulator/fleet/fleet-plan.ts';
import { seededRandom } from '../../../../world/random/seeded-random.ts';
import { openVirtualWorld } from '../../../../world/virtual-world.ts';

const IDENTITY = {
  fleet_id: 'FLEET1',
  client_id: 'demo',
  client_secret: 'secret',
  mqtt_password: 'password',
  signing_key: {},
} as unknown as Parameters<typeof onboardFleet>[2];
const PEOPLE = { user: { name: 'demo', password: 'a long password' }, redirectUri: undefined };
const rule = { mayConnect: () => true, mayPublish: () => true, maySubscribe: () => true };

test('a restart keeps a box where its owner put it: in the stock, or in another vehicle', async () => {
  const world = openVirtualWorld({ seed: 1, mqttAccess: rule }).instance('backend');
  const store = openSqliteStore(':memory:');
  const random = seededRandom(1);
  const plans = planFleet(random, 3).map((plan) => ({ ...plan, secret: 'secret' }));
  const shelf = planStock(random, plans).map((plan) => ({ ...plan, secret: 'secret' }));
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

test('backends that begin at the same time set up one fleet with one person', async () => {
  const world = openVirtualWorld({ seed: 1, mqttAccess: rule }).instance('backend');
  const store = openSqliteStore(':memory:');
  const plans = planFleet(seededRandom(1), 3).map((plan) => ({ ...plan, secret: 'secret' }));
  const start = () => onboardFleet(store, world, IDENTITY, plans, [], PEOPLE);
  await Promise.all([start(), start()]);
  expect(await store.grants.findUserByName(PEOPLE.user.name)).toMatchObject({ fleetId: IDENTITY.fleet_id });
  for (const { boxId, vehicleId } of plans)
    expect(await store.vehicles.findUnit(boxId)).toMatchObject({ vehicleId });
});

test('a fleet is written in its order, many vehicles at the same time', async () => {
  const world = openVirtualWorld({ seed: 1, mqttAccess: rule }).instance('backend');
  const store = openSqliteStore(':memory:');
  const plans = planFleet(seededRandom(1), 30).map((plan) => ({ ...plan, secret: 'secret' }));
  const written: string[] = [];
  let underWay = 0;
  let most = 0;
  const save: typeof store.vehicles.save = async (vehicle) => {
    written.push(vehicle.id);
    underWay += 1;
    most = Math.max(most, underWay);
    await new Promise(setImmediate);
    underWay -= 1;
    return store.vehicles.save(vehicle);
  };
  const watched = { ...store, vehicles: { ...store.vehicles, save } };
  await onboardFleet(watched, world, IDENTITY, plans, [], PEOPLE);
  expect(written).toEqual(plans.map((plan) => plan.vehicleId));
  expect(most).toBe(plans.length);
  expect(await store.vehicles.find(plans[29]?.vehicleId ?? '')).toBeDefined();
});
