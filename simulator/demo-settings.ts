import type { SettingName } from '../protocol/settings.ts';

/**
 * How the boxes of a demonstration leave the factory: a box's own standard tracks nothing, and a fleet that is to be
 * watched should be seen moving.
 */
export const DEMO_SETTINGS: Readonly<Partial<Record<SettingName, number>>> = {
  'tracking.enabled': 1,
  'tracking.timeIntervalS': 15,
  'tracking.distanceIntervalM': 250,
  'tracking.headingChangeDegrees': 45,
};
