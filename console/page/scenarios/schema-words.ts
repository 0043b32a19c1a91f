/** A name that may stand somewhere, with what it is. */
export interface SchemaWord {
  readonly name: string;
  readonly description: string;
}

/** What may stand where, by the JSON Schema of a scenario: names below a name, and values of a name. The top has the name ``. */
export interface SchemaWords {
  namesBelow(parent: string): readonly SchemaWord[];
  valuesOf(name: string): readonly string[];
}

/** A definition that holds itself is followed so far. */
const MOST_DEPTH = 12;

type Schema = Readonly<Record<string, unknown>>;

/** Reads the words out of a schema. Total: what is no schema has no words. */
export function schemaWords(schema: unknown): SchemaWords {
  const names = new Map<string, Map<string, string>>();
  const values = new Map<string, Set<string>>();
  const definitions = objectOf(objectOf(schema)['definitions']);

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
    } = objectOf(part);
    for (const [name, below] of Object.entries(objectOf(properties))) {
      const known = names.get(of) ?? new Map<string, string>();
      names.set(of, known);
      const { description } = objectOf(below);
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

function objectOf(value: unknown): Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Schema) : {};
}
