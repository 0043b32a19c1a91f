/**
 * The physical meanings of raw signals. A row has: its kind, in the unit that ends its name; the range that a
 * signal must represent; the vehicles that can have it (`of`, see traits.ts); and the properties of the
 * vehicle state that it usually feeds.
 *
 * - `measure`: a number.
 * - `switch`: true or false. For an indicator true means that it is lit.
 * - `choice`: one of its words.
 * - `day`: whole days since 1970-01-01 (UTC).
 * - `serial`: a serial number, a whole number of 32 bits.
 * - `codes`: trouble codes as packed in SAE J2012.
 */
export const QUANTITIES = {
  // Driving
  speedKph: { kind: 'measure', span: [0, 200], feeds: ['speed_in_kph'] },
  // SAE J1939 (SPN 190) ends at 8,031.875; values above a signal's range are clipped to it.
  engineRpm: { kind: 'measure', span: [0, 8_000], feeds: [] },
  coolantTemperatureC: { kind: 'measure', span: [-40, 150], feeds: [] },
  mileageKm: { kind: 'measure', span: [0, 500_000], feeds: ['mileage_in_kilometers'] },
  onboardVolts: { kind: 'measure', span: [0, 16], feeds: ['onboard_voltage_in_volts'] },
  ignitionOn: { kind: 'switch', feeds: [] },
  drivingEnabled: { kind: 'switch', feeds: ['driving_enabled'] },
  /** SPORT: a position of some selectors for which the vehicle state has no word. */
  gear: {
    kind: 'choice',
    words: ['PARK', 'REVERSE', 'NEUTRAL', 'DRIVE', 'SPORT'],
    of: 'automatic',
    feeds: ['gearshift_position'],
  },
  parkingBrakeEngaged: { kind: 'switch', of: 'cabin', feeds: ['parking_brake_engaged'] },
  absEnabled: { kind: 'switch', feeds: ['abs_status'] },
  espEnabled: { kind: 'switch', of: 'cabin', feeds: ['esp_status'] },
  headlightsOn: { kind: 'switch', feeds: ['headlights'] },

  // Energy. The main energy store: the tank, or the traction battery of a vehicle without a tank.
  energyPercent: {
    kind: 'measure',
    span: [0, 100],
    feeds: ['fuel_level_in_percent', 'state_of_charge_or_fuel_level_in_percent'],
  },
  energyLow: { kind: 'switch', feeds: ['state_of_charge_or_fuel_level_low_indicator'] },
  rangeKm: { kind: 'measure', span: [0, 1_000], feeds: ['remaining_range_in_kilometers'] },
  fuelLitres: { kind: 'measure', span: [0, 100], of: 'tank', feeds: ['fuel_level_in_liters'] },
  adblueLitres: { kind: 'measure', span: [0, 25], of: 'adblue', feeds: ['adblue_level_in_liters'] },
  adbluePercent: { kind: 'measure', span: [0, 100], of: 'adblue', feeds: ['adblue_level_in_percent'] },
  /**
   * The traction battery of a plug-in hybrid, from the drive's bus; for drive_batteries see battery1Percent.
   */
  hybridChargePercent: { kind: 'measure', span: [0, 100], of: 'plug-in-hybrid', feeds: [] },
  chargingAdapterConnected: { kind: 'switch', of: 'plug', feeds: ['charging_adapter_status'] },
  charging: { kind: 'switch', of: 'plug', feeds: ['charging_status'] },
  /** Until the traction battery is full; not available while it does not charge. */
  chargingMinutesLeft: { kind: 'measure', span: [0, 1_440], of: 'plug', feeds: ['charging_until'] },

  // Drive batteries other than that of `energyPercent`: swappable ones, by their port; an empty port has no
  // values. The built-in battery of a plug-in hybrid counts as that of port 1.
  battery1Percent: battery([0, 100], 'port_1.level_in_percent'),
  battery1Cycles: battery([0, 4_000], 'port_1.charge_cycles'),
  battery1TemperatureC: battery([-40, 90], 'port_1.average_temperature_in_degrees_celsius'),
  battery1Volts: battery([0, 500], 'port_1.voltage_in_volts'),
  battery1Serial: { kind: 'serial', of: 'battery-ports', feeds: ['drive_batteries.port_1.serial_number'] },
  battery2Percent: battery([0, 100], 'port_2.level_in_percent'),
  battery2Cycles: battery([0, 4_000], 'port_2.charge_cycles'),
  battery2TemperatureC: battery([-40, 90], 'port_2.average_temperature_in_degrees_celsius'),
  battery2Volts: battery([0, 500], 'port_2.voltage_in_volts'),
  battery2Serial: { kind: 'serial', of: 'battery-ports', feeds: ['drive_batteries.port_2.serial_number'] },

  // The cabin, and everything else that opens and locks
  anyDoorOpen: { kind: 'switch', of: 'cabin', feeds: ['doors_status'] },
  locked: { kind: 'switch', of: 'cabin', feeds: ['central_lock'] },
  windowsOpen: { kind: 'switch', of: 'cabin', feeds: ['windows_status'] },
  sunroofOpen: { kind: 'switch', of: 'cabin', feeds: ['sunroof_status'] },
  convertibleTopOpen: { kind: 'switch', of: 'cabin', feeds: ['convertible_top_status'] },
  keyPresent: { kind: 'switch', feeds: ['vehicle_key'] },
  beltFrontLeft: belt('front_left'),
  beltFrontRight: belt('front_right'),
  beltRow2Left: belt('row2_left'),
  beltRow2Middle: belt('row2_middle'),
  beltRow2Right: belt('row2_right'),
  topCaseOpen: { kind: 'switch', of: 'two-wheels', feeds: ['top_case_lid'] },
  topCaseLocked: { kind: 'switch', of: 'two-wheels', feeds: ['top_case_lock'] },
  standExtended: { kind: 'switch', of: 'two-wheels', feeds: ['center_stand_position'] },
  compartmentLocked: { kind: 'switch', of: 'two-wheels', feeds: [] },
  /** Fuel and parking cards in the holder of the glove box, by slot. */
  card1: card('card_1'),
  card2: card('card_2'),
  card3: card('card_3'),

  // Maintenance
  absWarning: { kind: 'switch', feeds: ['abs_warning_indicator'] },
  adblueLow: { kind: 'switch', of: 'adblue', feeds: ['adblue_level_low_indicator'] },
  brakeFluidDueDay: day('brake_fluid_due_date'),
  brakeFluidLow: { kind: 'switch', feeds: ['brake_fluid_level_low_indicator'] },
  brakeLiningWorn: { kind: 'switch', feeds: ['brake_lining_wear_indicator'] },
  brakeWarning: { kind: 'switch', feeds: ['brake_warning_indicator'] },
  checkEngine: { kind: 'switch', feeds: ['check_engine_indicator'] },
  coolantLow: { kind: 'switch', feeds: ['coolant_level_low_indicator'] },
  coolantHot: { kind: 'switch', feeds: ['coolant_temperature_high_indicator'] },
  troubleCodes: { kind: 'codes', feeds: ['diagnostic_trouble_codes'] },
  oilDueDay: { ...day('engine_oil_due_date'), of: 'tank' },
  oilDueKm: { ...due('engine_oil_due_in_kilometers'), of: 'tank' },
  oilPressureLow: { kind: 'switch', of: 'tank', feeds: ['engine_oil_pressure_low_indicator'] },
  epcWarning: { kind: 'switch', feeds: ['epc_warning_indicator'] },
  espWarning: { kind: 'switch', of: 'cabin', feeds: ['esp_warning_indicator'] },
  powerSteeringFailed: { kind: 'switch', of: 'cabin', feeds: ['power_steering_failure_indicator'] },
  serviceDueDay: day('service_due_date'),
  serviceDueKm: due('service_due_in_kilometers'),
  starterBatteryWarning: { kind: 'switch', feeds: ['starter_battery_warning_indicator'] },
  tirePressureWarning: { kind: 'switch', feeds: ['tire_pressure_indicator'] },
  washerFluidLow: { kind: 'switch', of: 'cabin', feeds: ['washer_fluid_level_low_indicator'] },
} as const satisfies Readonly<Record<string, QuantityRow>>;

