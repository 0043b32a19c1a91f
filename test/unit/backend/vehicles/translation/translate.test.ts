import { describe, expect, test } from 'vitest';
import { modelKnowledge } from '../../../../../backend/model-knowledge.ts';
import { faultsOfModel } from '../../../../../backend/vehicles/check-models.ts';
import { translate, translateNamed } from '../../../../../backend/vehicles/translation/translate.ts';
import { capabilityName } from '../../../../../contract/operation.ts';
import { electricHatchback } from '../../../../../protocol/models/electric-hatchback.ts';
import { MODELS } from '../../../../../protocol/models/models.ts';
import { petrolCompact } from '../../../../../protocol/models/petrol-compact.ts';
import type { Signals } from '../../../../../protocol/signals.ts';
import { SIGNAL_QUALITIES } from '../../../../support/frames/signal-qualities.ts';

const at = { timestampMs: 1_767_600_000_000, maintenance: false };
const bytes = (...list: number[]) => Uint8Array.from(list);
const values = (signals: Signals, model = petrolCompact) =>
  Object.fromEntries(Object.entries(translate(model, signals, at)).map(([name, said]) => [name, said.value]));
const obd = (pid: number, ...data: number[]) => ({ obd: [{ pid, data: bytes(...data) }] });
const can = (bus: 0 | 1, id: number, ...data: number[]) =>
  values({ can: [{ bus, id, data: bytes(...data) }] }, electricHatchback);
const fix = {
  quality: 1,
  latitude: 52.5162746,
  longitude: 13.3777041,
  altitudeM: 35.4,
  speedKph: 31.337,
  headingDegrees: 271.125,
  satellites: 9,
  hdop: 0.9,
} as const;

