import { describe, expect, test } from 'vitest';
import { controlApp } from '../../../../simulator/control/app.ts';
import { MAKER_ACTIONS } from '../../../../simulator/control/maker-actions.ts';
import { planCars } from '../../../../simulator/maker-cloud/car-plan.ts';
import { type MakerCloud, startMakerCloud } from '../../../../simulator/maker-cloud/cloud.ts';
import { seededRandom } from '../../../../world/random/seeded-random.ts';
import { openVirtualWorld } from '../../../../world/virtual-world.ts';
import { fakeFleet, fakeTap } from '../../../support/simulator/fake-fleet.ts';

const cars = planCars(seededRandom(4), 2);
const [DRIVING, PARKED] = cars.map((car) => car.vehicleId) as [string, string];

/** The control API with a cloud, whose time does not advance. */
async function face() {
  const world = openVirtualWorld({ seed: 9 });
  const cloud: MakerCloud = await world.run(() =>
    startMakerCloud(world, { name: 'northwind', apiKey: 'key', cars }),
  );
  const app = controlApp(fakeFleet(1), fakeTap(), { clouds: [cloud] });
  const ask = async (method: string, path: string, body?: unknown) => {
    const response = await app.request(path, {
      method,
      ...(body === undefined
        ? {}
        : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    });
    return {
      status: response.status,
      allow: response.headers.get('allow'),
      body: (await response.json()) as Record<string, unknown>,
    };
  };
  return { cloud, ask };
}

describe("a maker's cars in the control API", () => {
  test('are listed with the truth and the latest state of their maker', async () => {
    const { ask } = await face();
    const { items } = (await ask('GET', '/maker-vehicles')).body as { items: Record<string, unknown>[] };
    expect(items.map((item) => item['vehicleId'])).toEqual([DRIVING, PARKED]);
    const byCarId = await ask('GET', `/maker-vehicles/${cars[1]?.carId ?? ''}`);
    expect(byCarId.body).toMatchObject({
      maker: 'northwind',
      vehicleId: PARKED,
      asleep: false,
      truth: { locked: true },
      last: { lock: 'SECURED' },
    });
  });

  test('have documented actions with a working example', async () => {
    const { ask } = await face();
    const { makers } = (await ask('GET', '/')).body as { makers: Record<string, unknown> };
    for (const [name, { example }] of Object.entries(MAKER_ACTIONS)) {
      expect(makers).toHaveProperty([`POST /maker-vehicles/{id}/${name}`]);
      expect((await ask('POST', `/maker-vehicles/${DRIVING}/${name}`, example)).status, name).toBe(200);
    }
  });

  test('are refused with a reason and the alternatives', async () => {
    const { ask } = await face();
    const locked = await ask('POST', `/maker-vehicles/${PARKED}/doors`, { open: true });
    expect(locked).toMatchObject({ status: 409, body: { detail: expect.stringContaining('unlock') } });
    expect((await ask('POST', `/maker-vehicles/${PARKED}/doors`, { open: 'wide' })).status).toBe(400);
    expect((await ask('POST', `/maker-vehicles/${PARKED}/fly`, {})).status).toBe(404);
    expect((await ask('POST', '/maker-vehicles/nobody/park', {})).status).toBe(404);
    expect(await ask('GET', `/maker-vehicles/${PARKED}/park`)).toMatchObject({ status: 405, allow: 'POST' });
  });
});

describe("a maker's cloud in the control API", () => {
  test('can be made to misbehave, and shows its behaviour', async () => {
    const { cloud, ask } = await face();
    const behaviour = { calls: { manner: 'error', status: 503 }, push: false };
    expect((await ask('PUT', '/makers/northwind/behaviour', behaviour)).status).toBe(200);
    expect(cloud.behaviour()).toEqual(behaviour);
    expect((await ask('GET', '/makers')).body).toMatchObject({ items: [{ name: 'northwind', behaviour }] });
    const wrong = await ask('PUT', '/makers/northwind/behaviour', { calls: { manner: 'kind' }, push: true });
    expect(wrong).toMatchObject({ status: 400, body: { detail: expect.stringContaining('For example') } });
    expect(await ask('GET', '/makers/northwind/behaviour')).toMatchObject({ status: 405, allow: 'PUT' });
    expect((await ask('PUT', '/makers/nobody/behaviour', behaviour)).status).toBe(404);
  });

  test('is shown with its own interface and its own key', async () => {
    const { ask } = await face();
    const { status, body } = await ask('GET', `/makers/northwind/cars/${cars[0]?.carId ?? ''}/state`);
    expect({ status, body }).toMatchObject({ status: 401, body: { fault: { code: 'KEY_REJECTED' } } });
  });
});
