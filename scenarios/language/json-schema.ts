import { z } from 'zod';
import { ALSO, type JsonSchema } from './keyed.ts';
import { documentSchema } from './schema.ts';

/**
 * The JSON Schema (draft-07, which editors' YAML servers understand) of a scenario as it is written. What only check.ts
 * knows (labels, groups, what fits together) is not in it.
 */
export function scenarioJsonSchema(): JsonSchema {
  return { ...jsonSchemaOf(documentSchema), title: 'A scenario of boxtwin' };
}

/** Of any part of the language, as written. `with-formats`: with the formats of quantity.ts, for a generator. */
export function jsonSchemaOf(schema: z.ZodType, formats?: 'with-formats'): JsonSchema {
  return z.toJSONSchema(schema, {
    io: 'input',
    target: 'draft-7',
    override: ({ zodSchema, jsonSchema }) => {
      // Formats of our own are told by their patterns; a validator may refuse a format that it does not know.
      if (formats === undefined && OWN_FORMATS.has(jsonSchema.format ?? '')) delete jsonSchema.format;
      const also = ALSO.get(zodSchema);
      if (also === undefined) return;
      const whole = also({ ...jsonSchema });
      for (const key of Object.keys(jsonSchema)) delete jsonSchema[key];
      Object.assign(jsonSchema, whole);
    },
  });
}

const OWN_FORMATS: ReadonlySet<string> = new Set(['span', 'signed-span', 'size', 'rate', 'firmware']);
