import { describe, expect, test } from 'vitest';
import { boxReadings } from '../../../../../judge/rules/twin/box-readings.ts';
import { SIGNAL_QUALITIES } from '../../../../support/frames/signal-qualities.ts';

const FIX = {
  quality: 1,
  latitude: 52.520_008_04,
  longitude: 13.404_954,
  altitudeM: 34.6,
  speedKph: 49.996,
  headingDegrees: 359.996,
  satellites: 9,
  hdop: 1.234,
} as const;

describe('what a box measures itself', () => {
  test.each(SIGNAL_QUALITIES)('is of CSQ %i the signal quality %i', (csq, quality) => {
    expect(boxReadings({ modem: { csq, network: 26201 } }).get('cellular_signal_quality')).toBe(quality);
  });

  test('is no signal quality where the modem knows none', () => {
    expect(boxReadings({ modem: { csq: 99, network: 0 } }).size).toBe(0);
  });

  test('is of a fix rounded to the last digit of the contract', () => {
    expect(Object.fromEntries(boxReadings({ gnss: FIX }))).toEqual({
      gnss_position_fix_quality: 'AUTONOMOUS_GNSS_FIX',
      gnss_satellites_in_use: 9,
      position: { lat: 52.520_008, lon: 13.404_954 },
      altitude_in_meters: 35,
      gnss_hdop: 1.23,
      gnss_speed_over_ground_in_kph: 50,
      heading_in_degrees: 0,
    });
  });

  test('ends precision and speed without a fix, and leaves the last place', () => {
    expect(Object.fromEntries(boxReadings({ gnss: { ...FIX, quality: 0 } }))).toEqual({
      gnss_position_fix_quality: 'NO_FIX',
      gnss_satellites_in_use: 9,
      gnss_hdop: null,
      gnss_speed_over_ground_in_kph: null,
    });
  });

  test('is of the supply in volts, and of the backup battery in parts', () => {
    const power = {
      supplyMillivolts: 12_604,
      backupMillivolts: 4_012,
      backupPercent: 100,
      backupCharging: false,
    };
    expect(Object.fromEntries(boxReadings({ power }))).toEqual({
      telematics_unit_supply_voltage_in_volts: 12.604,
      telematics_unit_backup_battery: {
        level_in_percent: 100,
        voltage_in_volts: 4.012,
        charging_status: 'FULL',
      },
    });
  });
});
