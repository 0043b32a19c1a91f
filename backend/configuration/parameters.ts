import { z } from 'zod';
import { type Setting, type SettingName, settingNamed } from '../../protocol/settings.ts';
import { unitOf } from '../units.ts';

/** The parameters of a feature as a caller gives them, with everything that was left out at its default. */
export type FeatureParameters = Readonly<Record<string, unknown>>;

/** One parameter: how a caller writes it, and which setting of the box it is. */
export interface Parameter {
  readonly setting: SettingName;
  readonly schema: z.ZodType;
  /** Where a caller leaves it out. */
  readonly standard: number | boolean | string;
  /** What it means, for the documents. */
  readonly says: string;
  /** The setting's value for one that the schema has passed. */
  readonly encode: (value: unknown) => number;
}

/** Parameters by their names; a group is an object of its own in the body. */
export interface ParameterGroup {
  readonly [name: string]: Parameter | ParameterGroup;
}

/** A whole number within the setting's range; its default is the setting's standard value. */
export function whole(setting: SettingName, says: string): Parameter {
  const { minimum, maximum, standard } = settingNamed(setting);
  const rule = `must be a whole number from ${minimum} to ${maximum}`;
  return {
    setting,
    schema: z.int(rule).min(minimum, rule).max(maximum, rule),
    standard,
    says,
    encode: Number,
  };
}

/** true or false. */
export function truth(setting: SettingName, standard: boolean, says: string): Parameter {
  return {
    setting,
    schema: z.boolean('must be true or false'),
    standard,
    says,
    encode: (value) => (value === true ? 1 : 0),
  };
}

/** One of these names, of which the first is 1 on the wire; its default is the setting's standard value. */
export function level(setting: SettingName, names: readonly [string, ...string[]], says: string): Parameter {
  return {
    setting,
    schema: z.enum(names, `must be one of ${names.join(', ')}`),
    standard: names[settingNamed(setting).standard - 1] ?? names[0],
    says,
    encode: (value) => names.indexOf(String(value)) + 1,
  };
}

/** Reads an object with these parameters: missing ones take their defaults, others than these are refused. */
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
 * The same for the documents, with `groups` saying what the groups among the parameters are. As a caller asks for it
 * (`asked`) everything may be left out; as it is in force everything is there. The keyword `default` is in neither:
 * generators take what has one for something that is always there, in a request too.
 */
export function documentedSchema(
  group: ParameterGroup,
  as: 'asked' | 'in-force',
  groups: Readonly<Record<string, string>> = {},
): z.ZodType {
  const optional = (schema: z.ZodType) => (as === 'asked' ? schema.optional() : schema);
  const ofParameter = ({ schema, standard, says }: Parameter, name: string) => {
    const unit = unitOf(name);
    const sentences = [
      says,
      ...(unit === undefined ? [] : [`In ${unit}.`]),
      ...(as === 'asked' ? [`Left out: ${standard}.`] : []),
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
