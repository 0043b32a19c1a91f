import { COMMANDS } from '../../protocol/commands.ts';
import { connectivityCapabilities } from '../connectivity/capabilities.ts';
import type { Vehicle, VehicleState } from '../store/vehicle-store.ts';
import { capabilityName } from './capabilities.ts';
import { hasBox } from './own.ts';
import { MAINTENANCE } from './properties.ts';
import type { ModelKnowledge } from './view.ts';

const OF_BOX: ReadonlySet<string> = new Set(
  COMMANDS.filter((command) => command.family === 'box').map((command) => capabilityName(command.name)),
);

/**
 * The command capabilities of one vehicle, UPPER_SNAKE_CASE, sorted: what its model takes, the commands of a box where
 * it has one, and those of the card in that box. The guards ask the same.
 */
export function commandCapabilities(
  vehicle: Vehicle,
  models: Pick<ModelKnowledge, 'commandCapabilitiesOf'>,
): readonly string[] {
  const ofModel = models.commandCapabilitiesOf(vehicle.model);
  if (!hasBox(vehicle)) return ofModel.filter((name) => !OF_BOX.has(name));
  return [...new Set([...ofModel, ...connectivityCapabilities(vehicle)])].sort();
}

const OF_MAINTENANCE: ReadonlySet<string> = new Set([...MAINTENANCE].map(capabilityName));

/** The vehicle state capabilities of one vehicle: those of its model, the maintenance ones where they are booked. */
export function stateCapabilities(
  vehicle: Pick<Vehicle, 'model' | 'maintenance'>,
  models: Pick<ModelKnowledge, 'capabilitiesOf'>,
): readonly string[] {
  const ofModel = models.capabilitiesOf(vehicle.model);
  return vehicle.maintenance ? ofModel : ofModel.filter((name) => !OF_MAINTENANCE.has(name));
}

/** What a vehicle has told, without what was told while the maintenance capabilities were booked, if they are not now. */
export function bookedState(vehicle: Pick<Vehicle, 'state' | 'maintenance'>): VehicleState {
  if (vehicle.maintenance) return vehicle.state;
  return Object.fromEntries(Object.entries(vehicle.state).filter(([name]) => !MAINTENANCE.has(name)));
}
