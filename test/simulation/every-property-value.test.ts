import { describe, expect, test } from 'vitest';
import { type Translated, translate } from '../../backend/vehicles/translation/translate.ts';
import { PROPERTIES, type PropertyRow, type ValueRow } from '../../contract/properties.ts';
import { MODELS } from '../../protocol/models/models.ts';
import type { Quantity } from '../../protocol/models/quantities.ts';
import type { LevelName } from '../../simulator/vehicle/equipment/levels.ts';
import type { VehicleOperation } from '../../simulator/vehicle/equipment/vehicle-operations.ts';
import type { PersistentVehicle } from '../../simulator/vehicle/vehicle.ts';
import { reportedAt } from '../support/models/reported-properties.ts';
import { START_MS, vehicleOf } from '../support/vehicles/any-vehicle.ts';

/** All values of a property, as `property = value` or `property.part = value`. */
function wordsOf(path: string, row: PropertyRow | ValueRow): readonly string[] {
  if (row.shape === 'parts')
    return Object.entries(row.parts).flatMap(([part, one]) => wordsOf(`${path}.${part}`, one as ValueRow));
  return wordsOfShape(row)
    .filter((word) => word !== undefined)
    .map((word) => `${path} = ${word}`);
}

function wordsOfShape(row: PropertyRow | ValueRow): readonly (string | undefined)[] {
  if (row.shape === 'word') return [row.yes, row.no, row.failed];
  if (row.shape === 'choice') return [...row.words, row.other];
  if (row.shape === 'word-of') return row.words;
  return row.shape === 'boolean' ? ['true', 'false'] : [];
}

const all = Object.entries(PROPERTIES).flatMap(([path, row]) => wordsOf(path, row));

/** A situation of one vehicle: what is done, and how long it takes until the value is reported. */
interface Situation {
  readonly model: string;
  readonly parked?: true;
  readonly operations?: readonly VehicleOperation[];
  readonly act?: (vehicle: PersistentVehicle) => unknown;
  /** How long to wait for the value; default: a minute. */
  readonly hours?: number;
}

const wear = (what: LevelName, percent = 5): VehicleOperation => ({ kind: 'wear', what, percent });
const code = (number: number): VehicleOperation => ({ kind: 'trouble-code', code: number, active: true });
const fails = (quantity: Quantity): VehicleOperation => ({ kind: 'sensor', quantity, state: 'failed' });
const card = (slot: number, state: 'PRESENT' | 'ABSENT' | 'NOT_CONFIGURED'): VehicleOperation => ({
  kind: 'card',
  slot,
  state,
});
const city = { model: 'electric-city-car' };
const hybrid = { model: 'plug-in-hybrid' };
const van = { model: 'cargo-van' };
const estate = { model: 'estate' };
const moped = { model: 'electric-moped' };
const scooter = { model: 'scooter' };

