import { jsonObject } from '../../../world/json.ts';

/** A valid name with its description. */
export interface SchemaWord {
  readonly name: string;
  readonly description: string;
}

/**
 * The valid words by the JSON Schema of a scenario: names below a name, and values of a name. The top has the name ``.
 */
export interface SchemaWords {
  namesBelow(parent: string): readonly SchemaWord[];
  valuesOf(name: string): readonly string[];
}

/** How deep a recursive definition is followed. */
const MOST_DEPTH = 12;

/** Reads the words of a schema. Total: an invalid schema has no words. */
export function schemaWords(schema: unknown): SchemaWords {
  const names = new Map<string, Map<string, string>>();
  const values = new Map<string, Set<string>>();
  const definitions = jsonObject(jsonObject(schema)['definitions']);

  function walk(part: unknown, of: string, depth: number): void {
    if (depth > MOST_DEPTH) return;
    const {
      properties,
      items,
      anyOf,
      oneOf,
      allOf,
      $ref: reference,
      enum: words,
      const: word,
    } = jsonObject(part);
    for (const [name, below] of Object.entries(jsonObject(properties))) {
      const known = names.get(of) ?? new Map<string, string>();
      names.set(of, known);
      const { description } = jsonObject(below);
      if (!known.has(name) || typeof description === 'string')
        known.set(name, String(description ?? known.get(name) ?? ''));
      walk(below, name, depth + 1);
    }
    for (const value of [...(Array.isArray(words) ? words : []), ...(word === undefined ? [] : [word])]) {
      const known = values.get(of) ?? new Set<string>();
      values.set(of, known.add(String(value)));
    }
    for (const one of [anyOf, oneOf, allOf])
      if (Array.isArray(one)) for (const each of one) walk(each, of, depth + 1);
    if (items !== undefined) walk(items, of, depth + 1);
    if (typeof reference === 'string') walk(definitions[reference.split('/').at(-1) ?? ''], of, depth + 1);
  }
  walk(schema, '', 0);
  return {
    namesBelow: (parent) =>
      [...(names.get(parent) ?? [])].map(([name, description]) => ({ name, description })),
    valuesOf: (name) => [...(values.get(name) ?? [])],
  };
}
