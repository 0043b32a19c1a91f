import { z } from 'zod';
import { type JsonSchema, PUBLISHED_FORMS } from './keyed.ts';
import { documentSchema } from './schema.ts';

/**
 * The JSON Schema (draft-07, which editors' YAML servers support) of a scenario as written, without the rules of
 * check.ts (labels, groups, consistency).
 */
export function scenarioJsonSchema(): JsonSchema {
  return { ...jsonSchemaOf(documentSchema), title: 'A scenario of boxtwin' };
}

/**
 * The JSON Schema of any part of the language, as written. `with-formats`: with the formats of quantity.ts,
 * for a generator.
 */
export function jsonSchemaOf(schema: z.ZodType, formats?: 'with-formats'): JsonSchema {
  return z.toJSONSchema(schema, {
    io: 'input',
    target: 'draft-7',
    override: ({ zodSchema, jsonSchema }) => {
      // Own formats are given as patterns, since a validator may refuse an unknown format.
      if (formats === undefined && OWN_FORMATS.has(jsonSchema.format ?? '')) delete jsonSchema.format;
      const also = PUBLISHED_FORMS.get(zodSchema);
      if (also === undefined) return;
      const whole = also({ ...jsonSchema });
      for (const key of Object.keys(jsonSchema)) delete jsonSchema[key];
      Object.assign(jsonSchema, whole);
    },
  });
}

const OWN_FORMATS: ReadonlySet<string> = new Set([
  'span',
  'signed-span',
  'size',
  'rate',
  'firmware',
  'backend',
]);
