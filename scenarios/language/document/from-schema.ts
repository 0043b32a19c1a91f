import type { z } from 'zod';
import { languageLimits } from '../../limits.ts';
import { REMEMBERED_PATTERN } from '../steps/remembered-value.ts';
import type { RandomSource } from '../vary/draw.ts';
import { jsonSchemaOf } from './json-schema.ts';
import type { JsonSchema } from './keyed.ts';
import { formatSpan } from './quantity.ts';

/**
 * How often a value is drawn again before the example is used: JSON Schema cannot express rules over several
 * values.
 */
const TRIES = 4;
/** The bound of spans, sizes and numbers that have none. */
const USUAL_MOST = 1_000;

/** A value that the schema accepts, as written; the example if the drawn value is invalid. */
export function fromSchema(schema: z.ZodType, source: RandomSource, example: unknown = {}): unknown {
  let known = KNOWN.get(schema);
  if (known === undefined) {
    known = jsonSchemaOf(schema, 'with-formats');
    KNOWN.set(schema, known);
  }
  for (let tries = 0; tries < TRIES; tries += 1) {
    const value = drawn(known, known, source, example, 0);
    if (schema.safeParse(value).success) return value;
  }
  return example;
}

const KNOWN = new WeakMap<z.ZodType, JsonSchema>();

function drawn(
  part: JsonSchema,
  root: JsonSchema,
  source: RandomSource,
  example: unknown,
  depth: number,
): unknown {
  if (part.const !== undefined) return part.const;
  if (part.enum !== undefined) return part.enum[source.whole(0, part.enum.length - 1)];
  const written = [...(part.anyOf ?? []), ...(part.oneOf ?? [])] as readonly JsonSchema[];
  const choices = written.filter(({ pattern }) => pattern !== REMEMBERED_PATTERN);
  const [alone] = choices;
  if (choices.length === 1 && written.length > 1 && alone !== undefined)
    return drawn(alone, root, source, example, depth);
  if (choices.length > 0) {
    // Ends recursive schemas: their plain values come first.
    const most = depth > 3 ? Math.min(3, choices.length - 1) : choices.length - 1;
    const choice = choices[source.whole(0, most)];
    return choice === undefined ? null : drawn(choice, root, source, example, depth + 1);
  }
  const [whole] = (part.allOf ?? []) as readonly JsonSchema[];
  if (whole !== undefined) return drawn(whole, root, source, example, depth);
  if (part.$ref !== undefined) {
    const definitions = root['definitions'] as Readonly<Record<string, JsonSchema>> | undefined;
    const referred = definitions?.[part.$ref.replace('#/definitions/', '')];
    return referred === undefined ? null : drawn(referred, root, source, example, depth + 1);
  }
  switch (part.type) {
    case 'object':
      return drawnObject(part, root, source, example, depth);
    case 'array': {
      const least = part.minItems ?? 0;
      const count = source.whole(least, Math.max(least, Math.min(part.maxItems ?? 3, 3)));
      const items = part.items as JsonSchema | undefined;
      return Array.from({ length: count }, () =>
        items === undefined ? null : drawn(items, root, source, undefined, depth + 1),
      );
    }
    case 'boolean':
      return source.whole(0, 1) === 1;
    case 'integer':
    case 'number':
      return drawnNumber(part, source);
    case 'string':
      return drawnText(part, source, example);
    default:
      return null;
  }
}

function drawnObject(
  part: JsonSchema,
  root: JsonSchema,
  source: RandomSource,
  example: unknown,
  depth: number,
): unknown {
  const given = (typeof example === 'object' && example !== null ? example : {}) as Record<string, unknown>;
  // The schema of one word does not know the number of backends: a caller that draws several names them.
  const properties = (Object.entries(part.properties ?? {}) as readonly [string, JsonSchema][]).filter(
    ([, { format }]) => format !== 'backend',
  );
  if (Object.keys(part.properties ?? {}).length === 0 && typeof part.propertyNames === 'object') return given;
  const wanted = properties.filter(
    ([name]) => part.required?.includes(name) === true || source.whole(0, 2) === 2,
  );
  return Object.fromEntries(
    wanted.map(([name, one]) => [name, drawn(one, root, source, given[name], depth + 1)]),
  );
}

function drawnNumber(part: JsonSchema, source: RandomSource): number {
  const least = Math.ceil(part.minimum ?? Number(part.exclusiveMinimum ?? -1) + 1);
  const most = Math.min(part.maximum ?? USUAL_MOST, Math.max(least, 0) + USUAL_MOST);
  if (part.type === 'number' && most - least <= 1)
    return least + ((most - least) * source.whole(0, 100)) / 100;
  return source.whole(least, Math.max(least, Math.floor(most)));
}

function drawnText(part: JsonSchema, source: RandomSource, example: unknown): string {
  switch (part.format) {
    case 'span':
      return formatSpan(source.whole(0, USUAL_MOST * 1_000));
    case 'signed-span':
      return `${source.whole(0, 1) === 1 ? '-' : ''}${formatSpan(source.whole(1, USUAL_MOST * 1_000))}`;
    case 'size':
      return `${source.whole(1, USUAL_MOST)}kB`;
    case 'rate':
      return `${source.whole(1, USUAL_MOST)}kbit/s`;
    case 'firmware':
      return `2.${source.whole(10, 40)}`;
    default: {
      // Other texts of a given form have a meaning, so only the example is certainly valid.
      if (typeof example === 'string') return example;
      const length = source.whole(
        part.minLength ?? 0,
        Math.min(part.maxLength ?? 8, languageLimits.nameCharacters, 8),
      );
      return Array.from({ length }, () => LETTERS[source.whole(0, LETTERS.length - 1)]).join('');
    }
  }
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyz0123456789';
