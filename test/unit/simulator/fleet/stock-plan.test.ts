import { expect, test } from 'vitest';
import { controlApp } from '../../../../simulator/control/app.ts';
import { planFleet, planStock } from '../../../../simulator/fleet/fleet-plan.ts';
import { seededRandom } from '../../../../world/random/seeded-random.ts';
import { fakeTap } from '../../../support/simulator/fake-fleet.ts';

test('the shelf is the same for every fleet of a seed, and none of its boxes has a vehicle record', () => {
  const random = seededRandom(5);
  const beside = (count: number) => planStock(random, planFleet(random, count));
  expect(beside(40)).toEqual(beside(0));
  for (const plan of beside(0)) expect(plan.vehicleId).toBe('');
  const ids = [...planFleet(random, 40), ...beside(40)].flatMap(({ boxId, vin, sim }) => [
    boxId,
    vin,
    sim.iccid,
  ]);
  expect(new Set(ids).size).toBe(ids.length);
  expect(beside(0)[2]?.generation).toBe(1);
  expect(beside(0)[2]?.hardwareRevision).toBeLessThanOrEqual(3);
});

test('the control API lists the shelf, with the data for a vehicle record', async () => {
  const plans = planStock(seededRandom(5), []);
  const boxes = new Map(plans.map((plan) => [plan.boxId, { plan } as never]));
  const face = (await (await controlApp({ boxes }, fakeTap()).request('/')).json()) as { shelf: unknown };
  expect(face.shelf).toEqual(
    plans.map(({ boxId, model, vin, licensePlate }) => ({ boxId, model, vin, licensePlate })),
  );
});
