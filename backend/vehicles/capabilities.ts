import { capabilityName } from '../../contract/operation.ts';
import type { PropertyName } from '../../contract/properties.ts';
import { COMMANDS } from '../../protocol/commands.ts';
import type { VehicleModel } from '../../protocol/models/model.ts';

/** What the box measures itself, in every vehicle: GNSS, modem, power. */
export const BOX_PROPERTIES: readonly PropertyName[] = [
  'altitude_in_meters',
  'cellular_signal_quality',
  'gnss_hdop',
  'gnss_position_fix_quality',
  'gnss_satellites_in_use',
  'gnss_speed_over_ground_in_kph',
  'heading_in_degrees',
  'position',
  'telematics_unit_backup_battery',
  'telematics_unit_supply_voltage_in_volts',
];

/** The capabilities of these properties or commands, sorted, each once. */
export function capabilityNames(names: Iterable<string>): readonly string[] {
  return [...new Set(names)].map(capabilityName).sort((a, b) => (a < b ? -1 : 1));
}

/**
 * Vehicle state capabilities, derived from the model's rows and the box: UPPER_SNAKE_CASE, sorted, each once; those
 * of the maintenance set among them, whether or not they are booked for a vehicle.
 */
export function capabilitiesOf(model: VehicleModel): readonly string[] {
  const fed = model.rows.flatMap((row) => row.feeds.map((path) => path.split('.', 1)[0] ?? path));
  return capabilityNames([...BOX_PROPERTIES, ...fed]);
}

/** Command capabilities: those of every box, and what the vehicle's wiring allows. UPPER_SNAKE_CASE, sorted. */
export function commandCapabilitiesOf(model: VehicleModel): readonly string[] {
  const ofBox = COMMANDS.filter((command) => command.family === 'box').map((command) => command.name);
  return capabilityNames([...ofBox, ...model.vehicleCommands]);
}

/** The data of the vehicle models, by the name of a model. */
export interface ModelKnowledge {
  findModel(model: string): VehicleModel | undefined;
  /** Whether vehicles of that model come with a box, or with their maker's cloud; undefined: there is no such model. */
  telematicsOf(model: string): 'box' | 'maker' | undefined;
  /** Vehicle state capabilities, UPPER_SNAKE_CASE. */
  capabilitiesOf(model: string): readonly string[];
  /** Command capabilities, UPPER_SNAKE_CASE. */
  commandCapabilitiesOf(model: string): readonly string[];
}
