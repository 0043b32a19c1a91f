/**
 * The settings of a box, one row each. Booleans are 0 and 1. Ranges and defaults are those of the HTTP
 * interface, since a box accepts nothing else. A feature is off unless its first setting says otherwise.
 */
export const SETTINGS = [
  { name: 'tracking.enabled', code: 0x0100, minimum: 0, maximum: 1, standard: 0 },
  { name: 'tracking.timeIntervalS', code: 0x0101, minimum: 1, maximum: 3600, standard: 60 },
  { name: 'tracking.distanceIntervalM', code: 0x0102, minimum: 10, maximum: 100_000, standard: 1000 },
  { name: 'tracking.headingChangeDegrees', code: 0x0103, minimum: 1, maximum: 180, standard: 60 },
  { name: 'driving.enabled', code: 0x0200, minimum: 0, maximum: 1, standard: 0 },
  { name: 'driving.crashAccelerationMg', code: 0x0201, minimum: 100, maximum: 16_000, standard: 2500 },
  { name: 'driving.crashDurationMs', code: 0x0202, minimum: 1, maximum: 1000, standard: 30 },
  { name: 'driving.crashGatheringS', code: 0x0203, minimum: 1, maximum: 60, standard: 10 },
  { name: 'driving.brakingAccelerationMg', code: 0x0204, minimum: 50, maximum: 2000, standard: 450 },
  { name: 'driving.corneringAccelerationMg', code: 0x0205, minimum: 50, maximum: 2000, standard: 450 },
  { name: 'parking.enabled', code: 0x0300, minimum: 0, maximum: 1, standard: 0 },
  /** 0: off. Any other number is the revision that set it: the box calibrates once for each. */
  { name: 'damage.activation', code: 0x0400, minimum: 0, maximum: 0xffff_ffff, standard: 0 },
  /** 1 low, 2 medium, 3 high. */
  { name: 'damage.sensitivity', code: 0x0401, minimum: 1, maximum: 3, standard: 2 },
  { name: 'smoke.enabled', code: 0x0500, minimum: 0, maximum: 1, standard: 0 },
  { name: 'smoke.concentrationUgPerM3', code: 0x0501, minimum: 10, maximum: 5000, standard: 150 },
  { name: 'smoke.durationS', code: 0x0502, minimum: 1, maximum: 600, standard: 10 },
  { name: 'immobilizer.enabled', code: 0x0600, minimum: 0, maximum: 1, standard: 0 },
  { name: 'immobilizer.delayS', code: 0x0601, minimum: 0, maximum: 3600, standard: 30 },
  { name: 'box.standbyReportIntervalS', code: 0x0700, minimum: 60, maximum: 86_400, standard: 1800 },
  { name: 'box.bleEnabled', code: 0x0701, minimum: 0, maximum: 1, standard: 1 },
  { name: 'box.obdAlarmEnabled', code: 0x0702, minimum: 0, maximum: 1, standard: 0 },
] as const satisfies readonly SettingRow[];

export interface SettingRow {
  readonly name: string;
  /** Two bytes on the wire: feature, then parameter. Never reused. */
  readonly code: number;
  readonly minimum: number;
  readonly maximum: number;
  /** The value if a configuration does not name the setting. */
  readonly standard: number;
}

export type SettingName = (typeof SETTINGS)[number]['name'];

/** The value of one setting in a configuration on the wire. */
export interface Setting {
  readonly name: SettingName;
  readonly value: number;
}

const byName: ReadonlyMap<string, SettingRow> = new Map(SETTINGS.map((row) => [row.name, row]));

/** The row of a setting. */
export function settingNamed(name: SettingName): SettingRow {
  return byName.get(name) ?? SETTINGS[0];
}
