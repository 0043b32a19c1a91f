import type { z } from 'zod';
import type { Chance } from './draw.ts';
import { jsonSchemaOf } from './json-schema.ts';
import type { JsonSchema } from './keyed.ts';
import { limits } from './limits.ts';
import { formatSpan } from './quantity.ts';

/** How often a value is drawn anew before the example is taken: a rule of several values is in no JSON Schema. */
const TRIES = 4;
/** Spans, sizes and numbers without a bound of their own stay below it. */
const USUAL_MOST = 1_000;

/** A value that the schema takes, as written; the example where what was drawn is not right. */
export function fromSchema(schema: z.ZodType, chance: Chance, example: unknown = {}): unknown {
  let known = KNOWN.get(schema);
  if (known === undefined) {
    known = jsonSchemaOf(schema, 'with-formats');
    KNOWN.set(schema, known);
  }
  for (let tries = 0; tries < TRIES; tries += 1) {
    const value = drawn(known, known, chance, example, 0);
    if (schema.safeParse(value).success) return value;
  }
  return example;
}

const KNOWN = new WeakMap<z.ZodType, JsonSchema>();

function drawn(part: JsonSchema, root: JsonSchema, chance: Chance, example: unknown, depth: number): unknown {
  if (part.const !== undefined) return part.const;
  if (part.enum !== undefined) return part.enum[chance.whole(0, part.enum.length - 1)];
  const choices = [...(part.anyOf ?? []), ...(part.oneOf ?? [])] as readonly JsonSchema[];
  if (choices.length > 0) {
    // What refers to itself ends here: the plain values stand first.
    const most = depth > 3 ? Math.min(3, choices.length - 1) : choices.length - 1;
    const choice = choices[chance.whole(0, most)];
    return choice === undefined ? null : drawn(choice, root, chance, example, depth + 1);
  }
  const [whole] = (part.allOf ?? []) as readonly JsonSchema[];
  if (whole !== undefined) return drawn(whole, root, chance, example, depth);
  if (part.$ref !== undefined) {
    const definitions = root['definitions'] as Readonly<Record<string, JsonSchema>> | undefined;
    const referred = definitions?.[part.$ref.replace('#/definitions/', '')];
    return referred === undefined ? null : drawn(referred, root, chance, example, depth + 1);
  }
  switch (part.type) {
    case 'object':
      return drawnObject(part, root, chance, example, depth);
    case 'array': {
      const least = part.minItems ?? 0;
      const count = chance.whole(least, Math.max(least, Math.min(part.maxItems ?? 3, 3)));
      const items = part.items as JsonSchema | undefined;
      return Array.from({ length: count }, () =>
        items === undefined ? null : drawn(items, root, chance, undefined, depth + 1),
      );
    }
    case 'boolean':
      return chance.whole(0, 1) === 1;
    case 'integer':
    case 'number':
      return drawnNumber(part, chance);
    case 'string':
      return drawnText(part, chance, example);
    default:
      return null;
  }
}

function drawnObject(
  part: JsonSchema,
  root: JsonSchema,
  chance: Chance,
  example: unknown,
  depth: number,
): unknown {
  const given = (typeof example === 'object' && example !== null ? example : {}) as Record<string, unknown>;
  const properties = Object.entries(part.properties ?? {}) as readonly [string, JsonSchema][];
  if (properties.length === 0 && typeof part.propertyNames === 'object') return given;
  const wanted = properties.filter(
    ([name]) => part.required?.includes(name) === true || chance.whole(0, 2) === 2,
  );
  return Object.fromEntries(
    wanted.map(([name, one]) => [name, drawn(one, root, chance, given[name], depth + 1)]),
  );
}

function drawnNumber(part: JsonSchema, chance: Chance): number {
  const least = Math.ceil(part.minimum ?? Number(part.exclusiveMinimum ?? -1) + 1);
  const most = Math.min(part.maximum ?? USUAL_MOST, Math.max(least, 0) + USUAL_MOST);
  if (part.type === 'number' && most - least <= 1)
    return least + ((most - least) * chance.whole(0, 100)) / 100;
  return chance.whole(least, Math.max(least, Math.floor(most)));
}

function drawnText(part: JsonSchema, chance: Chance, example: unknown): string {
  switch (part.format) {
    case 'span':
      return formatSpan(chance.whole(0, USUAL_MOST) * 1_000);
    case 'signed-span':
      return `${chance.whole(0, 1) === 1 ? '-' : ''}${formatSpan(chance.whole(1, USUAL_MOST) * 1_000)}`;
    case 'size':
      return `${chance.whole(1, USUAL_MOST)}kB`;
    case 'rate':
      return `${chance.whole(1, USUAL_MOST)}kbit/s`;
    case 'firmware':
      return `2.${chance.whole(10, 40)}`;
    default: {
      // Any other text of a form is meant for something: only the example is right for sure.
      if (typeof example === 'string') return example;
      const length = chance.whole(
        part.minLength ?? 0,
        Math.min(part.maxLength ?? 8, limits.nameCharacters, 8),
      );
      return Array.from({ length }, () => LETTERS[chance.whole(0, LETTERS.length - 1)]).join('');
    }
  }
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyz0123456789';
