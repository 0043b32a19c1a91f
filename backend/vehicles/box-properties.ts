import type { GnssFix, Signals } from '../../protocol/signals.ts';
import { PROPERTIES, type PropertyName } from './properties.ts';
import { rounded } from './rounding.ts';

/** Takes what is told; a value that is undefined tells nothing, and null that there is none any more. */
interface Telling {
  say(name: PropertyName, value: unknown): void;
}

/** NMEA 0183 GGA quality → the contract's word. */
const FIX_WORDS: ReadonlyMap<number, string> = new Map([
  [0, 'NO_FIX'],
  [1, 'AUTONOMOUS_GNSS_FIX'],
  [2, 'DIFFERENTIAL_GNSS_FIX'],
  [6, 'DEAD_RECKONING_FIX'],
]);

/**
 * Lowest CSQ (3GPP TS 27.007: −113 dBm + 2 dB each) of each quality. The steps are those by which modem vendors grade
 * it: below 2 hardly anything, to 9 marginal, to 14 usable, to 19 good, from 20 excellent; the marginal ones in two.
 */
const QUALITY_FROM_CSQ = [
  [20, 5],
  [15, 4],
  [10, 3],
  [6, 2],
  [2, 1],
  [0, 0],
] as const;
const HIGHEST_CSQ = 31;

const { lat: LATITUDE, lon: LONGITUDE } = PROPERTIES.position.parts;
const BACKUP = PROPERTIES.telematics_unit_backup_battery.parts;

/** Says what the box measured itself: GNSS, modem and power, the same in every vehicle. */
export function boxProperties({ gnss, modem, power }: Signals, telling: Telling): void {
  if (gnss !== undefined) gnssProperties(gnss, telling);
  if (modem !== undefined) telling.say('cellular_signal_quality', signalQuality(modem.csq));
  if (power === undefined) return;
  telling.say(
    'telematics_unit_supply_voltage_in_volts',
    rounded(power.supplyMillivolts / 1_000, PROPERTIES.telematics_unit_supply_voltage_in_volts),
  );
  const level = rounded(power.backupPercent, BACKUP.level_in_percent);
  const voltage = rounded(power.backupMillivolts / 1_000, BACKUP.voltage_in_volts);
  if (level === undefined || voltage === undefined) return;
  telling.say('telematics_unit_backup_battery', {
    level_in_percent: level,
    voltage_in_volts: voltage,
    charging_status: power.backupCharging ? 'CHARGING' : level === 100 ? 'FULL' : 'NOT_CHARGING',
  });
}

/** 0 to 5 from CSQ 0 to 31; undefined for 99 (not known) and for what is no CSQ. */
export function signalQuality(csq: number): number | undefined {
  if (csq > HIGHEST_CSQ) return undefined;
  return QUALITY_FROM_CSQ.find(([from]) => csq >= from)?.[1];
}

/** What is of a fix and of nothing else; place, height and direction are those of the last one until the next. */
const OF_FIX = ['gnss_hdop', 'gnss_speed_over_ground_in_kph'] as const satisfies readonly PropertyName[];

/** Without a fix the receiver's place means nothing, and so do height, direction, speed and dilution. */
function gnssProperties(fix: GnssFix, telling: Telling): void {
  const word = FIX_WORDS.get(fix.quality);
  telling.say('gnss_position_fix_quality', word);
  telling.say('gnss_satellites_in_use', rounded(fix.satellites, PROPERTIES.gnss_satellites_in_use));
  if (fix.quality === 0) for (const name of OF_FIX) telling.say(name, null);
  if (word === undefined || fix.quality === 0) return;
  const lat = rounded(fix.latitude, LATITUDE);
  const lon = rounded(fix.longitude, LONGITUDE);
  if (lat !== undefined && lon !== undefined) telling.say('position', { lat, lon });
  telling.say('altitude_in_meters', rounded(fix.altitudeM, PROPERTIES.altitude_in_meters));
  telling.say('gnss_hdop', rounded(fix.hdop, PROPERTIES.gnss_hdop));
  telling.say(
    'gnss_speed_over_ground_in_kph',
    rounded(fix.speedKph, PROPERTIES.gnss_speed_over_ground_in_kph),
  );
  const heading = rounded(fix.headingDegrees, PROPERTIES.heading_in_degrees);
  // A whole turn is north again: rounding, and some receivers, say 360.
  telling.say('heading_in_degrees', heading === 360 ? 0 : heading);
}
