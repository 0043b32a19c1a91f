import type { BoxPlan, FleetBox } from '../../simulator/fleet.ts';
import type { Car } from '../../simulator/maker-cloud/car.ts';
import { type CarPlan, planWishedCar } from '../../simulator/maker-cloud/plan.ts';
import { idsOf, planWished, type Wish } from '../../simulator/plan.ts';
import type { Random } from '../../world/random.ts';
import type { FleetGroup } from '../language/scenario.ts';
import type { Player } from '../run/theatre.ts';
import { fleetIdOf } from './names.ts';

/** A player as its theatre has it: planned at first, and with its box or car once the fleet has been started. */
export class Actor implements Player {
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
}

/** Plans all vehicles of a scenario, each from streams of its number. */
export function planActors(groups: readonly FleetGroup[], random: Random): readonly Actor[] {
  const actors: Actor[] = [];
  const taken = new Set<string>();
  for (const group of groups) {
    for (let count = 0; count < group.count; count += 1) {
      const index = actors.length;
      if (group.maker === undefined) {
        const plan = planWished(random, index, wishOf(group), taken);
        for (const id of idsOf(plan)) taken.add(id);
        actors.push(new Actor(index + 1, group, group.isOnShelf ? { ...plan, vehicleId: '' } : plan));
      } else actors.push(new Actor(index + 1, group, planWishedCar(random, index, carWishOf(group))));
    }
  }
  return actors;
}

function wishOf(group: FleetGroup): Wish {
  const { model, generation, hardwareRevision, sim, journalRecords, radio } = group;
  const [major, minor] = (group.firmware ?? '').split('.').map(Number);
  return {
    ...carWishOf(group),
    ...(model === undefined ? {} : { model }),
    ...(generation === undefined ? {} : { generation }),
    ...(major === undefined || minor === undefined ? {} : { firmware: [major, minor] as const }),
    ...(hardwareRevision === undefined ? {} : { hardwareRevision }),
    ...(sim === undefined ? {} : { sim }),
    ...(journalRecords === undefined ? {} : { journalRecords }),
    ...(radio === undefined ? {} : { radio }),
  };
}

function carWishOf({ model, route, isDriving }: FleetGroup): Pick<Wish, 'model' | 'route' | 'driving'> {
  return {
    ...(model === undefined ? {} : { model }),
    ...(route === undefined ? {} : { route }),
    ...(isDriving === undefined ? {} : { driving: isDriving }),
  };
}
