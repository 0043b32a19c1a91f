import type { z } from 'zod';
import { NEEDS, type Need } from '../../protocol/hardware.ts';
import type { Setting, SettingName } from '../../protocol/settings.ts';
import {
  documentedSchema,
  type FeatureParameters,
  level,
  type ParameterGroup,
  schemaOf,
  settingsOf,
  truth,
  whole,
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
  readonly asked: z.ZodType;
  readonly inForce: z.ZodType;
  /** The settings of a box in which it is active since that revision. Inactive: none, since a box then has its standards. */
  readonly settings: (parameters: FeatureParameters, revision: number) => readonly Setting[];
  /** The box calibrates before it is active. */
  readonly calibrates: boolean;
  /** What its settings need of a box; a box without it cannot have the feature. */
  readonly needs: readonly Need[];
}

interface Row {
  readonly title: string;
  readonly about: string;
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
    about: 'when a vehicle on its way reports: after a time, a distance, or a turn',
    switch: 'tracking.enabled',
    parameters: {
      time_interval_in_seconds: whole('tracking.timeIntervalS', 'A report after so long at the latest.'),
      distance_interval_in_meters: whole(
        'tracking.distanceIntervalM',
        'A report after so far at the latest.',
      ),
      heading_change_threshold_in_degrees: whole(
        'tracking.headingChangeDegrees',
        'A report once the direction is other by so much.',
      ),
    },
  },
  'damage-detection': {
    title: 'DamageDetection',
    about: 'the detection of damage to the vehicle, for which the box is calibrated first',
    switch: 'damage.activation',
    calibrates: true,
    parameters: {
      sensitivity: level(
        'damage.sensitivity',
        ['LOW', 'MEDIUM', 'HIGH'],
        'How weak a blow to the body is told: HIGH tells the weakest.',
      ),
    },
  },
  'smoke-detection': {
    title: 'SmokeDetection',
    about: 'the detection of smoke in the vehicle, in boxes that have the sensor',
    switch: 'smoke.enabled',
    parameters: {
      minimum_particle_concentration_in_micrograms_per_cubic_meter: whole(
        'smoke.concentrationUgPerM3',
        'From which concentration of particles on it counts as smoke.',
      ),
      minimum_duration_in_seconds: whole('smoke.durationS', 'After how long of that it is told.'),
    },
  },
  'driving-events': {
    title: 'DrivingEvents',
    about: 'from which accelerations on a crash, heavy braking and harsh cornering are told',
    switch: 'driving.enabled',
    groups: {
      crash_detection: 'What counts as a crash, and what is measured of it.',
      heavy_braking_detection: 'What counts as heavy braking.',
      harsh_cornering_detection: 'What counts as harsh cornering.',
    },
    parameters: {
      crash_detection: {
        minimum_acceleration_in_mg: whole('driving.crashAccelerationMg', 'From which acceleration on.'),
        minimum_duration_in_milliseconds: whole('driving.crashDurationMs', 'From which duration of it on.'),
        data_gathering_duration_in_seconds: whole(
          'driving.crashGatheringS',
          'For how long accelerations are gathered, from the beginning of the crash on.',
        ),
      },
      heavy_braking_detection: {
        minimum_longitudinal_acceleration_in_mg: whole(
          'driving.brakingAccelerationMg',
          'From which acceleration along the vehicle on.',
        ),
      },
      harsh_cornering_detection: {
        minimum_lateral_acceleration_in_mg: whole(
          'driving.corneringAccelerationMg',
          'From which acceleration across the vehicle on.',
        ),
      },
    },
  },
  'parking-events': {
    title: 'ParkingEvents',
    about: 'whether a parked vehicle tells that it is towed or hit',
    parameters: { enabled: truth('parking.enabled', true, 'Whether it is told.') },
  },
  'auto-immobilizer-control': {
    title: 'AutoImmobilizerControl',
    about: 'how long after ignition off and locking the box disables driving by itself',
    switch: 'immobilizer.enabled',
    parameters: {
      delay_in_seconds: whole('immobilizer.delayS', 'How long after ignition off and locking that is.'),
    },
  },
  'box-settings': {
    title: 'BoxSettings',
    about: 'the box itself: its reports at rest, Bluetooth, the alarm on being unplugged',
    groups: { obd_alarm: 'The alarm of a box that is pulled off the diagnostic port.' },
    parameters: {
      standby_report_interval_in_seconds: whole(
        'box.standbyReportIntervalS',
        'How often a vehicle at rest reports.',
      ),
      ble_enabled: truth('box.bleEnabled', true, 'Whether phones reach the box by Bluetooth.'),
      obd_alarm: { enabled: truth('box.obdAlarmEnabled', false, 'Whether there is an alarm.') },
    },
  },
} as const satisfies Readonly<Record<string, Row>>;

export type FeatureName = keyof typeof ROWS;

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
  const { title, about, parameters, calibrates = false } = row;
  const base = '/vehicles/{id}/telematics-unit';
  const schema = schemaOf(parameters);
  const named: readonly string[] = [
    ...(row.switch === undefined ? [] : [row.switch]),
    ...settingsOf(parameters, schema.parse({})).map((setting) => setting.name),
  ];
  return {
    name,
    key: name.replaceAll('-', '_'),
    path: name === 'box-settings' ? `${base}/box-settings` : `${base}/feature-configuration/${name}`,
    title,
    about,
    parameters: schema,
    asked: documentedSchema(parameters, 'asked', row.groups),
    inForce: documentedSchema(parameters, 'in-force', row.groups),
    settings: (given, revision) => [
      ...(row.switch === undefined ? [] : [{ name: row.switch, value: calibrates ? revision : 1 }]),
      ...settingsOf(parameters, given),
    ],
    calibrates,
    needs: NEEDS.filter((need) => named.some((one) => one.startsWith(need.settings))),
  };
}
