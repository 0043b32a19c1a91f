import { capabilityName } from '../../contract/operation.ts';
import { MAINTENANCE } from '../../contract/properties.ts';
import { COMMANDS } from '../../protocol/commands.ts';
import type { Vehicle, VehicleState } from '../store/port/stored-vehicle.ts';
import type { ModelKnowledge } from './capabilities.ts';
import { hasBox } from './find-vehicle.ts';
import { connectivityCapabilities } from './sim-providers.ts';

const OF_BOX: ReadonlySet<string> = new Set(
  COMMANDS.filter((command) => command.family === 'box').map((command) => capabilityName(command.name)),
);

/**
 * The command capabilities of one vehicle, UPPER_SNAKE_CASE, sorted: those of its model, the commands of a
 * box if it has one, and those of the SIM in that box. The guards use the same.
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

/**
 * The vehicle state capabilities of one vehicle: those of its model, the maintenance ones if they are booked.
 */
export function stateCapabilities(
  vehicle: Pick<Vehicle, 'model' | 'maintenance'>,
  models: Pick<ModelKnowledge, 'capabilitiesOf'>,
): readonly string[] {
  const ofModel = models.capabilitiesOf(vehicle.model);
  return vehicle.maintenance ? ofModel : ofModel.filter((name) => !OF_MAINTENANCE.has(name));
}

/** A vehicle's state, without the maintenance properties if they are not booked any more. */
export function bookedState(vehicle: Pick<Vehicle, 'state' | 'maintenance'>): VehicleState {
  if (vehicle.maintenance) return vehicle.state;
  return Object.fromEntries(Object.entries(vehicle.state).filter(([name]) => !MAINTENANCE.has(name)));
}
