import { z } from 'zod';
import { unitOf } from '../../contract/units.ts';
import { type Setting, type SettingName, settingNamed } from '../../protocol/settings.ts';

/** The parameters of a feature in a request; omitted ones have their defaults. */
export type FeatureParameters = Readonly<Record<string, unknown>>;

/** One parameter: its form in requests, and its setting in the box. */
export interface Parameter {
  readonly setting: SettingName;
  readonly schema: z.ZodType;
  /** Its default. */
  readonly standard: number | boolean | string;
  /** Its meaning, for the documents. */
  readonly description: string;
  /** The setting's value for a value that passed the schema. */
  readonly encode: (value: unknown) => number;
}

/** Parameters by their names; a group is an object in the body. */
export interface ParameterGroup {
  readonly [name: string]: Parameter | ParameterGroup;
}

/** A whole number within the setting's range; its default is the setting's standard value. */
export function integerParameter(setting: SettingName, description: string): Parameter {
  const { minimum, maximum, standard } = settingNamed(setting);
  const rule = `must be a whole number from ${minimum} to ${maximum}`;
  return {
    setting,
    schema: z.int(rule).min(minimum, rule).max(maximum, rule),
    standard,
    description,
    encode: Number,
  };
}

/** true or false. */
export function booleanParameter(setting: SettingName, standard: boolean, description: string): Parameter {
  return {
    setting,
    schema: z.boolean('must be true or false'),
    standard,
    description,
    encode: (value) => (value === true ? 1 : 0),
  };
}

/** One of these names, of which the first is encoded as 1; its default is the setting's standard value. */
export function levelParameter(
  setting: SettingName,
  names: readonly [string, ...string[]],
  description: string,
): Parameter {
  return {
    setting,
    schema: z.enum(names, `must be one of ${names.join(', ')}`),
    standard: names[settingNamed(setting).standard - 1] ?? names[0],
    description,
    encode: (value) => names.indexOf(String(value)) + 1,
  };
}

/** Reads an object with these parameters: missing ones take their defaults, unknown ones are refused. */
export function schemaOf(group: ParameterGroup): z.ZodType<FeatureParameters> {
  return z.strictObject(
    shapeOf(
      group,
      ({ schema, standard }) => schema.default(standard),
      (schema) => schema.prefault({}),
    ),
    'must be an object',
  );
}

/**
 * The same for the documents; `groups` describes the groups among the parameters. In a request (`asked`)
 * everything is optional; as in force everything is present. Neither has the keyword `default`: generators
 * treat a property with a default as always present, in requests too.
 */
export function documentedSchema(
  group: ParameterGroup,
  as: 'asked' | 'in-force',
  groups: Readonly<Record<string, string>> = {},
): z.ZodType {
  const optional = (schema: z.ZodType) => (as === 'asked' ? schema.optional() : schema);
  const ofParameter = ({ schema, standard, description }: Parameter, name: string) => {
    const unit = unitOf(name);
    const sentences = [
      description,
      ...(unit === undefined ? [] : [`In ${unit}.`]),
      ...(as === 'asked' ? [`Default: ${standard}.`] : []),
    ];
    const described = schema.meta({
      description: sentences.join(' '),
      ...(unit === undefined ? {} : { 'x-unit': unit }),
      ...(as === 'asked' ? { 'x-default': standard } : {}),
    });
    return optional(described);
  };
  const ofGroup = (schema: z.ZodType, name: string) => optional(schema.describe(groups[name] ?? ''));
  return z.strictObject(shapeOf(group, ofParameter, ofGroup));
}

function shapeOf<Group extends z.ZodType>(
  group: ParameterGroup,
  ofParameter: (parameter: Parameter, name: string) => z.ZodType,
  ofGroup: (schema: z.ZodObject, name: string) => Group,
): Record<string, z.ZodType> {
  return Object.fromEntries(
    Object.entries(group).map(([name, part]) => [
      name,
      isParameter(part)
        ? ofParameter(part, name)
        : ofGroup(z.strictObject(shapeOf(part, ofParameter, ofGroup), 'must be an object'), name),
    ]),
  );
}

/** The settings for parameters that passed the schema. */
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
