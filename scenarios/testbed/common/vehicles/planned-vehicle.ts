import type { SimulatedVehicle } from '../../../../judge/evidence/simulated-vehicle.ts';
import type { FleetBox } from '../../../../simulator/box/fleet-box.ts';
import type { BoxPlan } from '../../../../simulator/box-plan.ts';
import { idsOf, type PlanOptions, planWithOptions } from '../../../../simulator/fleet/fleet-plan.ts';
import type { Car } from '../../../../simulator/maker-cloud/car.ts';
import { type CarPlan, planCarWithOptions } from '../../../../simulator/maker-cloud/car-plan.ts';
import type { Random } from '../../../../world/random/random.ts';
import type { FleetGroup } from '../../../language/document/scenario.ts';
import { DEMO_FEATURES } from '../demo-configuration.ts';
import { fleetIdOf } from '../names.ts';

/** A vehicle of a testbed: planned first, and with its box or car after the fleet was started. */
export class PlannedVehicle implements SimulatedVehicle {
  readonly number: number;
  readonly group: FleetGroup;
  readonly plan: BoxPlan | CarPlan;
  vehicleId: string;
  box: FleetBox | undefined;
  car: Car | undefined;

  constructor(number: number, group: FleetGroup, plan: BoxPlan | CarPlan) {
    this.number = number;
    this.group = group;
    this.plan = plan;
    this.vehicleId = plan.vehicleId;
  }

  get model(): string {
    return this.plan.model;
  }

  get boxPlan(): BoxPlan | undefined {
    return 'boxId' in this.plan ? this.plan : undefined;
  }

  get carPlan(): CarPlan | undefined {
    return 'carId' in this.plan ? this.plan : undefined;
  }

  get boxId(): string | undefined {
    return this.boxPlan?.boxId;
  }

  get fleetId(): string {
    return fleetIdOf(this.group.fleet);
  }

  /** With names in snake_case, as the bulk endpoint takes them. */
  get initialFeatures(): SimulatedVehicle['initialFeatures'] {
    const { features } = this.group;
    if (features === 'demo') return DEMO_FEATURES;
    return Object.fromEntries(
      Object.entries(features).map(([name, parameters]) => [name.replaceAll('-', '_'), parameters]),
    );
  }
}

/** Plans all vehicles of a scenario, each from random streams named by its number. */
export function planVehicles(groups: readonly FleetGroup[], random: Random): readonly PlannedVehicle[] {
  const vehicles: PlannedVehicle[] = [];
  const taken = new Set<string>();
  for (const group of groups) {
    for (let count = 0; count < group.count; count += 1) {
      const index = vehicles.length;
      if (group.maker === undefined) {
        const plan = planWithOptions(random, index, boxOptionsOf(group), taken);
        for (const id of idsOf(plan)) taken.add(id);
        vehicles.push(
          new PlannedVehicle(index + 1, group, group.isOnShelf ? { ...plan, vehicleId: '' } : plan),
        );
      } else
        vehicles.push(
          new PlannedVehicle(index + 1, group, planCarWithOptions(random, index, carOptionsOf(group))),
        );
    }
  }
  return vehicles;
}

function boxOptionsOf(group: FleetGroup): PlanOptions {
  const { model, generation, hardwareRevision, sim, journalRecords, mqttSession, radio } = group;
  const [major, minor] = (group.firmware ?? '').split('.').map(Number);
  return {
    ...carOptionsOf(group),
    ...(model === undefined ? {} : { model }),
    ...(generation === undefined ? {} : { generation }),
    ...(major === undefined || minor === undefined ? {} : { firmware: [major, minor] as const }),
    ...(hardwareRevision === undefined ? {} : { hardwareRevision }),
    ...(sim === undefined ? {} : { sim }),
    ...(journalRecords === undefined ? {} : { journalRecords }),
    ...(mqttSession === undefined ? {} : { mqttSession }),
    ...(radio === undefined ? {} : { radio }),
  };
}

function carOptionsOf({
  model,
  recordedDrive,
  route = recordedDrive,
  isDriving = recordedDrive === undefined ? undefined : true,
}: FleetGroup): Pick<PlanOptions, 'model' | 'route' | 'driving'> {
  return {
    ...(model === undefined ? {} : { model }),
    ...(route === undefined ? {} : { route }),
    ...(isDriving === undefined ? {} : { driving: isDriving }),
  };
}
