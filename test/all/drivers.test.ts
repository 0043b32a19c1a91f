import { describe, expect, test } from 'vitest';
import { driveDemo } from '../../deployment/demo/drivers/demo-drivers.ts';
import { VehicleTurns } from '../../deployment/demo/drivers/vehicle-turns.ts';
import { driverLimits } from '../../simulator/limits.ts';
import { Traffic } from '../../simulator/vehicle/driving/traffic.ts';
import { TestFleet } from '../support/simulation/test-fleet.ts';

/** One sample of a vehicle: its true state, and its state in the store. */
interface VehicleSample {
  readonly vehicleId: string;
  readonly atMs: number;
  readonly drives: boolean;
  readonly isRented: boolean;
  readonly truth: Readonly<Record<string, unknown>>;
}

/** A fleet with drivers in the virtual world. */
async function openDrivenFleet(seed: number, vehicles = 10) {
  const fleet = new TestFleet({ seed, vehicles, makerVehicles: 2, road: new Traffic() });
  const { world } = fleet;
  await world.run(() => fleet.raise());
  await world.runFor(30_000);
  const parkedId = fleet.plans[2]?.vehicleId ?? '';
  let count = 0;
  const drive = () => {
    count += 1;
    return world.run(() =>
      driveDemo({
        service: { fetch: (request) => fleet.fetch(request) },
        store: fleet.store,
        baseUrl: 'http://service.virtual',
        identity: { client_id: 'demo', fleet_id: fleet.fleetId },
        world: world.instance(`drivers-${count}`),
        log: world.instance('log').log,
        fleet: fleet.fleet,
        cloud: fleet.cloud,
        parkedId,
        turns: new VehicleTurns(),
      }),
    );
  };
  const handles = [
    ...fleet.boxes.map((box) => ({ id: box.plan.vehicleId, truth: () => box.truth() })),
    ...fleet.cars.map((car) => ({ id: car.plan.vehicleId, truth: () => car.truth() })),
  ];
  const sample = async (): Promise<readonly VehicleSample[]> => {
    const samples: VehicleSample[] = [];
    for (const { id, truth } of handles) {
      const vehicle = await world.run(() => fleet.store.vehicles.find(id));
      const now = truth();
      samples.push({
        vehicleId: id,
        atMs: world.time.nowMs(),
        drives: now['driverWish'] === 'drive' && now['ignitionOn'] === true,
        isRented: vehicle?.rentalStatus.value === 'IN_RENTAL',
        truth: now,
      });
    }
    return samples;
  };
  /** Runs the fleet for this long and takes a sample at each interval. */
  const watch = async (forMs: number, everyMs = 10_000) => {
    const samples: (readonly VehicleSample[])[] = [];
    for (let passedMs = 0; passedMs < forMs; passedMs += everyMs) {
      await world.runFor(everyMs);
      samples.push(await sample());
    }
    return samples;
  };
  const close = (drivers: { end(): Promise<void> }) =>
    world.run(async () => {
      await drivers.end();
      await fleet.close();
    });
  return { fleet, world, parkedId, drive, sample, watch, close };
}

