import { driveDemo } from '../../cli/drivers/demo-drivers.ts';
import { Stage } from '../../scenarios/stage.ts';
import { Road } from '../../simulator/vehicle/road.ts';

/** One look at a vehicle: what is really so, and what the store has of it. */
export interface Look {
  readonly vehicleId: string;
  readonly atMs: number;
  readonly drives: boolean;
  readonly isRented: boolean;
  readonly truth: Readonly<Record<string, unknown>>;
}

/** A fleet with drivers in the virtual world. */
export async function drivenStage(seed: number, vehicles = 10) {
  const stage = new Stage({ seed, vehicles, makerVehicles: 2, road: new Road(), isUnconfigured: true });
  const { world } = stage;
  await world.run(() => stage.raise());
  await world.pass(30_000);
  const parkedId = stage.plans[2]?.vehicleId ?? '';
  let count = 0;
  const drive = () => {
    count += 1;
    return world.run(() =>
      driveDemo({
        service: { fetch: (request) => stage.fetch(request) },
        store: stage.store,
        baseUrl: 'http://service.virtual',
        identity: { client_id: 'demo', fleet_id: stage.fleetId },
        world: world.incarnation(`drivers-${count}`),
        log: world.incarnation('log').log,
        fleet: stage.fleet,
        cloud: stage.cloud,
        parkedId,
      }),
    );
  };
  const handles = [
    ...[...stage.fleet.boxes.values()].map((box) => ({ id: box.plan.vehicleId, truth: () => box.truth() })),
    ...[...stage.cloud.cars.values()].map((car) => ({ id: car.plan.vehicleId, truth: () => car.truth() })),
  ];
  const look = async (): Promise<readonly Look[]> => {
    const looks: Look[] = [];
    for (const { id, truth } of handles) {
      const vehicle = await world.run(() => stage.store.vehicles.find(id));
      const now = truth();
      looks.push({
        vehicleId: id,
        atMs: world.time.nowMs(),
        drives: now['driverWish'] === 'drive' && now['ignitionOn'] === true,
        isRented: vehicle?.rentalStatus.value === 'IN_RENTAL',
        truth: now,
      });
    }
    return looks;
  };
  /** Lets it go on for so long, with a look every so often. */
  const watch = async (forMs: number, everyMs = 10_000) => {
    const looks: (readonly Look[])[] = [];
    for (let passedMs = 0; passedMs < forMs; passedMs += everyMs) {
      await world.pass(everyMs);
      looks.push(await look());
    }
    return looks;
  };
  const close = (drivers: { end(): Promise<void> }) =>
    world.run(async () => {
      await drivers.end();
      await stage.close();
    });
  return { stage, world, parkedId, drive, look, watch, close };
}

/** How often something begins to be so from one look to the next. */
export function beginnings(
  looks: readonly (readonly Look[])[],
  vehicleId: string,
  is: (look: Look) => boolean,
): number {
  const are = looks.map((all) => all.some((look) => look.vehicleId === vehicleId && is(look)));
  return are.filter((now, index) => index > 0 && now && are[index - 1] === false).length;
}
