import { COMMANDS, type CommandName } from '../../protocol/commands.ts';
import type { VehicleModel } from '../../protocol/models/model.ts';
import type { Maker, MakerModel } from '../third-party/maker.ts';
import type { PropertyName } from './properties.ts';

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

/** The capability of a property or of a command: `top_case_lock` and `top-case-lock` are TOP_CASE_LOCK. */
export function capabilityName(name: string): string {
  return name.replaceAll('-', '_').toUpperCase();
}

/**
 * Vehicle state capabilities, derived from the model's rows and the box: UPPER_SNAKE_CASE, sorted, each once; those
 * of the maintenance set among them, whether or not they are booked for a vehicle.
 */
export function capabilitiesOf(model: VehicleModel): readonly string[] {
  const fed = model.rows.flatMap((row) => row.feeds.map((path) => path.split('.', 1)[0] ?? path));
  const properties = new Set([...BOX_PROPERTIES, ...fed]);
  return [...properties].map(capabilityName).sort(byLetters);
}

/** Command capabilities: those of every box, and what the vehicle's wiring allows. UPPER_SNAKE_CASE, sorted. */
export function commandCapabilitiesOf(model: VehicleModel): readonly string[] {
  const ofBox = COMMANDS.filter((command) => command.family === 'box').map((command) => command.name);
  return [...new Set([...ofBox, ...model.vehicleCommands])].map(capabilityName).sort(byLetters);
}

/** The same two for a maker's model: the properties in the maker's rows, and the commands that the maker offers. */
export function makerCapabilities(
  maker: Maker,
  { lacksCommands, lacksProperties }: MakerModel,
): {
  readonly state: readonly string[];
  readonly commands: readonly string[];
} {
  const properties = new Set(
    maker.rows.map((row) => row.property).filter((name) => !lacksProperties.includes(name)),
  );
  return {
    state: [...properties].map(capabilityName).sort(byLetters),
    commands: (Object.keys(maker.commands) as CommandName[])
      .filter((name) => !lacksCommands.includes(name))
      .map(capabilityName)
      .sort(byLetters),
  };
}

function byLetters(a: string, b: string): number {
  return a < b ? -1 : 1;
}
