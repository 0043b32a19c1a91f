import type { z } from 'zod';
import { FEATURES as FEATURE_ROWS, type FeatureName, type FeatureRow } from '../../contract/features.ts';
import { featureOperations } from '../../contract/operations.ts';
import { SETTING_REQUIREMENTS, type SettingRequirement } from '../../protocol/hardware.ts';
import type { Setting } from '../../protocol/settings.ts';
import { documentedSchema, type FeatureParameters, schemaOf, settingsOf } from './parameters.ts';

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

/** Every feature, then the box settings. */
export const FEATURES: readonly Feature[] = (Object.keys(FEATURE_ROWS) as FeatureName[]).map((name) =>
  featureOf(name, FEATURE_ROWS[name]),
);

const byName: ReadonlyMap<string, Feature> = new Map(FEATURES.map((feature) => [feature.name, feature]));

/** By its name in paths, kebab-case. */
export function findFeature(name: string): Feature | undefined {
  return byName.get(name);
}

function featureOf(name: FeatureName, row: FeatureRow): Feature {
  const { title, about, parameters, calibrates = false } = row;
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
    about,
    parameters: schema,
    requestSchema: documentedSchema(parameters, 'asked'),
    inForceSchema: documentedSchema(parameters, 'in-force'),
    settings: (given, revision) => [
      ...(row.switch === undefined ? [] : [{ name: row.switch, value: calibrates ? revision : 1 }]),
      ...settingsOf(parameters, given),
    ],
    calibrates,
    needs: SETTING_REQUIREMENTS.filter((need) => named.some((one) => one.startsWith(need.settings))),
  };
}
