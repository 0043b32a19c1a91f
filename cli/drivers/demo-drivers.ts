import type { Service } from '../../backend/service.ts';
import type { Store } from '../../backend/store/store.ts';
import { modelKnowledge } from '../../backend/vehicles/capabilities.ts';
import { driverPlan } from '../../simulator/drivers/plan.ts';
import type { Fleet } from '../../simulator/fleet.ts';
import type { MakerCloud } from '../../simulator/maker-cloud/cloud.ts';
import type { Log } from '../../world/log.ts';
import type { World } from '../../world/world.ts';
import type { Identity } from '../data-directory.ts';
import { driversClient } from './client.ts';
import type { Driven } from './driver.ts';
import { type Drivers, startDrivers } from './drivers.ts';

export interface DemoDriversParts {
  readonly service: Pick<Service, 'fetch'>;
  readonly store: Pick<Store, 'access' | 'vehicles'>;
  readonly baseUrl: string;
  readonly identity: Pick<Identity, 'client_id' | 'fleet_id'>;
  readonly world: Pick<World, 'time' | 'seal' | 'mint' | 'random'>;
  readonly log: Log;
  readonly fleet: Pick<Fleet, 'boxes'>;
  readonly cloud: Pick<MakerCloud, 'cars'>;
  /** The vehicle that stays parked. */
  readonly parkedId: string | undefined;
}

/** Puts drivers into the vehicles of `up`: those with boxes, and the maker's cars; not those on the shelf. */
export async function driveDemo(
  parts: DemoDriversParts,
): Promise<Omit<Drivers, 'end'> & { readonly end: () => Promise<void> }> {
  const { store, identity, world, log } = parts;
  const client = await driversClient(parts);
  const drivers = startDrivers({
    time: world.time,
    log,
    fleet: drivenOf(parts),
    desk: {
      call: client.call,
      capabilitiesOf: (model) => modelKnowledge.commandCapabilitiesOf(model),
      find: async (vehicleId) => {
        const vehicle = await store.vehicles.find(vehicleId);
        const mayDrive =
          vehicle?.fleetId === identity.fleet_id &&
          vehicle.setupStatus === 'SUCCEEDED' &&
          vehicle.operationStatus.value === 'OPERATING' &&
          vehicle.sharedWith === undefined;
        return mayDrive ? vehicle : undefined;
      },
    },
  });
  const end = async () => {
    drivers.end();
    await client.end();
  };
  return { answered: drivers.answered, pulled: drivers.pulled, end };
}

function drivenOf({ fleet, cloud, parkedId, world }: DemoDriversParts): readonly Driven[] {
  const driven: Driven[] = [];
  const add = (vehicleId: string, model: string, vehicle: Omit<Driven, 'vehicleId' | 'model' | 'plan'>) => {
    const known = modelKnowledge.findModel(model);
    if (known === undefined || vehicleId === '' || vehicleId === parkedId) return;
    const plan = driverPlan(world.random, vehicleId, driven.length);
    driven.push({ ...vehicle, vehicleId, model: known, plan });
  };
  for (const box of fleet.boxes.values())
    add(box.plan.vehicleId, box.plan.model, {
      otherIds: [box.plan.boxId],
      truth: () => box.truth(),
      isReachable: () => box.belief()['session'] === 'ready',
      drive: () => box.drive(),
      park: () => box.park(),
      tend: (deed) => void box.tend(deed),
    });
  for (const car of cloud.cars.values())
    add(car.plan.vehicleId, car.plan.model, {
      otherIds: [car.plan.carId],
      truth: () => car.truth(),
      isReachable: () => !car.isAsleep,
      drive: () => car.change((vehicle) => vehicle.drive()),
      park: () => car.change((vehicle) => vehicle.park()),
      tend: (deed) => car.change((vehicle) => void vehicle.tend(deed)),
    });
  return driven;
}