describe('translate', () => {
  test('reads OBD answers by the scalings of SAE J1979', () => {
    expect(values(obd(0x0d, 53))).toEqual({ speed_in_kph: 53 });
    expect(values(obd(0x2f, 127))).toEqual({
      fuel_level_in_percent: 50,
      state_of_charge_or_fuel_level_in_percent: 49.8,
    });
    expect(values(obd(0x42, 0x37, 0x92))).toEqual({ onboard_voltage_in_volts: 14.226 });
    expect(values(obd(0xa6, 0x00, 0x01, 0x46, 0xb3))).toEqual({ mileage_in_kilometers: 8363.5 });
  });

  test('stamps every property with the time of the report', () => {
    expect(translate(petrolCompact, obd(0x0d, 53), at)).toEqual({
      speed_in_kph: { timestampMs: at.timestampMs, value: 53, epoch: 0, sequence: 0 },
    });
  });

  test('reads CAN signals of both bit orders', () => {
    expect(can(0, 0x1a0, 0x13, 0x88, 0, 138, 0, 0, 0, 0)).toEqual({
      speed_in_kph: 50,
      onboard_voltage_in_volts: 13.8,
    });
    expect(can(0, 0x320, 0, 0x01, 0x46, 0xb3)).toEqual({ mileage_in_kilometers: 8363.5 });
    // 805 = 11_0010_0101: low byte first; 263 = 01_0000_0111 from bit 23 down, its last two bits in byte 3.
    expect(can(1, 0x3c5, 0x25, 0x03, 0x41, 0xc0, 0, 0, 0, 0)).toEqual({
      fuel_level_in_percent: 81,
      state_of_charge_or_fuel_level_in_percent: 80.5,
      remaining_range_in_kilometers: 263,
    });
    expect(can(1, 0x18fef100, 0b0100, 0)).toEqual({ doors_status: 'CLOSED', central_lock: 'LOCKED' });
  });

  test('leaves out values that are not available, failed or unknown', () => {
    expect(can(0, 0x1a0, 0xff, 0xff, 0, 0xff, 0, 0, 0, 0)).toEqual({});
    expect(can(0, 0x1a0, 0xff, 0xfe, 0, 0xfe, 0, 0, 0, 0)).toEqual({});
    expect(can(1, 0x18fef100, 0b1110, 0)).toEqual({});
    expect(can(0, 0x18fef100, 0, 0)).toEqual({});
    expect(values(obd(0xa6, 0xff, 0xff, 0xff, 0xff))).toEqual({});
    expect(values(obd(0x0d))).toEqual({});
    expect(values(obd(0x0d, 1, 2))).toEqual({});
    expect(values(obd(0x33, 100))).toEqual({});
    expect(can(0, 0x320, 0, 1)).toEqual({});
  });

  test('leaves out an impossible mileage', () => {
    expect(values(obd(0xa6, 0xff, 0xff, 0xff, 0xfe))).toEqual({});
  });

  test('reads digital ports, including inverted ones', () => {
    expect(values({ digital: 0b0000 })).toEqual({
      doors_status: 'OPEN',
      central_lock: 'UNLOCKED',
      driving_enabled: true,
    });
    expect(values({ digital: 0b1110 })).toEqual({
      doors_status: 'CLOSED',
      central_lock: 'LOCKED',
      driving_enabled: false,
    });
  });

  test('reads the GNSS receiver, in integers where the contract requires them', () => {
    expect(values({ gnss: fix })).toEqual({
      altitude_in_meters: 35,
      gnss_hdop: 0.9,
      gnss_position_fix_quality: 'AUTONOMOUS_GNSS_FIX',
      gnss_satellites_in_use: 9,
      gnss_speed_over_ground_in_kph: 31.34,
      heading_in_degrees: 271.13,
      position: { lat: 52.5162746, lon: 13.3777041 },
    });
    expect(values({ gnss: { ...fix, altitudeM: -0.2 } })['altitude_in_meters']).toBe(0);
    expect(values({ gnss: { ...fix, headingDegrees: 359.999 } })['heading_in_degrees']).toBe(0);
  });

  test('gives no position without a fix, and clears values that need a fix', () => {
    expect(values({ gnss: { ...fix, quality: 0, satellites: 2 } })).toEqual({
      gnss_hdop: null,
      gnss_speed_over_ground_in_kph: null,
      gnss_position_fix_quality: 'NO_FIX',
      gnss_satellites_in_use: 2,
    });
  });

  test('leaves out an invalid position', () => {
    const gone = values({
      gnss: { ...fix, latitude: 91, longitude: Number.NaN, altitudeM: 99_999, hdop: 99.99 },
    });
    expect(gone).not.toHaveProperty('position');
    expect(gone).not.toHaveProperty('altitude_in_meters');
    expect(gone).not.toHaveProperty('gnss_hdop');
  });

  test.each(SIGNAL_QUALITIES)('grades CSQ %i as %i', (csq, quality) => {
    expect(values({ modem: { csq, network: 26201 } })).toEqual({ cellular_signal_quality: quality });
  });

  test('gives no quality for an unknown CSQ', () => {
    for (const csq of [99, 32, -1, Number.NaN]) expect(values({ modem: { csq, network: 0 } })).toEqual({});
  });

  test('reads the power supply and the backup battery in its three states', () => {
    const power = {
      supplyMillivolts: 13_820,
      backupMillivolts: 4_046,
      backupPercent: 78,
      backupCharging: true,
    };
    expect(values({ power })).toEqual({
      telematics_unit_supply_voltage_in_volts: 13.82,
      telematics_unit_backup_battery: {
        level_in_percent: 78,
        voltage_in_volts: 4.046,
        charging_status: 'CHARGING',
      },
    });
    const status = (change: object) =>
      values({ power: { ...power, ...change } })['telematics_unit_backup_battery'];
    expect(status({ backupCharging: false })).toMatchObject({ charging_status: 'NOT_CHARGING' });
    expect(status({ backupCharging: false, backupPercent: 100 })).toMatchObject({ charging_status: 'FULL' });
    expect(status({ backupPercent: 101 })).toBeUndefined();
  });

  test('gives an empty state without signals, and only box properties for an unknown model', () => {
    expect(values({})).toEqual({});
    const said = translateNamed(
      'no-such-model',
      { ...obd(0x0d, 50), modem: { csq: 20, network: 1 } },
      { timestampMs: 5, maintenance: true, key: { epoch: 7, sequence: 12 } },
    );
    expect(said).toEqual({ cellular_signal_quality: { timestampMs: 5, value: 5, epoch: 7, sequence: 12 } });
  });
});

