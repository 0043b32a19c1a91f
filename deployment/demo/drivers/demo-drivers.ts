import { modelKnowledge } from '../../../backend/model-knowledge.ts';
import type { Service } from '../../../backend/service.ts';
import type { Store } from '../../../backend/store/port/store.ts';
import type { BoxPlan } from '../../../simulator/box-plan.ts';
import { driverPlan } from '../../../simulator/drivers/driver-plan.ts';
import type { Fleet } from '../../../simulator/fleet/fleet.ts';
import type { MakerCloud } from '../../../simulator/maker-cloud/cloud.ts';
import type { Log } from '../../../world/log/log.ts';
import type { World } from '../../../world/world.ts';
import type { Identity } from '../../directory/data-directory.ts';
import type { DrivenVehicle } from './driver.ts';
import { type FleetDrivers, startDrivers } from './drivers.ts';
import { driversClient } from './drivers-client.ts';
import type { VehicleTurns } from './vehicle-turns.ts';

export interface DemoDriversParts {
  readonly service: Pick<Service, 'fetch'>;
  readonly store: Pick<Store, 'access' | 'vehicles'>;
  readonly baseUrl: string;
  readonly identity: Pick<Identity, 'client_id' | 'fleet_id'>;
  readonly world: Pick<World, 'time' | 'crypto' | 'ids' | 'random'>;
  readonly log: Log;
  readonly fleet: Pick<Fleet, 'boxes'>;
  readonly cloud: Pick<MakerCloud, 'cars'>;
  /** Gives requests of clients priority. */
  readonly turns: VehicleTurns;
  /** The vehicle that stays parked. */
  readonly parkedId: string | undefined;
  /** Those replay a recorded drive, and no driver drives them; absent: none does. */
  readonly isReplayed?: (plan: BoxPlan) => boolean;
}

/** Adds drivers to the vehicles of `up`: those with boxes, and the maker's cars; not unassigned boxes. */
export async function driveDemo(
  parts: DemoDriversParts,
): Promise<Omit<FleetDrivers, 'end'> & { readonly end: () => Promise<void> }> {
  const { store, identity, world, log } = parts;
  const client = await driversClient(parts);
  const drivers = startDrivers({
    time: world.time,
    log,
    fleet: drivenOf(parts),
    turns: parts.turns,
    service: {
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
  return { answered: drivers.answered, controlled: drivers.controlled, end };
}

function drivenOf({ fleet, cloud, parkedId, world, isReplayed }: DemoDriversParts): readonly DrivenVehicle[] {
  const driven: DrivenVehicle[] = [];
  const add = (
    vehicleId: string,
    model: string,
    vehicle: Omit<DrivenVehicle, 'vehicleId' | 'model' | 'plan'>,
  ) => {
    const known = modelKnowledge.findModel(model);
    if (known === undefined || vehicleId === '' || vehicleId === parkedId) return;
    const plan = driverPlan(world.random, vehicleId, driven.length);
    driven.push({ ...vehicle, vehicleId, model: known, plan });
  };
  const boxes = [...fleet.boxes.values()].filter(({ plan }) => isReplayed?.(plan) !== true);
  for (const box of boxes)
    add(box.plan.vehicleId, box.plan.model, {
      otherIds: [box.plan.boxId],
      truth: () => box.truth(),
      isReachable: () => box.isReady(),
      drive: () => box.drive(),
      park: () => box.park(),
      operate: (operation) => void box.operate(operation),
    });
  for (const car of cloud.cars.values())
    add(car.plan.vehicleId, car.plan.model, {
      otherIds: [car.plan.carId],
      truth: () => car.truth(),
      isReachable: () => !car.isAsleep,
      drive: () => car.change((vehicle) => vehicle.drive()),
      park: () => car.change((vehicle) => vehicle.park()),
      operate: (operation) => car.change((vehicle) => void vehicle.operate(operation)),
    });
  return driven;
}
