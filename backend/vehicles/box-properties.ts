import { PROPERTIES, type PropertyName } from '../../contract/properties.ts';
import type { GnssFix, Signals } from '../../protocol/signals.ts';
import { rounded } from './translation/rounding.ts';

/** Collects properties; a value that is undefined is ignored, and null means that there is none any more. */
interface PropertyCollector {
  set(name: PropertyName, value: unknown): void;
}

/** NMEA 0183 GGA quality → the contract's word. */
const FIX_WORDS: ReadonlyMap<number, string> = new Map([
  [0, 'NO_FIX'],
  [1, 'AUTONOMOUS_GNSS_FIX'],
  [2, 'DIFFERENTIAL_GNSS_FIX'],
  [6, 'DEAD_RECKONING_FIX'],
]);

/**
 * Lowest CSQ (3GPP TS 27.007: −113 dBm + 2 dB each) of each quality. The steps are those of modem vendors:
 * below 2 hardly usable, to 9 marginal, to 14 usable, to 19 good, from 20 excellent; the marginal ones are
 * split in two.
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

/** The box's own measurements: GNSS, modem and power, the same in every vehicle. */
export function boxProperties({ gnss, modem, power }: Signals, collector: PropertyCollector): void {
  if (gnss !== undefined) gnssProperties(gnss, collector);
  if (modem !== undefined) collector.set('cellular_signal_quality', signalQuality(modem.csq));
  if (power === undefined) return;
  collector.set(
    'telematics_unit_supply_voltage_in_volts',
    rounded(power.supplyMillivolts / 1_000, PROPERTIES.telematics_unit_supply_voltage_in_volts),
  );
  const level = rounded(power.backupPercent, BACKUP.level_in_percent);
  const voltage = rounded(power.backupMillivolts / 1_000, BACKUP.voltage_in_volts);
  if (level === undefined || voltage === undefined) return;
  collector.set('telematics_unit_backup_battery', {
    level_in_percent: level,
    voltage_in_volts: voltage,
    charging_status: power.backupCharging ? 'CHARGING' : level === 100 ? 'FULL' : 'NOT_CHARGING',
  });
}

/** 0 to 5 from CSQ 0 to 31; undefined for 99 (not known) and for invalid values. */
export function signalQuality(csq: number): number | undefined {
  if (csq > HIGHEST_CSQ) return undefined;
  return QUALITY_FROM_CSQ.find(([from]) => csq >= from)?.[1];
}

/**
 * Properties that end with the fix; position, height and heading keep their last value until the next fix.
 */
const OF_FIX = ['gnss_hdop', 'gnss_speed_over_ground_in_kph'] as const satisfies readonly PropertyName[];

/** Without a fix the receiver's position means nothing, and so do height, heading, speed and dilution. */
function gnssProperties(fix: GnssFix, collector: PropertyCollector): void {
  const word = FIX_WORDS.get(fix.quality);
  collector.set('gnss_position_fix_quality', word);
  collector.set('gnss_satellites_in_use', rounded(fix.satellites, PROPERTIES.gnss_satellites_in_use));
  if (fix.quality === 0) for (const name of OF_FIX) collector.set(name, null);
  if (word === undefined || fix.quality === 0) return;
  const lat = rounded(fix.latitude, LATITUDE);
  const lon = rounded(fix.longitude, LONGITUDE);
  if (lat !== undefined && lon !== undefined) collector.set('position', { lat, lon });
  collector.set('altitude_in_meters', rounded(fix.altitudeM, PROPERTIES.altitude_in_meters));
  collector.set('gnss_hdop', rounded(fix.hdop, PROPERTIES.gnss_hdop));
  collector.set(
    'gnss_speed_over_ground_in_kph',
    rounded(fix.speedKph, PROPERTIES.gnss_speed_over_ground_in_kph),
  );
  const heading = rounded(fix.headingDegrees, PROPERTIES.heading_in_degrees);
  // 360 degrees are 0: rounding, and some receivers, produce 360.
  collector.set('heading_in_degrees', heading === 360 ? 0 : heading);
}