const SITUATIONS: Readonly<Record<string, Situation>> = {
  'abs_status = DISABLED': { ...city, operations: [{ kind: 'aid', what: 'abs', enabled: false }] },
  'abs_status = ENABLED': city,
  'esp_status = DISABLED': { ...hybrid, operations: [{ kind: 'aid', what: 'esp', enabled: false }] },
  'esp_status = ENABLED': hybrid,
  'center_stand_position = EXTENDED': { ...moped, parked: true },
  'center_stand_position = RETRACTED': moped,
  'central_lock = LOCKED': { ...city, parked: true },
  'central_lock = UNLOCKED': city,
  'charging_adapter_status = CONNECTED': { ...city, parked: true },
  'charging_adapter_status = DISCONNECTED': city,
  'charging_status = CHARGING': { ...city, parked: true },
  'charging_status = NOT_CHARGING': city,
  'convertible_top_status = OPEN': {
    ...city,
    operations: [{ kind: 'opening', what: 'convertible_top', open: true }],
  },
  'convertible_top_status = CLOSED': city,
  'sunroof_status = OPEN': { ...estate, operations: [{ kind: 'opening', what: 'sunroof', open: true }] },
  'sunroof_status = CLOSED': estate,
  'windows_status = OPEN': { ...estate, operations: [{ kind: 'opening', what: 'windows', open: true }] },
  'windows_status = CLOSED': estate,
  'doors_status = OPEN': { ...city, act: (vehicle) => vehicle.openDoor(true) },
  'doors_status = CLOSED': city,
  'driving_enabled = true': city,
  'driving_enabled = false': { ...city, parked: true },
  'parking_brake_engaged = true': { ...city, parked: true },
  'parking_brake_engaged = false': city,
  'gearshift_position = DRIVE': city,
  'gearshift_position = NEUTRAL': { ...city, hours: 1 },
  'gearshift_position = PARK': { ...city, parked: true },
  'gearshift_position = REVERSE': { ...city, operations: [{ kind: 'gear', position: 'REVERSE' }], hours: 1 },
  'gearshift_position = UNSUPPORTED_VALUE': { ...city, operations: [{ kind: 'gear', position: 'SPORT' }] },
  'gnss_position_fix_quality = NO_FIX': {
    ...city,
    act: (vehicle) => vehicle.setInstallationFault('no-gnss'),
  },
  'gnss_position_fix_quality = AUTONOMOUS_GNSS_FIX': { ...city, hours: 1 },
  'gnss_position_fix_quality = DIFFERENTIAL_GNSS_FIX': { ...city, hours: 1 },
  'gnss_position_fix_quality = DEAD_RECKONING_FIX': { ...city, hours: 1 },
  'headlights = ON': { ...city, hours: 9 },
  'headlights = OFF': { ...city, hours: 4 },
  'ignition = ON': moped,
  'ignition = OFF': { ...moped, parked: true },
  'top_case_lid = OPEN': {
    ...moped,
    parked: true,
    act: (vehicle) => {
      vehicle.actuate({ set: 'topCaseLocked', to: false });
      vehicle.openTopCase(true);
    },
  },
  'top_case_lid = CLOSED': moped,
  'top_case_lock = LOCKED': moped,
  'top_case_lock = UNLOCKED': {
    ...moped,
    parked: true,
    act: (vehicle) => vehicle.actuate({ set: 'topCaseLocked', to: false }),
  },
  'vehicle_key = PRESENT': estate,
  'vehicle_key = ABSENT': { ...estate, operations: [{ kind: 'key', present: false }] },
  ...Object.fromEntries(
    (['front_left', 'front_right', 'row2_left', 'row2_middle', 'row2_right'] as const).flatMap((seat) => [
      [
        `seatbelts_status.${seat} = FASTENED`,
        { ...hybrid, operations: [{ kind: 'belt', seat, fastened: true }] },
      ],
      [
        `seatbelts_status.${seat} = NOT_FASTENED`,
        { ...hybrid, operations: [{ kind: 'belt', seat, fastened: false }] },
      ],
    ]),
  ),
  ...Object.fromEntries(
    [1, 2, 3].flatMap((slot) =>
      (['PRESENT', 'ABSENT', 'NOT_CONFIGURED'] as const).map((state) => [
        `box_cardholder_cards.card_${slot} = ${state}`,
        { ...van, operations: [card(slot, state)] },
      ]),
    ),
  ),
  'state_of_charge_or_fuel_level_low_indicator = ON': { ...city, hours: 24 },
  'state_of_charge_or_fuel_level_low_indicator = OFF': { ...city, hours: 3 },
  'abs_warning_indicator = ON': { ...hybrid, operations: [code(0x4035)] },
  'adblue_level_low_indicator = ON': { ...van, operations: [wear('adblue')] },
  'brake_fluid_level_low_indicator = ON': { ...van, operations: [wear('brake_fluid')] },
  'brake_lining_wear_indicator = ON': { ...van, operations: [wear('brake_lining')] },
  'brake_warning_indicator = ON': { ...van, operations: [wear('brake_lining')] },
  'check_engine_indicator = ON': { ...van, operations: [code(0x0301)] },
  'coolant_level_low_indicator = ON': { ...van, operations: [wear('coolant')] },
  'coolant_temperature_high_indicator = ON': { ...van, operations: [wear('coolant', 0)], hours: 1 },
  'engine_oil_pressure_low_indicator = ON': { ...van, operations: [wear('oil')] },
  'epc_warning_indicator = ON': { ...van, operations: [code(0x0121)] },
  'esp_warning_indicator = ON': { ...van, operations: [code(0x4051)] },
  'power_steering_failure_indicator = ON': { ...van, operations: [code(0x4545)] },
  'starter_battery_warning_indicator = ON': { ...van, operations: [wear('starter_battery')] },
  'tire_pressure_indicator = ON': { ...van, operations: [wear('tire_rear_left', 60)] },
  'washer_fluid_level_low_indicator = ON': { ...van, operations: [wear('washer_fluid')] },
  ...Object.fromEntries(
    all
      .filter((word) => word.endsWith('indicator = OFF') && !word.startsWith('state_of_charge'))
      .map((word) => [word, { ...van, operations: [{ kind: 'workshop' }] }]),
  ),
  ...Object.fromEntries(all.filter((word) => word.endsWith('= SENSOR_FAILURE')).map(failing)),
};

/** The first model whose signal of that property can report a failed sensor. */
function failing(word: string): readonly [string, Situation] {
  const path = word.split(' = ', 1)[0] ?? '';
  for (const [model, { rows }] of MODELS) {
    const row = rows.find(({ feeds, failure }) => failure !== undefined && feeds.includes(path));
    if (row !== undefined) return [word, { model, operations: [fails(row.quantity)] }];
  }
  return [word, scooter];
}

function saidOf(vehicle: PersistentVehicle, name: string, atMs: number): Translated {
  const model = MODELS.get(name);
  if (model === undefined) throw new Error(`no model ${name}`);
  return translate(model, vehicle.sensors().signals, { timestampMs: atMs, maintenance: true });
}

describe('an enum value of the vehicle state', () => {
  test.each(Object.entries(SITUATIONS))('is reported in its situation: %s', (word, situation) => {
    const { model, parked, operations = [], act, hours = 1 / 60 } = situation;
    const [path = '', wanted = ''] = word.split(' = ');
    const vehicle = vehicleOf(3, { model, driving: parked !== true });
    for (const operation of operations) expect(vehicle.operate(operation)).toBeUndefined();
    act?.(vehicle);
    let said: unknown;
    for (
      let atMs = START_MS;
      atMs <= START_MS + hours * 3_600_000 && String(said) !== wanted;
      atMs += 10_000
    ) {
      vehicle.advance(atMs);
      said = reportedAt(saidOf(vehicle, model, atMs), path);
    }
    expect(String(said)).toBe(wanted);
  });

  test('has a situation for each value', () => {
    expect(all.filter((word) => SITUATIONS[word] === undefined)).toEqual([]);
  });
});
