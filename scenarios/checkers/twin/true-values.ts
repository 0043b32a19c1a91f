import type { VehicleModel } from '../../../protocol/models/model.ts';
import type { Quantity } from '../../../protocol/models/quantities.ts';
import type { GeoPoint } from '../../../simulator/arithmetic.ts';
import { limits } from '../../../simulator/vehicle/limits.ts';
import { SENSOR_ERRORS } from '../../../simulator/vehicle/sensing/sensor-errors.ts';
import {
  angle,
  either,
  isBetween,
  measure,
  type PhysicalTruth,
  parts,
  place,
  reading,
  sensed,
  stepOf,
  type TrueProperty,
  word,
} from './true-match.ts';

const lamp = (quantity: Quantity) => either(quantity, 'ON', 'OFF');
const lid = (quantity: Quantity) => either(quantity, 'OPEN', 'CLOSED');
const bolt = (quantity: Quantity) => either(quantity, 'LOCKED', 'UNLOCKED');
const aid = (quantity: Quantity) => either(quantity, 'ENABLED', 'DISABLED');
const belt = (quantity: Quantity) => either(quantity, 'FASTENED', 'NOT_FASTENED');
const choice = (quantity: Quantity) => word((truth) => sensed(truth, quantity), quantity);

const DAY_MS = 86_400_000;
/** `2027-03-01` of days since 1970. */
const date = (quantity: Quantity) =>
  word((truth) => {
    const days = sensed(truth, quantity);
    return typeof days === 'number'
      ? new Date(Math.round(days) * DAY_MS).toISOString().slice(0, 10)
      : undefined;
  }, quantity);

/** The GNSS fix; undefined without one, when only quality and satellites have a meaning. */
function receiver(truth: PhysicalTruth): Readonly<Record<string, unknown>> | undefined {
  const found = truth['receiver'] as Readonly<Record<string, unknown>> | undefined;
  return found === undefined || found['quality'] === 0 ? undefined : found;
}
const whereFixed = (name: string) => (truth: PhysicalTruth) =>
  receiver(truth) === undefined ? undefined : truth[name];

/** The speed over ground in km/h: a towed vehicle moves although its wheels stand still. */
const overGround = (truth: PhysicalTruth) => {
  if (receiver(truth) === undefined) return undefined;
  return truth['isTowed'] === true ? limits.towingMps * 3.6 : truth['speedKph'];
};

const FIXES = new Map<unknown, string>([
  [0, 'NO_FIX'],
  [1, 'AUTONOMOUS_GNSS_FIX'],
  [2, 'DIFFERENTIAL_GNSS_FIX'],
  [6, 'DEAD_RECKONING_FIX'],
]);
/** The lowest CSQ of each quality from 1 on. */
const FROM_CSQ = [2, 6, 10, 15, 20];
const qualityOf = (csq: number) => FROM_CSQ.filter((from) => csq >= from).length;
const volts = (name: string) => (truth: PhysicalTruth) => Number(truth[name]) / 1_000;

/** The properties of the battery in a port. */
const port = (number: 1 | 2) =>
  parts(
    {
      serial_number: word((truth) => {
        const serial = sensed(truth, `battery${number}Serial`);
        return typeof serial === 'number' ? serial.toString(16).toUpperCase().padStart(8, '0') : undefined;
      }),
      level_in_percent: measure(`battery${number}Percent`, 1),
      charge_cycles: measure(`battery${number}Cycles`, 0),
      average_temperature_in_degrees_celsius: measure(`battery${number}TemperatureC`, 1),
      voltage_in_volts: measure(`battery${number}Volts`, 2),
    },
    true,
  );

/**
 * Remaining minutes are given as the moment at which they end, counted from the report by the box's own
 * clock.
 */
const FLOOR_MS = 1_000;
const until: TrueProperty = {
  quantity: 'chargingMinutesLeft',
  says: (truth) => sensed(truth, 'chargingMinutesLeft'),
  fits: (value, truths, precision, timestampMs) => {
    const minutes = (Date.parse(String(value)) - timestampMs) / 60_000;
    const told = truths.map((truth) => sensed(truth, 'chargingMinutesLeft'));
    return isBetween(minutes, told, stepOf(precision, 'chargingMinutesLeft') / 2 + FLOOR_MS / 60_000);
  },
};

/** Readings that the box measures itself: half of the widest step on the wire, by generation. */
const WIRE = { degreesM: 0.2, altitudeM: 0.5, headingDegrees: 0.5, knotsKph: 0.1, hdop: 0.05, volts: 0.0005 };
const {
  position: positionError,
  altitude_in_meters: altitudeError,
  heading_in_degrees: headingError,
  gnss_speed_over_ground_in_kph: groundSpeedError,
  gnss_hdop: hdopError,
  gnss_satellites_in_use: satellitesError,
  cellular_signal_quality: signalError,
} = SENSOR_ERRORS;