describe('capabilities', () => {
  test('are fed by rows with the meaning of the property', () => {
    for (const model of MODELS.values()) expect(faultsOfModel(model)).toEqual([]);
    const row = petrolCompact.rows.find((one) => one.quantity === 'coolantTemperatureC');
    if (row === undefined) throw new Error('no such row');
    const feeding = (feeds: string[]) => faultsOfModel({ ...petrolCompact, rows: [{ ...row, feeds }] });
    expect(feeding(['speed_in_kph'])).toEqual([
      'petrol-compact: rows[0] (PID 05): speed_in_kph is fed by speedKph, not by coolantTemperatureC',
    ]);
    expect(feeding(['warp'])).toEqual([
      'petrol-compact: rows[0] (PID 05): warp is no property of the vehicle state',
    ]);
    expect(feeding(['position'])).toEqual([
      "petrol-compact: rows[0] (PID 05): position is not the vehicle's to say",
    ]);
  });

  test('are those of the rows and the box', () => {
    expect(modelKnowledge.capabilitiesOf('petrol-compact')).toEqual([
      'ALTITUDE_IN_METERS',
      'CELLULAR_SIGNAL_QUALITY',
      'CENTRAL_LOCK',
      'CHECK_ENGINE_INDICATOR',
      'DIAGNOSTIC_TROUBLE_CODES',
      'DOORS_STATUS',
      'DRIVING_ENABLED',
      'FUEL_LEVEL_IN_LITERS',
      'FUEL_LEVEL_IN_PERCENT',
      'GNSS_HDOP',
      'GNSS_POSITION_FIX_QUALITY',
      'GNSS_SATELLITES_IN_USE',
      'GNSS_SPEED_OVER_GROUND_IN_KPH',
      'HEADING_IN_DEGREES',
      'MILEAGE_IN_KILOMETERS',
      'ONBOARD_VOLTAGE_IN_VOLTS',
      'POSITION',
      'SPEED_IN_KPH',
      'STATE_OF_CHARGE_OR_FUEL_LEVEL_IN_PERCENT',
      'TELEMATICS_UNIT_BACKUP_BATTERY',
      'TELEMATICS_UNIT_SUPPLY_VOLTAGE_IN_VOLTS',
    ]);
    expect(modelKnowledge.capabilitiesOf('electric-hatchback')).toContain('REMAINING_RANGE_IN_KILOMETERS');
    expect(modelKnowledge.capabilitiesOf('no-such-model')).toEqual([]);
    expect(modelKnowledge.findModel('electric-hatchback')).toBe(electricHatchback);
  });

  test('name every command of the box and what the wiring allows', () => {
    for (const name of MODELS.keys()) {
      const commands = modelKnowledge.commandCapabilitiesOf(name);
      expect(commands).toContain('ACTIVATE_WORKSHOP_MODE');
      const isMoped = MODELS.get(name)?.vehicleType === 'MOPED';
      expect(commands.includes('UNLOCK_AND_ENABLE_DRIVING')).toBe(!isMoped);
      expect(commands.includes('UNLOCK_TOP_CASE')).toBe(isMoped);
      expect(new Set(commands).size).toBe(commands.length);
    }
    expect(capabilityName('lock-and-disable-driving')).toBe('LOCK_AND_DISABLE_DRIVING');
  });
});
