import type { z } from 'zod';
import { FEATURES as FEATURE_ROWS, type FeatureName } from '../../contract/features.ts';
import { featureOperations } from '../../contract/operations.ts';
import { SETTING_REQUIREMENTS, type SettingRequirement } from '../../protocol/hardware.ts';
import type { Setting, SettingName } from '../../protocol/settings.ts';
import {
  booleanParameter,
  documentedSchema,
  type FeatureParameters,
  integerParameter,
  levelParameter,
  type ParameterGroup,
  schemaOf,
  settingsOf,
} from './parameters.ts';

/** What can be configured in a telematics unit: a feature, or the settings of the box itself. */
export interface Feature {
  /** As in the path: `driving-events` */
  readonly name: FeatureName;
  /** As in bulk requests: `driving_events` */
  readonly key: string;
  /** In OpenAPI's form. */
  readonly path: string;
  /** Its schema's name in the OpenAPI document: `DrivingEvents` */
  readonly title: string;
  /** Completes 'Configures ...'. */
  readonly about: string;
  /** What a caller may give. The output has every parameter. */
  readonly parameters: z.ZodType<FeatureParameters>;
  /** The same for the documents: as a caller gives them, and as they are in force. */
  readonly requestSchema: z.ZodType;
  readonly inForceSchema: z.ZodType;
  /** The settings of a box in which it is active since that revision. Inactive: none, since a box then has its standards. */
  readonly settings: (parameters: FeatureParameters, revision: number) => readonly Setting[];
  /** The box calibrates before it is active. */
  readonly calibrates: boolean;
  /** What its settings need of a box; a box without it cannot have the feature. */
  readonly needs: readonly SettingRequirement[];
}

interface Row {
  readonly title: string;
  /** What switches it on: 1, or with `calibrates` the revision. */
  readonly switch?: SettingName;
  readonly calibrates?: true;
  readonly parameters: ParameterGroup;
  /** What the groups among the parameters are. */
  readonly groups?: Readonly<Record<string, string>>;
}

const ROWS = {
  tracking: {
    title: 'Tracking',
    switch: 'tracking.enabled',
    parameters: {
      time_interval_in_seconds: integerParameter(
        'tracking.timeIntervalS',
        'The maximum time between two reports.',
      ),
      distance_interval_in_meters: integerParameter(
        'tracking.distanceIntervalM',
        'The maximum distance between two reports.',
      ),
      heading_change_threshold_in_degrees: integerParameter(
        'tracking.headingChangeDegrees',
        'The change of heading that triggers a report.',
      ),
    },
  },
  'damage-detection': {
    title: 'DamageDetection',
    switch: 'damage.activation',
    calibrates: true,
    parameters: {
      sensitivity: levelParameter(
        'damage.sensitivity',
        ['LOW', 'MEDIUM', 'HIGH'],
        'How weak an impact on the body is reported: HIGH reports the weakest.',
      ),
    },
  },
  'smoke-detection': {
    title: 'SmokeDetection',
    switch: 'smoke.enabled',
    parameters: {
      minimum_particle_concentration_in_micrograms_per_cubic_meter: integerParameter(
        'smoke.concentrationUgPerM3',
        'The minimum concentration of particles that counts as smoke.',
      ),
      minimum_duration_in_seconds: integerParameter(
        'smoke.durationS',
        'How long it must last before it is reported.',
      ),
    },
  },
  'driving-events': {
    title: 'DrivingEvents',
    switch: 'driving.enabled',
    groups: {
      crash_detection: 'What counts as a crash, and what is measured of it.',
      heavy_braking_detection: 'What counts as heavy braking.',
      harsh_cornering_detection: 'What counts as harsh cornering.',
    },
    parameters: {
      crash_detection: {
        minimum_acceleration_in_mg: integerParameter(
          'driving.crashAccelerationMg',
          'The minimum acceleration.',
        ),
        minimum_duration_in_milliseconds: integerParameter(
          'driving.crashDurationMs',
          'The minimum duration of that acceleration.',
        ),
        data_gathering_duration_in_seconds: integerParameter(
          'driving.crashGatheringS',
          'How long accelerations are recorded, from the beginning of the crash.',
        ),
      },
      heavy_braking_detection: {
        minimum_longitudinal_acceleration_in_mg: integerParameter(
          'driving.brakingAccelerationMg',
          'The minimum acceleration along the vehicle.',
        ),
      },
      harsh_cornering_detection: {
        minimum_lateral_acceleration_in_mg: integerParameter(
          'driving.corneringAccelerationMg',
          'The minimum acceleration across the vehicle.',
        ),
      },
    },
  },
  'parking-events': {
    title: 'ParkingEvents',
    parameters: { enabled: booleanParameter('parking.enabled', true, 'Whether these events are reported.') },
  },
  'auto-immobilizer-control': {
    title: 'AutoImmobilizerControl',
    switch: 'immobilizer.enabled',
    parameters: {
      delay_in_seconds: integerParameter('immobilizer.delayS', 'The delay after ignition off and locking.'),
    },
  },
  'box-settings': {
    title: 'BoxSettings',
    groups: { obd_alarm: 'The alarm when a box is unplugged from the diagnostic port.' },
    parameters: {
      standby_report_interval_in_seconds: integerParameter(
        'box.standbyReportIntervalS',
        'How often a vehicle at rest reports.',
      ),
      ble_enabled: booleanParameter('box.bleEnabled', true, 'Whether phones can reach the box by Bluetooth.'),
      obd_alarm: { enabled: booleanParameter('box.obdAlarmEnabled', false, 'Whether the alarm is on.') },
    },
  },
} as const satisfies Readonly<Record<FeatureName, Row>>;

/** Every feature, then the box settings. */
export const FEATURES: readonly Feature[] = (Object.keys(ROWS) as FeatureName[]).map((name) =>
  featureOf(name, ROWS[name]),
);

const byName: ReadonlyMap<string, Feature> = new Map(FEATURES.map((feature) => [feature.name, feature]));

/** By its name in paths, kebab-case. */
export function findFeature(name: string): Feature | undefined {
  return byName.get(name);
}

function featureOf(name: FeatureName, row: Row): Feature {
  const { title, parameters, calibrates = false } = row;
  const schema = schemaOf(parameters);
  const named: readonly string[] = [
    ...(row.switch === undefined ? [] : [row.switch]),
    ...settingsOf(parameters, schema.parse({})).map((setting) => setting.name),
  ];
  return {
    name,
    key: name.replaceAll('-', '_'),
    path: featureOperations(name).read.path,
    title,
    about: FEATURE_ROWS[name].about,
    parameters: schema,
    requestSchema: documentedSchema(parameters, 'asked', row.groups),
    inForceSchema: documentedSchema(parameters, 'in-force', row.groups),
    settings: (given, revision) => [
      ...(row.switch === undefined ? [] : [{ name: row.switch, value: calibrates ? revision : 1 }]),
      ...settingsOf(parameters, given),
    ],
    calibrates,
    needs: SETTING_REQUIREMENTS.filter((need) => named.some((one) => one.startsWith(need.settings))),
  };
}