/** Every property of the vehicle state, and how it follows from the physics. */
export const TRUE_VALUES: Readonly<Record<string, TrueProperty>> = {
  abs_status: aid('absEnabled'),
  adblue_level_in_liters: measure('adblueLitres', 1),
  adblue_level_in_percent: measure('adbluePercent', 1),
  altitude_in_meters: reading(whereFixed('altitudeM'), {
    step: WIRE.altitudeM,
    decimals: 0,
    error: altitudeError.most,
  }),
  box_cardholder_cards: parts({ card_1: choice('card1'), card_2: choice('card2'), card_3: choice('card3') }),
  cellular_signal_quality: {
    says: ({ csq: heard, hasCoverage }) =>
      hasCoverage === true && typeof heard === 'number' ? qualityOf(heard) : undefined,
    fits: (value, truths) =>
      truths.some(({ csq: heard }) => {
        const quality = qualityOf(Number(heard));
        return typeof value === 'number' && Math.abs(value - quality) <= signalError.most;
      }),
  },
  center_stand_position: either('standExtended', 'EXTENDED', 'RETRACTED'),
  central_lock: bolt('locked'),
  charging_adapter_status: either('chargingAdapterConnected', 'CONNECTED', 'DISCONNECTED'),
  charging_status: word((truth, { makerStep }) => {
    // A maker's car reports by whether current flows, also while it is only plugged in.
    const drawn = makerStep === undefined ? sensed(truth, 'charging') : truth['engine'];
    if (drawn === undefined) return undefined;
    const isCharging = drawn === true || drawn === 'charging' || drawn === 'filling';
    return isCharging ? 'CHARGING' : 'NOT_CHARGING';
  }, 'charging'),
  charging_until: until,
  convertible_top_status: lid('convertibleTopOpen'),
  doors_status: lid('anyDoorOpen'),
  drive_batteries: parts({ port_1: port(1), port_2: port(2) }),
  driving_enabled: either('drivingEnabled', true, false),
  esp_status: aid('espEnabled'),
  fuel_level_in_liters: measure('fuelLitres', 1),
  fuel_level_in_percent: measure('energyPercent', 0),
  gearshift_position: word((truth) => {
    const gear = sensed(truth, 'gear');
    return gear === 'SPORT' ? 'UNSUPPORTED_VALUE' : gear;
  }, 'gear'),
  gnss_hdop: reading((truth) => receiver(truth)?.['hdop'], {
    step: WIRE.hdop,
    decimals: 2,
    error: hdopError.most,
  }),
  gnss_position_fix_quality: word((truth) =>
    FIXES.get((truth['receiver'] as { readonly quality?: unknown } | undefined)?.quality),
  ),
  gnss_satellites_in_use: reading(
    (truth) => (truth['receiver'] as { readonly satellites?: unknown } | undefined)?.satellites,
    // The truth is looked at ten times a second: in between one satellite can come and go.
    { step: 0, decimals: 0, error: satellitesError.most + 1 },
  ),
  gnss_speed_over_ground_in_kph: reading(overGround, {
    step: WIRE.knotsKph,
    decimals: 2,
    error: groundSpeedError.most,
  }),
  heading_in_degrees: angle(whereFixed('headingDegrees'), WIRE.headingDegrees + headingError.most + 0.05),
  headlights: lamp('headlightsOn'),
  ignition: lamp('ignitionOn'),
  mileage_in_kilometers: measure('mileageKm', 1),
  onboard_voltage_in_volts: measure('onboardVolts', 3),
  parking_brake_engaged: either('parkingBrakeEngaged', true, false),
  position: place(
    (truth) => (receiver(truth) === undefined ? undefined : (truth as unknown as GeoPoint)),
    WIRE.degreesM + positionError.most,
  ),
  remaining_range_in_kilometers: measure('rangeKm', 1),
  seatbelts_status: parts({
    front_left: belt('beltFrontLeft'),
    front_right: belt('beltFrontRight'),
    row2_left: belt('beltRow2Left'),
    row2_middle: belt('beltRow2Middle'),
    row2_right: belt('beltRow2Right'),
  }),
  speed_in_kph: measure('speedKph', 2),
  state_of_charge_or_fuel_level_in_percent: measure('energyPercent', 1),
  state_of_charge_or_fuel_level_low_indicator: lamp('energyLow'),
  sunroof_status: lid('sunroofOpen'),
  telematics_unit_backup_battery: parts({
    level_in_percent: reading((truth) => truth['backupPercent'], { step: 0.5, decimals: 0, error: 0 }),
    voltage_in_volts: reading(volts('backupMillivolts'), { step: WIRE.volts, decimals: 3, error: 0 }),
    charging_status: word(({ backupCharging, backupPercent }) =>
      backupCharging === true ? 'CHARGING' : Number(backupPercent) >= 100 ? 'FULL' : 'NOT_CHARGING',
    ),
  }),
  telematics_unit_supply_voltage_in_volts: reading(volts('supplyMillivolts'), {
    step: WIRE.volts,
    decimals: 3,
    error: 0,
  }),
  top_case_lid: lid('topCaseOpen'),
  top_case_lock: bolt('topCaseLocked'),
  vehicle_key: either('keyPresent', 'PRESENT', 'ABSENT'),
  windows_status: lid('windowsOpen'),

  abs_warning_indicator: lamp('absWarning'),
  adblue_level_low_indicator: lamp('adblueLow'),
  brake_fluid_due_date: date('brakeFluidDueDay'),
  brake_fluid_level_low_indicator: lamp('brakeFluidLow'),
  brake_lining_wear_indicator: lamp('brakeLiningWorn'),
  brake_warning_indicator: lamp('brakeWarning'),
  check_engine_indicator: lamp('checkEngine'),
  coolant_level_low_indicator: lamp('coolantLow'),
  coolant_temperature_high_indicator: lamp('coolantHot'),
  diagnostic_trouble_codes: {
    quantity: 'troubleCodes',
    says: (truth) => (sensed(truth, 'troubleCodes') === undefined ? undefined : truth['troubleCodeTexts']),
    fits: (value, truths) =>
      truths.some(({ troubleCodeTexts }) => {
        // One answer holds at most so many.
        const codes = (troubleCodeTexts as readonly string[]).slice(0, CODES);
        return Array.isArray(value) && [...value].sort().join() === [...codes].sort().join();
      }),
  },
  engine_oil_due_date: date('oilDueDay'),
  engine_oil_due_in_kilometers: measure('oilDueKm', 0),
  engine_oil_pressure_low_indicator: lamp('oilPressureLow'),
  epc_warning_indicator: lamp('epcWarning'),
  esp_warning_indicator: lamp('espWarning'),
  power_steering_failure_indicator: lamp('powerSteeringFailed'),
  service_due_date: date('serviceDueDay'),
  service_due_in_kilometers: measure('serviceDueKm', 0),
  starter_battery_warning_indicator: lamp('starterBatteryWarning'),
  tire_pressure_indicator: lamp('tirePressureWarning'),
  washer_fluid_level_low_indicator: lamp('washerFluidLow'),
};

