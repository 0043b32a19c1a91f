import type {
  ChoiceQuantity,
  DayQuantity,
  MeasureQuantity,
  SerialQuantity,
  SwitchQuantity,
} from '../protocol/models/quantities.ts';

/**
 * The type of one property of the vehicle state in the contract. `of` names the quantities that a model's row may feed
 * it with, so that no row can publish volts as percent.
 */
export type ValueRow =
  /**
   * A number rounded to this many decimals (0: a whole number, the contract's int32); outside the range it is absent.
   */
  | {
      readonly shape: 'number';
      readonly minimum: number;
      readonly maximum: number;
      readonly decimals: number;
      /** A direction: a full turn is 0 again, so that the maximum itself is never published. */
      readonly isTurn?: true;
      readonly of?: MeasureQuantity;
    }
  | { readonly shape: 'boolean'; readonly of: SwitchQuantity }
  /** One word for true, one for false, and one for a sensor that failed; without that one it is absent then. */
  | {
      readonly shape: 'word';
      readonly yes: string;
      readonly no: string;
      readonly failed?: string;
      readonly of: SwitchQuantity;
    }
  /** One of these words; `other` is for any other value, which is absent without it. */
  | {
      readonly shape: 'choice';
      readonly words: readonly string[];
      readonly other?: string;
      readonly of: ChoiceQuantity;
    }
  /** A calendar date: `2027-03-01`. */
  | { readonly shape: 'date'; readonly of: DayQuantity }
  /** The date-time that is this many minutes after the report. */
  | { readonly shape: 'moment'; readonly of: MeasureQuantity }
  /** Trouble codes as people write them (`P0301`), each once. */
  | { readonly shape: 'codes'; readonly of: 'troubleCodes' }
  /** A serial number: 8 hexadecimal digits. */
  | { readonly shape: 'serial'; readonly of: SerialQuantity };

/** An object by name, from a row for each part. */
export interface PartsRow {
  readonly shape: 'parts';
  readonly parts: Readonly<Record<string, PropertyPart>>;
  /** It is published only if all of its parts are known; otherwise if one of them is. */
  readonly whole?: true;
}
export type PropertyPart = ValueRow | PartsRow;

/** One of these words; made by the code of its source. */
export interface WordsRow {
  readonly shape: 'word-of';
  readonly words: readonly string[];
}

export type PropertyRow = (
  | PropertyPart
  | WordsRow
  /** Objects that the code of their source makes, always with all of their parts. */
  | { readonly shape: 'position'; readonly parts: Readonly<Record<'lat' | 'lon', ValueRow>> }
  | { readonly shape: 'backup-battery'; readonly parts: Readonly<Record<string, ValueRow | WordsRow>> }
) & {
  /** It is of the maintenance set, which is booked per vehicle. */
  readonly maintenance?: true;
  /**
   * It applies only while another property does: a report that reads its signal without a value ends it. Without this
   * the last value stays, with its time, until the next one.
   */
  readonly lapses?: true;
};

const PERCENT = { shape: 'number', minimum: 0, maximum: 100 } as const;
const VOLTS = { shape: 'number', minimum: 0, maximum: 66, decimals: 3 } as const;
const LITRES = { shape: 'number', minimum: 0, maximum: 500, decimals: 1 } as const;
const DUE_KM = {
  shape: 'number',
  minimum: -99_999,
  maximum: 999_999,
  decimals: 0,
  maintenance: true,
} as const;

