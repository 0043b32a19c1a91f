import type { SimulatedVehicle, VehicleGroup } from '../../judge/evidence/simulated-vehicle.ts';
import type { FleetBox } from '../../simulator/box/fleet-box.ts';
import type { BoxPlan } from '../../simulator/box-plan.ts';
import type { CertifiedFleet } from './certified-fleet.ts';

/** A vehicle with one of our boxes at the service that is certified, as checkers see it. */
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
      number: vehicles.length + 1,
      group: GROUP,
      boxId,
      vehicleId,
      model,
      fleetId,
      box,
      plan,
      initialFeatures: {},
    });
  }
  return vehicles;
}

/** Its description in a scenario. */
const GROUP: VehicleGroup = {
  as: 'certified',
  features: {},
  isOnShelf: false,
  fleet: 'own',
};
