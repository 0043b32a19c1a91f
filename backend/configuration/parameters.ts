import { z } from 'zod';
import { type ParameterRow, type Parameters, standardOf } from '../../contract/features.ts';
import { unitOf } from '../../contract/units.ts';
import { type Setting, settingNamed } from '../../protocol/settings.ts';

/** The parameters of a feature in a request; omitted ones have their defaults. */
export type FeatureParameters = Readonly<Record<string, unknown>>;

/** Reads an object with these parameters: missing ones take their defaults, unknown ones are refused. */
export function schemaOf(parameters: Parameters): z.ZodType<FeatureParameters> {
  return z.strictObject(
    shapeOf(
      parameters,
      (row) => valueSchema(row).default(standardOf(row)),
      (schema) => schema.prefault({}),
    ),
    'must be an object',
  );
}

/**
 * The same for the documents. In a request (`asked`) everything is optional; as in force everything is present. Neither
 * has the keyword `default`: generators treat a property with a default as always present, in requests too.
 */
export function documentedSchema(parameters: Parameters, as: 'asked' | 'in-force'): z.ZodType {
  const optional = (schema: z.ZodType) => (as === 'asked' ? schema.optional() : schema);
  const ofParameter = (row: ParameterRow, name: string) => {
    const unit = unitOf(name);
    const standard = standardOf(row);
    const sentences = [
      row.about,
      ...(unit === undefined ? [] : [`In ${unit}.`]),
      ...(as === 'asked' ? [`Default: ${standard}.`] : []),
    ];
    const described = valueSchema(row).meta({
      description: sentences.join(' '),
      ...(unit === undefined ? {} : { 'x-unit': unit }),
      ...(as === 'asked' ? { 'x-default': standard } : {}),
    });
    return optional(described);
  };
  return z.strictObject(
    shapeOf(parameters, ofParameter, (schema, about) => optional(schema.describe(about))),
  );
}

/** The settings for parameters that passed the schema. */
export function settingsOf(rows: Parameters, parameters: FeatureParameters): Setting[] {
  return Object.entries(rows).flatMap(([name, row]) => {
    const value = parameters[name];
    return 'parameters' in row
      ? settingsOf(row.parameters, value as FeatureParameters)
      : [{ name: row.setting, value: encoded(row, value) }];
  });
}

function encoded({ words }: ParameterRow, value: unknown): number {
  return words === undefined ? Number(value) : words.indexOf(String(value)) + 1;
}

function valueSchema({ setting, standard, words }: ParameterRow): z.ZodType<number | boolean | string> {
  if (words !== undefined) return z.enum(words, `must be one of ${words.join(', ')}`);
  if (standard !== undefined) return z.boolean('must be true or false');
  const { minimum, maximum } = settingNamed(setting);
  const rule = `must be a whole number from ${minimum} to ${maximum}`;
  return z.int(rule).min(minimum, rule).max(maximum, rule);
}

function shapeOf<Group extends z.ZodType>(
  rows: Parameters,
  ofParameter: (row: ParameterRow, name: string) => z.ZodType,
  ofGroup: (schema: z.ZodObject, about: string) => Group,
): Record<string, z.ZodType> {
  return Object.fromEntries(
    Object.entries(rows).map(([name, row]) => [
      name,
      'parameters' in row
        ? ofGroup(
            z.strictObject(shapeOf(row.parameters, ofParameter, ofGroup), 'must be an object'),
            row.about,
          )
        : ofParameter(row, name),
    ]),
  );
}
