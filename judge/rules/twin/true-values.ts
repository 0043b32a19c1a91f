import {
  LAPSING,
  type PartsRow,
  PROPERTIES,
  type PropertyName,
  type ValueRow,
} from '../../../contract/properties.ts';
import type { VehicleModel } from '../../../protocol/models/model.ts';
import type { Quantity } from '../../../protocol/models/quantities.ts';
import type { GeoPoint } from '../../../simulator/arithmetic.ts';
import { SENSOR_ERRORS } from '../../../simulator/sensor-errors.ts';
import { limits } from '../../../simulator/vehicle/limits.ts';
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

/** The speed over ground in km/h: a towed vehicle moves although its wheels do not turn. */
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

/** A serial number: 8 hexadecimal digits. */
const serial = (quantity: Quantity) =>
  word((truth) => {
    const number = sensed(truth, quantity);
    return typeof number === 'number' ? number.toString(16).toUpperCase().padStart(8, '0') : undefined;
  });

/**
 * Remaining minutes are given as the moment at which they end, counted from the report by the box's own
 * clock.
 */
const FLOOR_MS = 1_000;
const until = (quantity: Quantity): TrueProperty => ({
  quantity,
  says: (truth) => sensed(truth, quantity),
  fits: (value, truths, precision, timestampMs) => {
    const minutes = (Date.parse(String(value)) - timestampMs) / 60_000;
    const told = truths.map((truth) => sensed(truth, quantity));
    return isBetween(minutes, told, stepOf(precision, quantity) / 2 + FLOOR_MS / 60_000);
  },
});

/** The most trouble codes that one answer contains. */
const CODES = 8;
const codes = (quantity: Quantity): TrueProperty => ({
  quantity,
  says: (truth) => (sensed(truth, quantity) === undefined ? undefined : truth['troubleCodeTexts']),
  fits: (value, truths) =>
    truths.some(({ troubleCodeTexts }) => {
      const told = (troubleCodeTexts as readonly string[]).slice(0, CODES);
      return Array.isArray(value) && [...value].sort().join() === [...told].sort().join();
    }),
});

/** How a property follows from the quantity that its row in the contract names. */
function fromQuantity(row: FedRow): TrueProperty {
  switch (row.shape) {
    case 'number':
      return measure(row.of, row.decimals);
    case 'boolean':
      return either(row.of, true, false);
    case 'word':
      return either(row.of, row.yes, row.no);
    case 'choice':
      return word((truth) => {
        const value = sensed(truth, row.of);
        return value === undefined || row.words.includes(String(value)) ? value : row.other;
      }, row.of);
    case 'date':
      return date(row.of);
    case 'moment':
      return until(row.of);
    case 'codes':
      return codes(row.of);
    case 'serial':
      return serial(row.of);
    case 'parts':
      return parts(
        Object.fromEntries(
          Object.entries(row.parts).map(([name, part]) => [name, fromQuantity(part as FedRow)]),
        ),
        row.whole,
      );
    default:
      return row satisfies never;
  }
}

/** A row that names the quantity of the vehicle; all others are of the box. */
type FedRow = (ValueRow & { readonly of: Quantity }) | PartsRow;
type OfVehicle = {
  [Name in PropertyName]: (typeof PROPERTIES)[Name] extends FedRow ? Name : never;
}[PropertyName];

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

/** The properties that the box measures itself, and those that do not simply follow from their quantity. */
const OWN: Readonly<Record<Exclude<PropertyName, OfVehicle>, TrueProperty>> &
  Readonly<Partial<Record<OfVehicle, TrueProperty>>> = {
  altitude_in_meters: reading(whereFixed('altitudeM'), {
    step: WIRE.altitudeM,
    decimals: 0,
    error: altitudeError.most,
  }),
  cellular_signal_quality: {
    says: ({ csq: heard, hasCoverage }) =>
      hasCoverage === true && typeof heard === 'number' ? qualityOf(heard) : undefined,
    fits: (value, truths) =>
      truths.some(({ csq: heard }) => {
        const quality = qualityOf(Number(heard));
        return typeof value === 'number' && Math.abs(value - quality) <= signalError.most;
      }),
  },
  charging_status: word((truth, { makerStep }) => {
    // A maker's car reports whether current flows, also while it is only plugged in.
    const drawn = makerStep === undefined ? sensed(truth, 'charging') : truth['engine'];
    if (drawn === undefined) return undefined;
    const isCharging = drawn === true || drawn === 'charging' || drawn === 'filling';
    return isCharging ? 'CHARGING' : 'NOT_CHARGING';
  }, 'charging'),
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
    // The truth is sampled ten times a second: in between one satellite can come and go.
    { step: 0, decimals: 0, error: satellitesError.most + 1 },
  ),
  gnss_speed_over_ground_in_kph: reading(overGround, {
    step: WIRE.knotsKph,
    decimals: 2,
    error: groundSpeedError.most,
  }),
  heading_in_degrees: angle(whereFixed('headingDegrees'), WIRE.headingDegrees + headingError.most + 0.05),
  position: place(
    (truth) => (receiver(truth) === undefined ? undefined : (truth as unknown as GeoPoint)),
    WIRE.degreesM + positionError.most,
  ),
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
};

/** Every property of the vehicle state, and how it follows from the physics. */
export const TRUE_VALUES: Readonly<Record<string, TrueProperty>> = Object.fromEntries(
  (Object.keys(PROPERTIES) as PropertyName[]).map((name) => [
    name,
    OWN[name] ?? fromQuantity(PROPERTIES[name] as FedRow),
  ]),
);

/** What a box monitors while its vehicle is parked: it must be true now, not only when it was reported. */
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

/** Properties of the vehicle that end with something else, a charging or a battery in its port: a report without it ends them. */
export const ENDING: ReadonlySet<string> = new Set(
  [...LAPSING].filter((name) => !MEASURED_BY_BOX.includes(name)),
);

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