export const PROPERTIES = {
  abs_status: { shape: 'word', yes: 'ENABLED', no: 'DISABLED', of: 'absEnabled' },
  adblue_level_in_liters: { ...LITRES, of: 'adblueLitres' },
  adblue_level_in_percent: { ...PERCENT, decimals: 1, of: 'adbluePercent' },
  altitude_in_meters: { shape: 'number', minimum: -500, maximum: 9_000, decimals: 0 },
  box_cardholder_cards: {
    shape: 'parts',
    parts: { card_1: card('card1'), card_2: card('card2'), card_3: card('card3') },
  },
  cellular_signal_quality: { shape: 'number', minimum: 0, maximum: 5, decimals: 0 },
  center_stand_position: { shape: 'word', yes: 'EXTENDED', no: 'RETRACTED', of: 'standExtended' },
  central_lock: { shape: 'word', yes: 'LOCKED', no: 'UNLOCKED', of: 'locked' },
  charging_adapter_status: {
    shape: 'word',
    yes: 'CONNECTED',
    no: 'DISCONNECTED',
    of: 'chargingAdapterConnected',
  },
  charging_status: { shape: 'word', yes: 'CHARGING', no: 'NOT_CHARGING', of: 'charging' },
  /** Only while it charges. */
  charging_until: { shape: 'moment', of: 'chargingMinutesLeft', lapses: true },
  convertible_top_status: { shape: 'word', yes: 'OPEN', no: 'CLOSED', of: 'convertibleTopOpen' },
  doors_status: { shape: 'word', yes: 'OPEN', no: 'CLOSED', of: 'anyDoorOpen' },
  /** In addition to the level of a tank or of all batteries together. Only while a battery is in a port. */
  drive_batteries: { shape: 'parts', parts: { port_1: battery(1), port_2: battery(2) }, lapses: true },
  driving_enabled: { shape: 'boolean', of: 'drivingEnabled' },
  esp_status: { shape: 'word', yes: 'ENABLED', no: 'DISABLED', of: 'espEnabled' },
  fuel_level_in_liters: { ...LITRES, of: 'fuelLitres' },
  fuel_level_in_percent: { ...PERCENT, decimals: 0, of: 'energyPercent' },
  gearshift_position: {
    shape: 'choice',
    words: ['DRIVE', 'NEUTRAL', 'PARK', 'REVERSE'],
    other: 'UNSUPPORTED_VALUE',
    of: 'gear',
  },
  /** Properties of a fix, absent without one, as is its speed. The last position stays. */
  gnss_hdop: { shape: 'number', minimum: 0, maximum: 99, decimals: 2, lapses: true },
  gnss_position_fix_quality: {
    shape: 'word-of',
    words: ['NO_FIX', 'AUTONOMOUS_GNSS_FIX', 'DIFFERENTIAL_GNSS_FIX', 'DEAD_RECKONING_FIX'],
  },
  gnss_satellites_in_use: { shape: 'number', minimum: 0, maximum: 99, decimals: 0 },
  gnss_speed_over_ground_in_kph: { shape: 'number', minimum: 0, maximum: 500, decimals: 2, lapses: true },
  heading_in_degrees: { shape: 'number', minimum: 0, maximum: 360, decimals: 2, isTurn: true },
  headlights: { shape: 'word', yes: 'ON', no: 'OFF', of: 'headlightsOn' },
  ignition: { shape: 'word', yes: 'ON', no: 'OFF', of: 'ignitionOn' },
  mileage_in_kilometers: { shape: 'number', minimum: 0, maximum: 9_999_999, decimals: 1, of: 'mileageKm' },
  onboard_voltage_in_volts: { ...VOLTS, of: 'onboardVolts' },
  parking_brake_engaged: { shape: 'boolean', of: 'parkingBrakeEngaged' },
  position: {
    shape: 'position',
    parts: {
      lat: { shape: 'number', minimum: -90, maximum: 90, decimals: 7 },
      lon: { shape: 'number', minimum: -180, maximum: 180, decimals: 7 },
    },
  },
  remaining_range_in_kilometers: { shape: 'number', minimum: 0, maximum: 9_999, decimals: 1, of: 'rangeKm' },
  seatbelts_status: {
    shape: 'parts',
    parts: {
      front_left: belt('beltFrontLeft'),
      front_right: belt('beltFrontRight'),
      row2_left: belt('beltRow2Left'),
      row2_middle: belt('beltRow2Middle'),
      row2_right: belt('beltRow2Right'),
    },
  },
  speed_in_kph: { shape: 'number', minimum: 0, maximum: 500, decimals: 2, of: 'speedKph' },
  state_of_charge_or_fuel_level_in_percent: { ...PERCENT, decimals: 1, of: 'energyPercent' },
  state_of_charge_or_fuel_level_low_indicator: lamp('energyLow'),
  sunroof_status: { shape: 'word', yes: 'OPEN', no: 'CLOSED', of: 'sunroofOpen' },
  telematics_unit_backup_battery: {
    shape: 'backup-battery',
    parts: {
      level_in_percent: { ...PERCENT, decimals: 0 },
      voltage_in_volts: VOLTS,
      charging_status: { shape: 'word-of', words: ['CHARGING', 'FULL', 'NOT_CHARGING'] },
    },
  },
  telematics_unit_supply_voltage_in_volts: VOLTS,
  top_case_lid: { shape: 'word', yes: 'OPEN', no: 'CLOSED', of: 'topCaseOpen' },
  top_case_lock: { shape: 'word', yes: 'LOCKED', no: 'UNLOCKED', of: 'topCaseLocked' },
  vehicle_key: { shape: 'word', yes: 'PRESENT', no: 'ABSENT', of: 'keyPresent' },
  windows_status: { shape: 'word', yes: 'OPEN', no: 'CLOSED', of: 'windowsOpen' },

  abs_warning_indicator: { shape: 'word', yes: 'ON', no: 'OFF', of: 'absWarning', maintenance: true },
  adblue_level_low_indicator: indicator('adblueLow'),
  brake_fluid_due_date: { shape: 'date', of: 'brakeFluidDueDay', maintenance: true },
  brake_fluid_level_low_indicator: indicator('brakeFluidLow'),
  brake_lining_wear_indicator: indicator('brakeLiningWorn'),
  brake_warning_indicator: indicator('brakeWarning'),
  check_engine_indicator: indicator('checkEngine'),
  coolant_level_low_indicator: indicator('coolantLow'),
  coolant_temperature_high_indicator: indicator('coolantHot'),
  diagnostic_trouble_codes: { shape: 'codes', of: 'troubleCodes', maintenance: true },
  engine_oil_due_date: { shape: 'date', of: 'oilDueDay', maintenance: true },
  engine_oil_due_in_kilometers: { ...DUE_KM, of: 'oilDueKm' },
  engine_oil_pressure_low_indicator: indicator('oilPressureLow'),
  epc_warning_indicator: { shape: 'word', yes: 'ON', no: 'OFF', of: 'epcWarning', maintenance: true },
  esp_warning_indicator: { shape: 'word', yes: 'ON', no: 'OFF', of: 'espWarning', maintenance: true },
  power_steering_failure_indicator: indicator('powerSteeringFailed'),
  service_due_date: { shape: 'date', of: 'serviceDueDay', maintenance: true },
  service_due_in_kilometers: { ...DUE_KM, of: 'serviceDueKm' },
  starter_battery_warning_indicator: indicator('starterBatteryWarning'),
  tire_pressure_indicator: indicator('tirePressureWarning'),
  washer_fluid_level_low_indicator: indicator('washerFluidLow'),
} as const satisfies Readonly<Record<string, PropertyRow>>;

