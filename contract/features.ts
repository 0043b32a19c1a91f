import { type SettingName, settingNamed } from '../protocol/settings.ts';
import type { FeatureGuard } from './guards.ts';

/** One parameter of a feature. Its range and its default are those of its setting, unless the row says otherwise. */
export interface ParameterRow {
  /** The setting of the box that it becomes. */
  readonly setting: SettingName;
  /** It is true or false, and this if it is omitted; in the box 1 and 0. */
  readonly standard?: boolean;
  /** It is one of these words; in the box 1 for the first, and so on. Without words and `standard`: a whole number. */
  readonly words?: readonly [string, ...string[]];
  /** Its meaning, for the documents. */
  readonly about: string;
}

/** Parameters that are one object in the body. */
export interface ParameterGroup {
  readonly about: string;
  readonly parameters: Parameters;
}

/** Parameters, and groups of them, by their names in the body. */
export interface Parameters {
  readonly [name: string]: ParameterRow | ParameterGroup;
}

export interface FeatureRow {
  /** Its schema's name in the OpenAPI document: `DrivingEvents` */
  readonly title: string;
  /** Completes 'Configures ...'. */
  readonly about: string;
  /** The guards of a feature that not every box can have. */
  readonly guards: readonly FeatureGuard[];
  /** The setting that switches it on: 1, or with `calibrates` the revision. */
  readonly switch?: SettingName;
  /** The box calibrates before it is active. */
  readonly calibrates?: true;
  readonly parameters: Parameters;
}

/** The configurable parts of a telematics unit, by the name in the path: features, and the box's own settings. */
export const FEATURES = {
  tracking: {
    title: 'Tracking',
    about: 'when a moving vehicle reports: after a time, a distance, or a turn',
    guards: [],
    switch: 'tracking.enabled',
    parameters: {
      time_interval_in_seconds: {
        setting: 'tracking.timeIntervalS',
        about: 'The maximum time between two reports.',
      },
      distance_interval_in_meters: {
        setting: 'tracking.distanceIntervalM',
        about: 'The maximum distance between two reports.',
      },
      heading_change_threshold_in_degrees: {
        setting: 'tracking.headingChangeDegrees',
        about: 'The change of heading that triggers a report.',
      },
    },
  },
  'damage-detection': {
    title: 'DamageDetection',
    about: 'the detection of damage to the vehicle, for which the box is calibrated first',
    guards: ['incompatible-unit'],
    switch: 'damage.activation',
    calibrates: true,
    parameters: {
      sensitivity: {
        setting: 'damage.sensitivity',
        words: ['LOW', 'MEDIUM', 'HIGH'],
        about: 'How weak an impact on the body is reported: HIGH reports the weakest.',
      },
    },
  },
  'smoke-detection': {
    title: 'SmokeDetection',
    about: 'the detection of smoke in the vehicle, in boxes that have the sensor',
    guards: ['incompatible-unit'],
    switch: 'smoke.enabled',
    parameters: {
      minimum_particle_concentration_in_micrograms_per_cubic_meter: {
        setting: 'smoke.concentrationUgPerM3',
        about: 'The minimum concentration of particles that counts as smoke.',
      },
      minimum_duration_in_seconds: {
        setting: 'smoke.durationS',
        about: 'How long it must last before it is reported.',
      },
    },
  },
  'driving-events': {
    title: 'DrivingEvents',
    about: 'the accelerations from which a crash, heavy braking and harsh cornering are reported',
    guards: [],
    switch: 'driving.enabled',
    parameters: {
      crash_detection: {
        about: 'What counts as a crash, and what is measured of it.',
        parameters: {
          minimum_acceleration_in_mg: {
            setting: 'driving.crashAccelerationMg',
            about: 'The minimum acceleration.',
          },
          minimum_duration_in_milliseconds: {
            setting: 'driving.crashDurationMs',
            about: 'The minimum duration of that acceleration.',
          },
          data_gathering_duration_in_seconds: {
            setting: 'driving.crashGatheringS',
            about: 'How long accelerations are recorded, from the beginning of the crash.',
          },
        },
      },
      heavy_braking_detection: {
        about: 'What counts as heavy braking.',
        parameters: {
          minimum_longitudinal_acceleration_in_mg: {
            setting: 'driving.brakingAccelerationMg',
            about: 'The minimum acceleration along the vehicle.',
          },
        },
      },
      harsh_cornering_detection: {
        about: 'What counts as harsh cornering.',
        parameters: {
          minimum_lateral_acceleration_in_mg: {
            setting: 'driving.corneringAccelerationMg',
            about: 'The minimum acceleration across the vehicle.',
          },
        },
      },
    },
  },
  'parking-events': {
    title: 'ParkingEvents',
    about: 'whether towing of a parked vehicle and impacts on it are reported',
    guards: [],
    parameters: {
      enabled: { setting: 'parking.enabled', standard: true, about: 'Whether these events are reported.' },
    },
  },
  'auto-immobilizer-control': {
    title: 'AutoImmobilizerControl',
    about: 'how long after ignition off and locking the box disables driving by itself',
    guards: [],
    switch: 'immobilizer.enabled',
    parameters: {
      delay_in_seconds: {
        setting: 'immobilizer.delayS',
        about: 'The delay after ignition off and locking.',
      },
    },
  },
  'box-settings': {
    title: 'BoxSettings',
    about: 'the box itself: its reports at rest, Bluetooth, the alarm on being unplugged',
    guards: ['incompatible-installation'],
    parameters: {
      standby_report_interval_in_seconds: {
        setting: 'box.standbyReportIntervalS',
        about: 'How often a vehicle at rest reports.',
      },
      ble_enabled: {
        setting: 'box.bleEnabled',
        standard: true,
        about: 'Whether phones can reach the box by Bluetooth.',
      },
      obd_alarm: {
        about: 'The alarm when a box is unplugged from the diagnostic port.',
        parameters: {
          enabled: { setting: 'box.obdAlarmEnabled', standard: false, about: 'Whether the alarm is on.' },
        },
      },
    },
  },
} as const satisfies Readonly<Record<string, FeatureRow>>;

export type FeatureName = keyof typeof FEATURES;

/** The value of a parameter that is omitted. */
export function standardOf({ setting, standard, words }: ParameterRow): number | boolean | string {
  const ofBox = settingNamed(setting).standard;
  return standard ?? (words === undefined ? ofBox : (words[ofBox - 1] ?? words[0]));
}
