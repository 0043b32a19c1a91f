import type { FleetGroup } from '../../scenarios/language/document/scenario.ts';
import type { SimulatedVehicle } from '../../scenarios/testbed/port/simulated-vehicle.ts';
import type { BoxPlan } from '../../simulator/box/box-plan.ts';
import type { FleetBox } from '../../simulator/box/fleet-box.ts';
import type { CertifiedFleet } from './certified-fleet.ts';

/** A vehicle with a box of ours at the service that is certified, as checkers see it. */
export interface CertifiedVehicle extends SimulatedVehicle {
  readonly boxId: string;
  readonly box: FleetBox;
  readonly plan: BoxPlan;
}

/** The vehicles of a fleet that are set up at the service, numbered. */
export function certifiedVehicles(
  { boxes, fleet }: Pick<CertifiedFleet, 'boxes' | 'fleet'>,
  fleetId: string,
): readonly CertifiedVehicle[] {
  const vehicles: CertifiedVehicle[] = [];
  for (const plan of boxes) {
    const box = fleet.boxes.get(plan.boxId);
    if (plan.vehicleId === '' || box === undefined) continue;
    const { boxId, vehicleId, model } = plan;
    vehicles.push({
      ...{ number: vehicles.length + 1, group: GROUP, boxId, vehicleId, model, fleetId, box, plan },
    });
  }
  return vehicles;
}

/** What a scenario would say of them. */
const GROUP: FleetGroup = {
  as: 'certified',
  count: 1,
  features: {},
  isMaintained: false,
  isOnShelf: false,
  fleet: 'own',
};
