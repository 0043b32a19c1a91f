import { driveDemo } from '../../../deployment/demo/drivers/demo-drivers.ts';
import { VehicleTurns } from '../../../deployment/demo/drivers/vehicle-turns.ts';
import { Traffic } from '../../../simulator/vehicle/driving/traffic.ts';
import { TestFleet } from './test-fleet.ts';

/** One sample of a vehicle: its true state, and its state in the store. */
export interface VehicleSample {
  readonly vehicleId: string;
  readonly atMs: number;
  readonly drives: boolean;
  readonly isRented: boolean;
  readonly truth: Readonly<Record<string, unknown>>;
}

/** A fleet with drivers in the virtual world. */
export async function openDrivenFleet(seed: number, vehicles = 10) {
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
export function countStarts(
  samples: readonly (readonly VehicleSample[])[],
  vehicleId: string,
  is: (snapshot: VehicleSample) => boolean,
): number {
  const are = samples.map((all) => all.some((snapshot) => snapshot.vehicleId === vehicleId && is(snapshot)));
  return are.filter((now, index) => index > 0 && now && are[index - 1] === false).length;
}
