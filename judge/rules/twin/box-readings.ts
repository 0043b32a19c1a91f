import type { GnssFix, Signals } from '../../../protocol/signals.ts';

/** The value of each property that results from a report; null: from then on there is none. */
export type BoxReadings = ReadonlyMap<string, unknown>;

/** The properties that a box measures itself. */
export const READ_BY_BOX: ReadonlySet<string> = new Set([
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
]);

/** The GGA quality of NMEA 0183 in the words of the contract. */
const FIXES: Readonly<Record<number, string>> = {
  0: 'NO_FIX',
  1: 'AUTONOMOUS_GNSS_FIX',
  2: 'DIFFERENTIAL_GNSS_FIX',
  6: 'DEAD_RECKONING_FIX',
};
/** The lowest CSQ of each signal quality from 0 on (docs/capabilities.md), and the highest CSQ (3GPP TS 27.007, 8.5). */
const QUALITIES_FROM_CSQ = [0, 2, 6, 10, 15, 20];
const HIGHEST_CSQ = 31;

/**
 * What a box's own readings on the wire mean in the vehicle state, written from the contract (docs/capabilities.md) and
 * without a table of the backend: exact, to the last digit that the state has.
 */
export function boxReadings({ gnss, modem, power }: Signals): BoxReadings {
  const read = new Map<string, unknown>();
  if (gnss !== undefined) readFix(gnss, read);
  if (modem !== undefined && modem.csq <= HIGHEST_CSQ)
    read.set(
      'cellular_signal_quality',
      QUALITIES_FROM_CSQ.findLastIndex((from) => modem.csq >= from),
    );
  if (power !== undefined) {
    const { supplyMillivolts, backupMillivolts, backupPercent, backupCharging } = power;
    put(read, 'telematics_unit_supply_voltage_in_volts', supplyMillivolts / 1_000, [0, 66], 3);
    const volts = nearest(backupMillivolts / 1_000, 3);
    const percent = nearest(backupPercent, 0);
    if (volts <= 66 && percent <= 100)
      read.set('telematics_unit_backup_battery', {
        level_in_percent: percent,
        voltage_in_volts: volts,
        charging_status: backupCharging ? 'CHARGING' : percent === 100 ? 'FULL' : 'NOT_CHARGING',
      });
  }
  return read;
}

function readFix(gnss: GnssFix, read: Map<string, unknown>): void {
  const word = FIXES[gnss.quality];
  if (word !== undefined) read.set('gnss_position_fix_quality', word);
  put(read, 'gnss_satellites_in_use', gnss.satellites, [0, 99], 0);
  if (word === 'NO_FIX') {
    // Position, height and heading keep their last value until the next fix.
    read.set('gnss_hdop', null);
    read.set('gnss_speed_over_ground_in_kph', null);
  }
  if (word === undefined || word === 'NO_FIX') return;
  const { latitude, longitude, altitudeM, hdop, speedKph, headingDegrees } = gnss;
  read.set('position', { lat: nearest(latitude, 7), lon: nearest(longitude, 7) });
  put(read, 'altitude_in_meters', altitudeM, [-500, 9_000], 0);
  put(read, 'gnss_hdop', hdop, [0, 99], 2);
  put(read, 'gnss_speed_over_ground_in_kph', speedKph, [0, 500], 2);
  put(read, 'heading_in_degrees', nearest(headingDegrees, 2) % 360, [0, 360], 2);
}

/** A number within its bounds; one beyond them is absent. */
function put(
  read: Map<string, unknown>,
  name: string,
  value: number,
  [least, most]: readonly [number, number],
  decimals: number,
): void {
  const near = nearest(value, decimals);
  if (near >= least && near <= most) read.set(name, near);
}

/** Rounded to this many decimals; never -0. */
function nearest(value: number, decimals: number): number {
  const scale = Number(`1${'0'.repeat(decimals)}`);
  return Math.round(value * scale) / scale + 0;
}
