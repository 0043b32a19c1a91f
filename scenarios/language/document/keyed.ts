import { z } from 'zod';
import type { WordRow, WordTable } from './word-row.ts';

export type JsonSchema = z.core.JSONSchema.BaseSchema;

/** The published schema of a zod schema that accepts more than its own form shows. */
export const PUBLISHED_FORMS: WeakMap<z.core.$ZodType, (own: JsonSchema) => JsonSchema> = new WeakMap();

/** The schema with a description for the reference and for editors. */
export function described<Schema extends z.ZodType>(
  schema: Schema,
  description: string,
  examples?: readonly unknown[],
): Schema {
  const described = schema.meta({
    description,
    ...(examples === undefined ? {} : { examples: [...examples] }),
  }) as Schema;
  const also = PUBLISHED_FORMS.get(schema);
  if (also !== undefined) PUBLISHED_FORMS.set(described, also);
  return described;
}

/** A word's settings: nothing at all (`park:`) means `{}` where that is valid. Described by the row. */
export function settingsOf(row: WordRow): z.ZodType {
  const words = describe(row);
  if (!takesNothing(row)) return described(row.settings, words, [row.example]).optional();
  const schema = z.preprocess((given) => (given === null ? {} : given), row.settings);
  PUBLISHED_FORMS.set(schema, ({ description, examples, ...own }) => ({
    ...(description === undefined ? {} : { description }),
    ...(examples === undefined ? {} : { examples }),
    anyOf: [own, { type: 'null' }],
  }));
  return described(schema, words, [row.example]).optional();
}

/** Whether the word can be used alone. */
export function takesNothing({ settings }: WordRow): boolean {
  return settings.safeParse({}).success;
}

/** Exactly one word of the table with its settings; a word that can be used alone, as a plain text too. */
export function oneOf(table: WordTable, extra: z.core.$ZodLooseShape = {}): z.ZodType {
  const words = Object.keys(table).filter((name) => table[name] !== undefined && takesNothing(table[name]));
  const rows = Object.fromEntries(Object.entries(table).map(([name, row]) => [name, settingsOf(row)]));
  const object = z.strictObject({ ...rows, ...extra }).check((context) => {
    const found = Object.keys(table).filter((name) => Object.hasOwn(context.value, name));
    if (found.length === 1) return;
    context.issues.push({
      code: 'custom',
      input: context.value,
      message:
        found.length === 0
          ? `one of ${Object.keys(table).join(', ')}`
          : `only one of ${found.join(', ')}: make a step for each`,
    });
  });
  const schema = z.preprocess((given) => (typeof given === 'string' ? { [given]: {} } : given), object);
  const isAlone = Object.keys(extra).length === 0;
  PUBLISHED_FORMS.set(schema, (own) => {
    const one = isAlone ? { ...own, minProperties: 1, maxProperties: 1 } : own;
    const { description, ...rest } = one;
    return words.length === 0
      ? one
      : {
          ...(description === undefined ? {} : { description }),
          anyOf: [{ type: 'string', enum: words }, rest],
        };
  });
  return schema;
}

/** The sentence of a row, with the worlds that cannot do it. */
export function describe({ does, worlds, lasts }: WordRow): string {
  const where = worlds.virtual
    ? worlds.real
      ? ''
      : ` Only in the virtual world: ${worlds.because ?? ''}`
    : ` Only in the real world: ${worlds.because ?? ''}`;
  return `${does}${lasts === true ? ' Ends with `for`.' : ''}${where}`;
}
