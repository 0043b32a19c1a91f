import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { makerLimits } from '../../../../simulator/limits.ts';
import { planCars } from '../../../../simulator/maker-cloud/car-plan.ts';
import { type MakerCloud, startMakerCloud } from '../../../../simulator/maker-cloud/cloud.ts';
import type { HttpRequest } from '../../../../world/http/http.ts';
import { seededRandom } from '../../../../world/random/seeded-random.ts';
import { runInSandbox } from '../../../../world/sandbox/virtual-sandbox.ts';
import { sleep } from '../../../../world/time/time.ts';
import { openVirtualWorld, type VirtualWorld } from '../../../../world/virtual-world.ts';

const KEY = 'the-key';
const HOOK = 'http://service.virtual/hook';
const SECRET = 'a secret of the hook';
const cars = planCars(seededRandom(4), 2);
const [DRIVING, PARKED] = cars.map((car) => car.carId) as [string, string];

interface Bench {
  readonly world: VirtualWorld;
  readonly cloud: MakerCloud;
  /** Notifications that were sent to the hook. */
  readonly told: HttpRequest[];
  /** The status that the hook answers with. */
  hook: number;
  call(
    method: string,
    path: string,
    body?: unknown,
    key?: string,
  ): Promise<{ status: number; body: unknown }>;
}

function on<T>(body: (bench: Bench) => Promise<T>): Promise<T> {
  const world = openVirtualWorld({ seed: 9 });
  const simulator = world.instance('simulator');
  return runInSandbox(world, () =>
    world.run(async () => {
      const cloud = await startMakerCloud(simulator, { name: 'northwind', apiKey: KEY, cars });
      const bench: Bench = {
        world,
        cloud,
        told: [],
        hook: 204,
        async call(method, path, body, key = KEY) {
          const response = await cloud.app.request(path, {
            method,
            headers: { 'x-api-key': key },
            ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
          });
          const text = await response.text();
          return { status: response.status, body: text === '' ? undefined : (JSON.parse(text) as unknown) };
        },
      };
      world.origins.serve('http://service.virtual', (request) => {
        bench.told.push(request);
        return { status: bench.hook, headers: {}, body: '' };
      });
      const result = await body(bench);
      await cloud.stop();
      return result;
    }),
  );
}

const subscribe = (bench: Bench) => bench.call('PUT', '/subscription', { url: HOOK, secret: SECRET });
const car = (bench: Bench, id: string) => {
  const found = bench.cloud.cars.get(id);
  if (found === undefined) throw new Error(`no car ${id}`);
  return found;
};
const statesOf = (bench: Bench) =>
  bench.told.map(
    ({ body = '' }) => (JSON.parse(body) as { state: { carId: string; takenAt: string } }).state,
  );

describe("the interface of a maker's cloud", () => {
  test('gives a state in local time, with its own enum values and units', () =>
    on(async (bench) => {
      const { status, body } = await bench.call('GET', `/cars/${PARKED}/state`);
      expect(status).toBe(200);
      expect(body).toMatchObject({
        carId: PARKED,
        takenAt: expect.stringMatching(/^2026-01-05T07:00:00\.\d{3}\+01:00$/),
        reading: { lock: 'SECURED', doors: 'SHUT', key: 'PULLED', starter: 'INHIBITED', charger: 'DRAWING' },
      });
    }));

  test.each([
    ['GET', '/cars/nobody/state', undefined, 404, 'CAR_UNKNOWN'],
    ['POST', '/cars/nobody/actions', { action: 'REFRESH' }, 404, 'CAR_UNKNOWN'],
    ['POST', `/cars/${PARKED}/actions`, { action: 'FLY' }, 422, 'ACTION_UNKNOWN'],
    ['POST', `/cars/${PARKED}/actions`, 'not json', 400, 'BODY_UNREADABLE'],
    ['POST', `/cars/${PARKED}/actions`, { action: 'REFRESH', more: 1 }, 400, 'BODY_UNREADABLE'],
    ['PUT', '/subscription', { url: 'file:///x', secret: SECRET }, 400, 'BODY_UNREADABLE'],
    ['GET', '/nothing', undefined, 404, 'PATH_UNKNOWN'],
  ])('refuses %s %s %j in its own form', (method, path, body, status, code) =>
    on(async (bench) => {
      const answer = await bench.call(method, path, body);
      expect(answer).toMatchObject({ status, body: { fault: { code } } });
    }),
  );

  test('accepts only its own key', () =>
    on(async (bench) => {
      const answer = await bench.call('GET', `/cars/${PARKED}/state`, undefined, 'another');
      expect(answer).toMatchObject({ status: 401, body: { fault: { code: 'KEY_REJECTED' } } });
    }));

  test('limits the calls per minute, and says when to retry', () =>
    on(async (bench) => {
      for (let count = 0; count < makerLimits.callsPerMinute; count += 1)
        expect((await bench.call('GET', `/cars/${PARKED}/state`)).status).toBe(200);
      const response = await bench.cloud.app.request(`/cars/${PARKED}/state`, {
        headers: { 'x-api-key': KEY },
      });
      expect(response.status).toBe(429);
      expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
      await sleep(bench.world.time, 60_000);
      expect((await bench.call('GET', `/cars/${PARKED}/state`)).status).toBe(200);
    }));

  test('carries out an action completely or not at all', () =>
    on(async (bench) => {
      const parked = car(bench, PARKED);
      const done = await bench.call('POST', `/cars/${PARKED}/actions`, { action: 'HAND_OVER' });
      expect(done.body).toMatchObject({ state: { reading: { lock: 'RELEASED', starter: 'PERMITTED' } } });
      parked.change((vehicle) => vehicle.openDoor(true));
      const refused = await bench.call('POST', `/cars/${PARKED}/actions`, { action: 'TAKE_BACK' });
      expect(refused).toMatchObject({ status: 409, body: { fault: { code: 'DOOR_AJAR' } } });
      expect(parked.truth()).toMatchObject({ locked: false, drivingEnabled: true });
    }));

  test('does not open a moving car', () =>
    on(async (bench) => {
      while (!car(bench, DRIVING).isMoving) await sleep(bench.world.time, 1_000);
      const refused = await bench.call('POST', `/cars/${DRIVING}/actions`, { action: 'DOORS_RELEASE' });
      expect(refused).toMatchObject({ status: 409, body: { fault: { code: 'CAR_IN_MOTION' } } });
    }));
});