const CODES = 8;

/** What a box watches while its vehicle is parked: it must be true now, not only when it was reported. */
export const WATCHED_WHEN_PARKED: ReadonlySet<string> = new Set([
  'ignition',
  'speed_in_kph',
  'gearshift_position',
  'parking_brake_engaged',
  'central_lock',
  'doors_status',
  'driving_enabled',
  'top_case_lid',
  'top_case_lock',
  'center_stand_position',
  'charging_adapter_status',
  'charging_status',
]);

/**
 * What every box measures itself and sends with each record. The modem's values are not among them: they are
 * missing until it is registered.
 */
export const MEASURED_BY_BOX: readonly string[] = [
  'gnss_position_fix_quality',
  'gnss_satellites_in_use',
  'position',
  'altitude_in_meters',
  'heading_in_degrees',
  'gnss_hdop',
  'gnss_speed_over_ground_in_kph',
  'telematics_unit_supply_voltage_in_volts',
  'telematics_unit_backup_battery',
];

/** What ends with something else, a charging or a battery in its port: a report that finds none ends it. */
export const LAPSING: ReadonlySet<string> = new Set(['charging_until', 'drive_batteries']);

/** Whether a property exists only with the maintenance set booked. */
export function isOfMaintenance(name: string): boolean {
  if (name === 'state_of_charge_or_fuel_level_low_indicator') return false;
  return /_(?:indicator|due_date|due_in_kilometers)$/.test(name) || name === 'diagnostic_trouble_codes';
}

/**
 * The properties of a maker's car, with half of the step in which its maker gives them; 0 for other than
 * numbers.
 */
export const MAKER_STEPS: ReadonlyMap<string, number> = new Map([
  ['mileage_in_kilometers', 0.0081],
  ['speed_in_kph', 0.0805],
  ['fuel_level_in_percent', 0.0051],
  ['state_of_charge_or_fuel_level_in_percent', 0.0051],
  ['remaining_range_in_kilometers', 0.0805],
  ['altitude_in_meters', 0.1525],
  ['heading_in_degrees', 0.05],
  ['position', 0],
  ['doors_status', 0],
  ['central_lock', 0],
  ['top_case_lid', 0],
  ['top_case_lock', 0],
  ['ignition', 0],
  ['driving_enabled', 0],
  ['charging_status', 0],
]);

const fed = new WeakMap<VehicleModel, ReadonlySet<string>>();

/** The properties that a model's rows give, without the parts of objects. */
export function propertiesFedBy(model: VehicleModel): ReadonlySet<string> {
  let names = fed.get(model);
  if (names === undefined) {
    names = new Set(model.rows.flatMap(({ feeds }) => feeds.map((path) => path.split('.')[0] ?? path)));
    fed.set(model, names);
  }
  return names;
}
