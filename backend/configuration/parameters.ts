import { z } from 'zod';
import { type Setting, type SettingName, settingNamed } from '../../protocol/settings.ts';
import { unitOf } from '../units.ts';

/** The parameters of a feature as a caller gives them, with everything that was left out at its default. */
export type FeatureParameters = Readonly<Record<string, unknown>>;

/** One parameter: how a caller writes it, and which setting of the box it is. */
export interface Parameter {
  readonly setting: SettingName;
  readonly schema: z.ZodType;
  /** The setting's value for one that the schema has passed. */
  readonly encode: (value: unknown) => number;
}

/** Parameters by their names; a group is an object of its own in the body. */
export interface ParameterGroup {
  readonly [name: string]: Parameter | ParameterGroup;
}

/** A whole number within the setting's range; its default is the setting's standard value. `says`: for the documents. */
export function whole(setting: SettingName, says: string): Parameter {
  const { minimum, maximum, standard } = settingNamed(setting);
  const rule = `must be a whole number from ${minimum} to ${maximum}`;
  return {
    setting,
    schema: z.int(rule).min(minimum, rule).max(maximum, rule).default(standard).describe(says),
    encode: Number,
  };
}

/** true or false. */
export function truth(setting: SettingName, standard: boolean, says: string): Parameter {
  return {
    setting,
    schema: z.boolean('must be true or false').default(standard).describe(says),
    encode: (value) => (value === true ? 1 : 0),
  };
}

/** One of these names, of which the first is 1 on the wire; its default is the setting's standard value. */
export function level(setting: SettingName, names: readonly [string, ...string[]], says: string): Parameter {
  return {
    setting,
    schema: z
      .enum(names, `must be one of ${names.join(', ')}`)
      .default(names[settingNamed(setting).standard - 1] ?? names[0])
      .describe(says),
    encode: (value) => names.indexOf(String(value)) + 1,
  };
}

/**
 * Reads an object with these parameters: missing ones take their defaults, others than these are refused. `groups` says
 * what the groups among them are.
 */
export function schemaOf(
  group: ParameterGroup,
  groups: Readonly<Record<string, string>> = {},
): z.ZodType<FeatureParameters> {
  return z.strictObject(shapeOf(group, groups), 'must be an object');
}

function shapeOf(
  group: ParameterGroup,
  groups: Readonly<Record<string, string>> = {},
): Record<string, z.ZodType> {
  const shape: Record<string, z.ZodType> = {};
  for (const [name, part] of Object.entries(group)) {
    shape[name] = isParameter(part)
      ? withUnit(name, part.schema)
      : z
          .strictObject(shapeOf(part), 'must be an object')
          .prefault({})
          .describe(groups[name] ?? '');
  }
  return shape;
}

/** The unit that a parameter's name ends with stands in its schema, too. */
function withUnit(name: string, schema: z.ZodType): z.ZodType {
  const unit = unitOf(name);
  return unit === undefined
    ? schema
    : schema.meta({ description: `${schema.description} In ${unit}.`, 'x-unit': unit });
}

/** The settings of parameters that the schema has passed. */
export function settingsOf(group: ParameterGroup, parameters: FeatureParameters): Setting[] {
  return Object.entries(group).flatMap(([name, part]) => {
    const value = parameters[name];
    return isParameter(part)
      ? [{ name: part.setting, value: part.encode(value) }]
      : settingsOf(part, value as FeatureParameters);
  });
}

function isParameter(part: Parameter | ParameterGroup): part is Parameter {
  return typeof part['encode'] === 'function';
}