/** Which vehicles can have a quantity. */
export type ModelTrait =
  | 'automatic'
  | 'cabin'
  | 'two-wheels'
  | 'tank'
  | 'adblue'
  | 'plug'
  | 'plug-in-hybrid'
  | 'battery-ports';

export type QuantityRow = Common &
  (
    | { readonly kind: 'measure'; readonly span: readonly [lowest: number, highest: number] }
    | { readonly kind: 'switch' }
    | { readonly kind: 'choice'; readonly words: readonly string[] }
    | { readonly kind: 'day' }
    | { readonly kind: 'serial' }
    | { readonly kind: 'codes' }
  );

interface Common {
  /** Absent: every vehicle. */
  readonly of?: ModelTrait;
  /**
   * Property names of the vehicle state, snake_case; after a dot the part of a property that has parts:
   * `seatbelts_status.front_left`.
   */
  readonly feeds: readonly string[];
}

type Table = typeof QUANTITIES;
/** The physical meaning of a raw signal. */
export type Quantity = keyof Table;
type OfKind<Kind> = { [Name in Quantity]: Table[Name] extends { kind: Kind } ? Name : never }[Quantity];
export type MeasureQuantity = OfKind<'measure'>;
export type SwitchQuantity = OfKind<'switch'>;
export type ChoiceQuantity = OfKind<'choice'>;
export type DayQuantity = OfKind<'day'>;
export type SerialQuantity = OfKind<'serial'>;

/** The value of a quantity, if it is known and its sensor works. */
export type ValueOf<Name extends Quantity> = Name extends ChoiceQuantity
  ? Table[Name]['words'][number]
  : Name extends SwitchQuantity
    ? boolean
    : Name extends 'troubleCodes'
      ? readonly number[]
      : number;

/** The range of dates, as days: 2000-01-01 to 2099-12-31. */
export const DAYS = [10_957, 47_481] as const;

const byName: ReadonlyMap<string, QuantityRow> = new Map(Object.entries(QUANTITIES));

/** The row of a quantity, or undefined if there is none of that name. */
export function quantityRow(name: string): QuantityRow | undefined {
  return byName.get(name);
}

const switches = new Set<string>(
  [...byName].filter(([, row]) => row.kind === 'switch').map(([name]) => name),
);

/** Whether a quantity is a switch. */
export function isSwitch(quantity: Quantity): quantity is SwitchQuantity {
  return switches.has(quantity);
}

function battery(span: readonly [number, number], part: string) {
  return { kind: 'measure', span, of: 'battery-ports', feeds: [`drive_batteries.${part}`] } as const;
}

function belt(seat: string) {
  return { kind: 'switch', of: 'cabin', feeds: [`seatbelts_status.${seat}`] } as const;
}

function card(slot: string) {
  return {
    kind: 'choice',
    words: ['PRESENT', 'ABSENT', 'NOT_CONFIGURED'],
    of: 'cabin',
    feeds: [`box_cardholder_cards.${slot}`],
  } as const;
}

function day(property: string) {
  return { kind: 'day', feeds: [property] } as const;
}

/** Below 0: overdue by that much. */
function due(property: string) {
  return { kind: 'measure', span: [-9_999, 40_000], feeds: [property] } as const;
}