describe("a car's samples", () => {
  test('are taken every 30 s with the ignition on, every 30 min at rest, and at once on changes', () =>
    on(async (bench) => {
      await subscribe(bench);
      await sleep(bench.world.time, 5 * 60_000 + 5_000);
      expect(statesOf(bench).filter((state) => state.carId === DRIVING)).toHaveLength(10);
      expect(statesOf(bench).filter((state) => state.carId === PARKED)).toHaveLength(0);
      car(bench, PARKED).change((vehicle) => vehicle.turnIgnition(true));
      await sleep(bench.world.time, 200);
      expect(statesOf(bench).filter((state) => state.carId === PARKED)).toHaveLength(1);
    }));

  test('are sent in order, signed, and again until they are accepted', () =>
    on(async (bench) => {
      await subscribe(bench);
      bench.hook = 503;
      await sleep(bench.world.time, 4 * 60_000);
      expect(new Set(statesOf(bench).map((state) => state.takenAt)).size).toBe(1);
      const tries = bench.told.length;
      expect(tries).toBeGreaterThan(3);
      bench.hook = 204;
      await sleep(bench.world.time, 2 * 60_000);
      const times = statesOf(bench)
        .slice(tries)
        .map((state) => state.takenAt);
      expect(times.length).toBeGreaterThanOrEqual(10);
      expect(times).toEqual([...new Set(times)].sort());
      for (const { headers, body = '' } of bench.told) {
        const [, second, mac] = /^t=(\d+),v1=(.*)$/.exec(headers['x-northwind-signature'] ?? '') ?? [];
        expect(bench.world.crypto.verifyMac(SECRET, `${second}.${body}`, mac ?? '')).toBe(true);
      }
    }));

  test('are not sent as notifications if they are the answer to an action', () =>
    on(async (bench) => {
      await subscribe(bench);
      await bench.call('POST', `/cars/${PARKED}/actions`, { action: 'DOORS_RELEASE' });
      await sleep(bench.world.time, 1_000);
      expect(statesOf(bench).filter((state) => state.carId === PARKED)).toEqual([]);
    }));

  test('are not sent to a maker while the car sleeps', () =>
    on(async (bench) => {
      await subscribe(bench);
      const parked = car(bench, PARKED);
      parked.sleep(true);
      parked.change((vehicle) => vehicle.turnIgnition(true));
      const asleep = await bench.call('POST', `/cars/${PARKED}/actions`, { action: 'REFRESH' });
      expect(asleep).toMatchObject({ status: 424, body: { fault: { code: 'CAR_ASLEEP' } } });
      expect((await bench.call('GET', `/cars/${PARKED}/state`)).body).toMatchObject({
        reading: { key: 'PULLED' },
      });
      parked.sleep(false);
      await sleep(bench.world.time, 200);
      expect(statesOf(bench).at(-1)).toMatchObject({ carId: PARKED, reading: { key: 'TURNED' } });
    }));

  test('have increasing times, whatever is done to the car and however fast', () =>
    fc.assert(
      fc.asyncProperty(fc.array(fc.nat(4), { minLength: 1, maxLength: 20 }), (steps) =>
        on(async (bench) => {
          const parked = car(bench, PARKED);
          let before = parked.last.takenMs;
          for (const step of steps) {
            if (step === 4) await sleep(bench.world.time, 500);
            else parked.change((vehicle) => vehicle.turnIgnition(step % 2 === 0));
            const { takenMs } = parked.last;
            expect(takenMs > before || step === 4).toBe(true);
            before = takenMs;
          }
        }),
      ),
      { numRuns: 20 },
    ));

  test('continue from the state of the car after a restart of the cloud', () =>
    on(async (bench) => {
      await sleep(bench.world.time, 10 * 60_000);
      const { mileageKm } = car(bench, DRIVING).truth();
      await bench.cloud.stop();
      const again = await startMakerCloud(bench.world.instance('simulator'), {
        name: 'northwind',
        apiKey: KEY,
        cars,
      });
      const now = Number(again.cars.get(DRIVING)?.truth()['mileageKm']);
      expect(now).toBeGreaterThanOrEqual(Number(mileageKm));
      expect(now - Number(mileageKm)).toBeLessThan(0.1);
      await again.stop();
    }));
});
