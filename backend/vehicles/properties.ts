import { isSwitch, type Measure, type Switch, type VehicleModel } from '../../protocol/models/model.ts';

/**
 * The properties of the vehicle state that are told so far, as the contract types them. What a model's row may feed
 * is told by `of`, so that no row can publish volts as percent.
 */
export type PropertyRow =
  /** A number rounded to so many decimals (0: a whole number, the contract's int32); outside the span it is absent. */
  | {
      readonly shape: 'number';
      readonly minimum: number;
      readonly maximum: number;
      readonly decimals: number;
      readonly of?: Measure;
    }
  | { readonly shape: 'boolean'; readonly of: Switch }
  /** One word for true, one for false. */
  | { readonly shape: 'word'; readonly yes: string; readonly no: string; readonly of: Switch }
  /** One of these words, or an object; made by the code of its source. */
  | { readonly shape: 'word-of'; readonly words: readonly string[] }
  | { readonly shape: 'position' }
  | { readonly shape: 'backup-battery' };

export const PROPERTIES = {
  altitude_in_meters: { shape: 'number', minimum: -500, maximum: 9_000, decimals: 0 },
  cellular_signal_quality: { shape: 'number', minimum: 0, maximum: 5, decimals: 0 },
  central_lock: { shape: 'word', yes: 'LOCKED', no: 'UNLOCKED', of: 'locked' },
  doors_status: { shape: 'word', yes: 'OPEN', no: 'CLOSED', of: 'anyDoorOpen' },
  driving_enabled: { shape: 'boolean', of: 'drivingEnabled' },
  fuel_level_in_percent: { shape: 'number', minimum: 0, maximum: 100, decimals: 0, of: 'energyPercent' },
  gnss_hdop: { shape: 'number', minimum: 0, maximum: 99, decimals: 2 },
  gnss_position_fix_quality: {
    shape: 'word-of',
    words: ['NO_FIX', 'AUTONOMOUS_GNSS_FIX', 'DIFFERENTIAL_GNSS_FIX', 'DEAD_RECKONING_FIX'],
  },
  gnss_satellites_in_use: { shape: 'number', minimum: 0, maximum: 99, decimals: 0 },
  gnss_speed_over_ground_in_kph: { shape: 'number', minimum: 0, maximum: 500, decimals: 2 },
  heading_in_degrees: { shape: 'number', minimum: 0, maximum: 360, decimals: 2 },
  ignition: { shape: 'word', yes: 'ON', no: 'OFF', of: 'ignitionOn' },
  mileage_in_kilometers: { shape: 'number', minimum: 0, maximum: 9_999_999, decimals: 1, of: 'mileageKm' },
  onboard_voltage_in_volts: { shape: 'number', minimum: 0, maximum: 66, decimals: 3, of: 'onboardVolts' },
  position: { shape: 'position' },
  remaining_range_in_kilometers: { shape: 'number', minimum: 0, maximum: 9_999, decimals: 1, of: 'rangeKm' },
  speed_in_kph: { shape: 'number', minimum: 0, maximum: 500, decimals: 2, of: 'speedKph' },
  state_of_charge_or_fuel_level_in_percent: {
    shape: 'number',
    minimum: 0,
    maximum: 100,
    decimals: 1,
    of: 'energyPercent',
  },
  telematics_unit_backup_battery: { shape: 'backup-battery' },
  telematics_unit_supply_voltage_in_volts: { shape: 'number', minimum: 0, maximum: 66, decimals: 3 },
} as const satisfies Readonly<Record<string, PropertyRow>>;

export type PropertyName = keyof typeof PROPERTIES;

const byName: ReadonlyMap<string, PropertyRow> = new Map(Object.entries(PROPERTIES));

/** The row of a property, or undefined where there is none of that name. */
export function propertyRow(name: string): PropertyRow | undefined {
  return byName.get(name);
}

/** What is wrong with what a model's rows feed, one English sentence each; empty: nothing. */
export function faultsOfFeeds(model: VehicleModel): readonly string[] {
  return model.rows.flatMap((row) =>
    row.feeds.flatMap((name) => {
      const property = byName.get(name);
      if (property === undefined) return [`${name} is no property of the vehicle state`];
      if (!('of' in property) || property.of === undefined) return [`${name} is not the vehicle's to say`];
      if (property.of !== row.quantity) return [`${name} is fed by ${row.quantity}, not by ${property.of}`];
      return isSwitch(row.quantity) === (property.shape === 'number') ? [`${name} has another shape`] : [];
    }),
  );
}