/** How many times a condition becomes true from one sample to the next. */
function countStarts(
  samples: readonly (readonly VehicleSample[])[],
  vehicleId: string,
  is: (snapshot: VehicleSample) => boolean,
): number {
  const are = samples.map((all) => all.some((snapshot) => snapshot.vehicleId === vehicleId && is(snapshot)));
  return are.filter((now, index) => index > 0 && now && are[index - 1] === false).length;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

const drives = (snapshot: VehicleSample) => snapshot.drives;
const isRented = (snapshot: VehicleSample) => snapshot.isRented;

describe('the drivers of a fleet', () => {
  test('rent a vehicle for each trip and return it locked, and messages report both', async () => {
    const { fleet, drive, watch, parkedId, close } = await openDrivenFleet(21);
    const drivers = await drive();
    const samples = await watch(90 * MINUTE_MS);
    let trips = 0;
    for (const { vehicleId } of samples[0] ?? []) {
      const of = samples.map((all) => all.find((snapshot) => snapshot.vehicleId === vehicleId));
      for (const snapshot of of)
        if (snapshot?.drives) expect(snapshot.isRented, `${vehicleId} drives`).toBe(true);
      trips += countStarts(samples, vehicleId, drives);
      const last = of.at(-1);
      if (last?.isRented === false) {
        expect(last.truth['drivingEnabled'], vehicleId).toBe(false);
        if (last.truth['locked'] !== undefined) expect(last.truth['locked'], vehicleId).toBe(true);
      }
    }
    expect(trips).toBeGreaterThan(12);
    expect(samples.filter((all) => all.some(drives)).length).toBeGreaterThan(samples.length * 0.9);
    const changes = fleet
      .messages('VehicleDataChanged_v1')
      .map(({ body }) => body as { data: Record<string, unknown> });
    const rentals = samples[0]?.reduce(
      (sum, { vehicleId }) => sum + countStarts(samples, vehicleId, isRented),
      0,
    );
    const begun = changes.filter(({ data }) => JSON.stringify(data).includes('"IN_RENTAL"'));
    expect(begun.length).toBeGreaterThanOrEqual(rentals ?? 0);
    const parkedDistances = samples.map(
      (all) => all.find((snapshot) => snapshot.vehicleId === parkedId)?.truth['distanceM'],
    );
    expect(new Set(parkedDistances)).toEqual(new Set([0]));
    await close(drivers);
  });

  test('charge or refuel vehicles with low energy, and drive them again afterwards', async () => {
    const { drive, watch, close } = await openDrivenFleet(22, 13);
    const drivers = await drive();
    // In 9 h each vehicle that drives is charged or refuelled for the first time.
    const samples = await watch(9 * HOUR_MS, 5 * MINUTE_MS);
    const refilled = new Set<string>();
    const drivenAgain = new Set<string>();
    for (const { vehicleId } of samples[0] ?? []) {
      let before: VehicleSample | undefined;
      let lowSinceMs: number | undefined;
      for (const all of samples) {
        const snapshot = all.find((one) => one.vehicleId === vehicleId);
        const percent = Number(snapshot?.truth['energyPercent']);
        if (refilled.has(vehicleId) && snapshot?.drives) drivenAgain.add(vehicleId);
        if (before !== undefined && percent > Number(before.truth['energyPercent']) + 10)
          refilled.add(vehicleId);
        if (percent >= driverLimits.lowPercent) lowSinceMs = undefined;
        else lowSinceMs ??= snapshot?.atMs;
        // At most a trip of 25 min and the time to charge some percent.
        const lowMs = lowSinceMs === undefined ? 0 : Number(snapshot?.atMs) - lowSinceMs;
        expect(lowMs, `${vehicleId} is low`).toBeLessThan(HOUR_MS);
        before = snapshot;
      }
    }
    expect(refilled.size).toBeGreaterThan(3);
    expect(drivenAgain).toEqual(refilled);
    await close(drivers);
    // It needs up to 10 s of processor time, which took 56 s on two cores at a load average of 11.
  });

  test('do not use vehicles that a client has rented, unlocked or controlled through the simulator', async () => {
    const { fleet, world, drive, watch, sample, close } = await openDrivenFleet(23);
    const drivers = await drive();
    const token = await world.run(() => fleet.token());
    const called = async (method: 'PATCH' | 'POST', path: string, body?: object) => {
      const answer = await world.run(() =>
        fleet.call(method, path, token, body === undefined ? undefined : JSON.stringify(body)),
      );
      drivers.answered({ method, path, status: answer.status });
      return answer.status;
    };
    await watch(30 * MINUTE_MS, MINUTE_MS);
    const parked = async () =>
      (await sample())
        .filter(
          ({ drives, isRented, vehicleId }) =>
            !drives &&
            !isRented &&
            fleet.plans.some((plan) => plan.vehicleId === vehicleId && plan.model !== 'electric-moped'),
        )
        .map(({ vehicleId }) => vehicleId);
    const [rented = ''] = await parked();
    expect(await called('PATCH', `/vehicles/${rented}`, { rental_status: { value: 'IN_RENTAL' } })).toBe(200);
    const [moved = ''] = (await parked()).filter((id) => id !== rented);
    expect(await called('POST', `/vehicles/${moved}/commands/unlock-central-lock`)).toBe(200);
    const box = fleet.boxes.find(({ plan }) => ![rented, moved].includes(plan.vehicleId));
    if (box === undefined) throw new Error('no third vehicle');
    drivers.controlled({ method: 'POST', path: `/boxes/${box.plan.boxId}/park`, status: 200 });
    box.park();
    await world.runFor(MINUTE_MS);
    const distances = async () =>
      Object.fromEntries((await sample()).map(({ vehicleId, truth }) => [vehicleId, truth['distanceM']]));
    const before = await distances();
    const samples = await watch(3 * HOUR_MS, MINUTE_MS);
    const after = await distances();
    const untouched = [rented, moved, box.plan.vehicleId];
    for (const id of untouched) expect(after[id], id).toBe(before[id]);
    const of = (id: string) => samples.map((all) => all.find((one) => one.vehicleId === id));
    expect(of(rented).every((one) => one?.isRented)).toBe(true);
    expect(of(moved).every((one) => one?.truth['locked'] === false && !one.isRented)).toBe(true);
    expect(Object.keys(after).filter((id) => after[id] !== before[id]).length).toBeGreaterThan(3);
    await close(drivers);
  });

  test('continue trips and rentals that an earlier process left unfinished', async () => {
    const { world, drive, watch, sample, close } = await openDrivenFleet(24);
    const first = await drive();
    await watch(25 * MINUTE_MS, MINUTE_MS);
    const driving = (await sample()).filter((one) => one.drives).length;
    expect(driving).toBeGreaterThan(1);
    // The process ends during trips: vehicles are driving, rentals are active.
    await world.run(() => first.end());
    await world.runFor(2 * HOUR_MS);
    const second = await drive();
    const samples = await watch(HOUR_MS);
    for (const all of samples.slice(6))
      for (const one of all) if (one.drives) expect(one.isRented, one.vehicleId).toBe(true);
    const ends = (await sample()).filter(
      ({ vehicleId }) => countStarts(samples, vehicleId, (one) => !one.isRented) > 0,
    );
    expect(ends.length).toBeGreaterThan(1);
    await close(second);
  });
});
