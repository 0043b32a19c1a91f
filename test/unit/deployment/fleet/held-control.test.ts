import { expect, test } from 'vitest';
import { heldControl } from '../../../../deployment/fleet/fleet-control.ts';
import { controlApp } from '../../../../simulator/control/app.ts';
import { planCars } from '../../../../simulator/maker-cloud/car-plan.ts';
import { startMakerCloud } from '../../../../simulator/maker-cloud/cloud.ts';
import { seededRandom } from '../../../../world/random/seeded-random.ts';
import { openVirtualWorld } from '../../../../world/virtual-world.ts';
import { fakeFleet, fakeTap } from '../../../support/simulator/fake-fleet.ts';

const cars = planCars(seededRandom(4), 1);
const state = () =>
  new Request(`http://127.0.0.1/makers/northwind/cars/${cars[0]?.carId ?? ''}/state`, {
    headers: { 'x-api-key': 'key' },
  });

test('before the boxes are there, a control API answers calls to the maker, and other requests wait', async () => {
  const world = openVirtualWorld({ seed: 9 });
  const cloud = await world.run(() => startMakerCloud(world, { name: 'northwind', apiKey: 'key', cars }));
  const control = heldControl(cloud, 'loopback');
  const answered: string[] = [];
  const boxes = control.fetch(new Request('http://127.0.0.1/boxes')).then((answer) => {
    answered.push('boxes');
    return answer;
  });
  expect((await control.fetch(state())).status).toBe(200);
  expect(answered).toEqual([]);
  control.open(controlApp(fakeFleet(1), fakeTap(), { clouds: [cloud] }));
  expect((await boxes).status).toBe(200);
  expect((await control.fetch(state())).status).toBe(200);
});

test('before the boxes are there, no web page changes how a maker behaves', async () => {
  const world = openVirtualWorld({ seed: 9 });
  const cloud = await world.run(() => startMakerCloud(world, { name: 'northwind', apiKey: 'key', cars }));
  const control = heldControl(cloud, 'loopback');
  const change = (headers: Readonly<Record<string, string>>) =>
    control.fetch(
      new Request('http://127.0.0.1:8090/makers/northwind/behaviour', {
        method: 'PUT',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify({ calls: { manner: 'nonsense' }, push: true }),
      }),
    );
  const strangers = [{ host: 'attacker.example' }, { origin: 'null' }, { 'sec-fetch-site': 'same-site' }];
  for (const headers of strangers) {
    const answer = await change(headers);
    expect([answer.status, answer.headers.get('x-content-type-options')]).toEqual([403, 'nosniff']);
  }
  expect(cloud.behaviour().calls).toEqual({ manner: 'right' });
  expect((await change({})).status).toBe(200);
  expect(cloud.behaviour().calls).toEqual({ manner: 'nonsense' });
});
