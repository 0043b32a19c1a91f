import { capabilityName } from '../../contract/operation.ts';
import { MAINTENANCE } from '../../contract/properties.ts';
import { COMMANDS } from '../../protocol/commands.ts';
import type { Vehicle } from '../store/port/stored-vehicle.ts';
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
  vehicle: Pick<Vehicle, 'model' | 'boxId' | 'sim'>,
  models: Pick<ModelKnowledge, 'commandCapabilitiesOf'>,
): readonly string[] {
  const ofModel = models.commandCapabilitiesOf(vehicle.model);
  return hasBox(vehicle) ? withSim(ofModel, connectivityCapabilities(vehicle)) : withoutBox(ofModel);
}

const withoutBox = madeOnce((ofModel) => ofModel.filter((name) => !OF_BOX.has(name)));
const withSim = madeOncePerPair((ofModel, ofSim) => [...new Set([...ofModel, ...ofSim])].sort());

const OF_MAINTENANCE: ReadonlySet<string> = new Set([...MAINTENANCE].map(capabilityName));

/**
 * The vehicle state capabilities of one vehicle: those of its model, the maintenance ones if they are booked.
 */
export function stateCapabilities(
  vehicle: Pick<Vehicle, 'model' | 'maintenance'>,
  models: Pick<ModelKnowledge, 'capabilitiesOf'>,
): readonly string[] {
  const ofModel = models.capabilitiesOf(vehicle.model);
  return vehicle.maintenance ? ofModel : withoutMaintenance(ofModel);
}

const withoutMaintenance = madeOnce((ofModel) => ofModel.filter((name) => !OF_MAINTENANCE.has(name)));

/** Both as answers have them, as JSON: half of a listed vehicle, and equal for most vehicles of a model. */
export function capabilitiesText(
  vehicle: Pick<Vehicle, 'model' | 'boxId' | 'sim' | 'maintenance'>,
  models: Pick<ModelKnowledge, 'capabilitiesOf' | 'commandCapabilitiesOf'>,
): string {
  return bothText(commandCapabilities(vehicle, models), stateCapabilities(vehicle, models));
}

const bothText = madeOncePerPair((commands, state) => JSON.stringify({ commands, vehicle_state: state }));

/** The same function, whose result for a list is kept as long as that list. */
function madeOnce<Made>(make: (list: readonly string[]) => Made): (list: readonly string[]) => Made {
  const made = new WeakMap<readonly string[], Made>();
  return (list) => {
    const found = made.get(list);
    if (found !== undefined) return found;
    const result = make(list);
    made.set(list, result);
    return result;
  };
}

/** The same for two lists. */
function madeOncePerPair<Made>(
  make: (one: readonly string[], other: readonly string[]) => Made,
): (one: readonly string[], other: readonly string[]) => Made {
  const ofOne = madeOnce((one) => madeOnce((other) => make(one, other)));
  return (one, other) => ofOne(one)(other);
}

/** Whether a property of a vehicle's state is shown: those of maintenance are only if they are booked. */
export function isBooked({ maintenance }: Pick<Vehicle, 'maintenance'>, name: string): boolean {
  return maintenance || !MAINTENANCE.has(name);
}