export type PropertyName = keyof typeof PROPERTIES;

function lamp<Name extends SwitchQuantity>(of: Name) {
  return { shape: 'word', yes: 'ON', no: 'OFF', failed: 'SENSOR_FAILURE', of } as const;
}

function indicator<Name extends SwitchQuantity>(of: Name) {
  return { ...lamp(of), maintenance: true } as const;
}

function belt<Name extends SwitchQuantity>(of: Name) {
  return { shape: 'word', yes: 'FASTENED', no: 'NOT_FASTENED', of } as const;
}

function card<Name extends ChoiceQuantity>(of: Name) {
  return { shape: 'choice', words: ['PRESENT', 'ABSENT', 'NOT_CONFIGURED'], of } as const;
}

/** The battery in a port is published only as a whole: without a battery its part of the property is absent. */
function battery<Port extends 1 | 2>(port: Port) {
  return {
    shape: 'parts',
    whole: true,
    parts: {
      serial_number: { shape: 'serial', of: `battery${port}Serial` },
      level_in_percent: { ...PERCENT, decimals: 1, of: `battery${port}Percent` },
      charge_cycles: {
        shape: 'number',
        minimum: 0,
        maximum: 99_999,
        decimals: 0,
        of: `battery${port}Cycles`,
      },
      average_temperature_in_degrees_celsius: {
        shape: 'number',
        minimum: -100,
        maximum: 200,
        decimals: 1,
        of: `battery${port}TemperatureC`,
      },
      voltage_in_volts: {
        shape: 'number',
        minimum: 0,
        maximum: 1_500,
        decimals: 2,
        of: `battery${port}Volts`,
      },
    },
  } as const;
}

const byName: ReadonlyMap<string, PropertyRow> = new Map(Object.entries(PROPERTIES));

/** The row of a property; undefined: there is none of that name. */
export function propertyRow(name: string): PropertyRow | undefined {
  return byName.get(name);
}

/** The properties that end with something else. */
export const LAPSING: ReadonlySet<string> = new Set(
  [...byName].filter(([, row]) => row.lapses === true).map(([name]) => name),
);

/** The properties of the maintenance set. */
export const MAINTENANCE: ReadonlySet<string> = new Set(
  [...byName].filter(([, row]) => row.maintenance === true).map(([name]) => name),
);

/** The row of `property` or `property.part.part`, or undefined if there is none. */
export function valueRow(path: string): PropertyRow | undefined {
  const [name = '', ...parts] = path.split('.');
  let row: PropertyRow | undefined = byName.get(name);
  for (const part of parts) {
    if (row?.shape !== 'parts' || !Object.hasOwn(row.parts, part)) return undefined;
    row = row.parts[part];
  }
  return row;
}
