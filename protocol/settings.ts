/**
 * What can be configured in a box, one row each. Booleans are 0 and 1. Ranges and defaults are those of the HTTP
 * interface, since a box takes nothing else.
 */
export const SETTINGS = [
  { name: 'tracking.enabled', code: 0x0100, minimum: 0, maximum: 1, standard: 0 },
  { name: 'tracking.timeIntervalS', code: 0x0101, minimum: 1, maximum: 3600, standard: 60 },
  { name: 'tracking.distanceIntervalM', code: 0x0102, minimum: 10, maximum: 100_000, standard: 1000 },
  { name: 'tracking.headingChangeDegrees', code: 0x0103, minimum: 1, maximum: 180, standard: 60 },
  { name: 'box.standbyReportIntervalS', code: 0x0700, minimum: 60, maximum: 86_400, standard: 1800 },
] as const satisfies readonly SettingRow[];

export interface SettingRow {
  readonly name: string;
  /** Two bytes on the wire: feature, then parameter. Never reused. */
  readonly code: number;
  readonly minimum: number;
  readonly maximum: number;
  /** In force where a configuration does not name it. */
  readonly standard: number;
}

export type SettingName = (typeof SETTINGS)[number]['name'];
