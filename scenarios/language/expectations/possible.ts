/** A JSON schema, as far as this module evaluates it. `{}`: anything. */
export type ValueSchema = Readonly<Record<string, unknown>>;

/** One kind of possible value at a place, and what is known of it. */
export type Possible =
  | { readonly kind: 'anything' }
  /** `lacking`: vehicles of other models would have a value there. */
  | { readonly kind: 'nothing'; readonly lacking?: Lacking }
  | { readonly kind: 'boolean'; readonly values?: readonly unknown[] }
  | { readonly kind: 'number'; readonly values?: readonly unknown[]; readonly range: NumberRange }
  /** `called`: what the values are, in place of a list of them. */
  | {
      readonly kind: 'text';
      readonly values?: readonly unknown[];
      readonly called?: string;
      readonly form?: RegExp;
    }
  | { readonly kind: 'list'; readonly items: ValueSchema }
  /** `parts` absent: it may have any names. `others`: what those are that are not named; absent: there are none. */
  | {
      readonly kind: 'map';
      readonly parts?: Readonly<Record<string, ValueSchema>>;
      readonly others?: ValueSchema;
    };

/** What none of the models of a fleet has, and which models have it. */
export interface Lacking {
  readonly models: readonly string[];
  readonly others: readonly string[];
}

/** A place without a value, since no vehicle has it. */
export function lackingSchema(lacking: Lacking): ValueSchema {
  return { [LACKING]: lacking };
}

/** One of these words, which an error describes by this name in place of a list: `a released firmware`. */
export function wordsCalled(called: string, words: readonly string[]): ValueSchema {
  return { enum: words, [CALLED]: called };
}

const LACKING = 'x-lacking';
const CALLED = 'x-called';

export type ValueKind = Possible['kind'];

interface NumberRange {
  readonly least: number;
  readonly most: number;
  /** `most` itself is not reached. */
  readonly isBelow: boolean;
  readonly isWhole: boolean;
}

const ANYTHING: readonly Possible[] = [{ kind: 'anything' }];

/** References within references, against a schema that refers to itself. */
const MOST_REFERENCES = 16;

/**
 * The values that a JSON schema allows, one row for each kind of value; `root` is the document of its references.
 * Names that a map's schema does not list are impossible, though readers must accept them. Total: where a schema uses
 * what is not evaluated here, anything is possible.
 */
export function possibleOf(
  schema: unknown,
  root: unknown,
  references = MOST_REFERENCES,
): readonly Possible[] {
  if (!isSchema(schema)) return ANYTHING;
  const { $ref, allOf, anyOf, oneOf, const: only, ...rest } = schema;
  if (typeof $ref === 'string') {
    const target = references > 0 ? referred($ref, root) : undefined;
    return isSchema(target) ? possibleOf({ ...target, ...rest }, root, references - 1) : ANYTHING;
  }
  if (allOf !== undefined) return ANYTHING;
  const choices = anyOf ?? oneOf;
  if (Array.isArray(choices)) return choices.flatMap((one) => possibleOf(one, root, references - 1));
  if (only !== undefined) return valuesOf([only]);
  const lacking = schema[LACKING] as Lacking | undefined;
  if (lacking !== undefined) return [{ kind: 'nothing', lacking }];
  if (Array.isArray(schema['enum'])) {
    const called = schema[CALLED];
    return valuesOf(schema['enum'], typeof called === 'string' ? { called } : {});
  }
  return kindsOf(schema).flatMap((kind) => ofKind(kind, schema));
}

/** The value at a pointer such as `#/components/schemas/Vehicle`; undefined: there is none. */
export function referred(reference: string, root: unknown): unknown {
  let value = root;
  for (const part of reference.split('/').slice(1)) {
    if (!isSchema(value)) return undefined;
    value = value[decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~')];
  }
  return value;
}

/** The kind of a JSON value. */
export function kindOf(value: unknown): Exclude<ValueKind, 'anything'> {
  if (value === null || value === undefined) return 'nothing';
  if (Array.isArray(value)) return 'list';
  switch (typeof value) {
    case 'boolean':
    case 'number':
      return typeof value as 'boolean' | 'number';
    case 'object':
      return 'map';
    default:
      return 'text';
  }
}

function valuesOf(
  values: readonly unknown[],
  naming: { readonly called?: string } = {},
): readonly Possible[] {
  const kinds = [...new Set(values.map(kindOf))];
  return kinds.flatMap((kind): readonly Possible[] => {
    const own = values.filter((value) => kindOf(value) === kind);
    if (kind === 'boolean') return [{ kind, values: own }];
    if (kind === 'text') return [{ kind, values: own, ...naming }];
    if (kind === 'number') return [{ kind, values: own, range: rangeOf({}) }];
    return kind === 'nothing' ? [{ kind }] : ANYTHING;
  });
}

function kindsOf(schema: ValueSchema): readonly unknown[] {
  const { type } = schema;
  if (Array.isArray(type)) return type;
  if (type !== undefined) return [type];
  return schema['properties'] === undefined ? [undefined] : ['object'];
}

function ofKind(type: unknown, schema: ValueSchema): readonly Possible[] {
  switch (type) {
    case 'null':
      return [{ kind: 'nothing' }];
    case 'boolean':
      return [{ kind: 'boolean' }];
    case 'integer':
    case 'number':
      return [{ kind: 'number', range: rangeOf({ ...schema, type }) }];
    case 'string': {
      const words = schema['x-extensible-enum'];
      if (Array.isArray(words)) return [{ kind: 'text', values: words }];
      const form = formOf(schema['pattern']);
      return [{ kind: 'text', ...(form === undefined ? {} : { form }) }];
    }
    case 'array':
      return [{ kind: 'list', items: isSchema(schema['items']) ? schema['items'] : {} }];
    case 'object':
      return [mapOf(schema)];
    default:
      return ANYTHING;
  }
}

function mapOf({ properties, additionalProperties: others }: ValueSchema): Possible {
  const further = isSchema(others) && Object.keys(others).length > 0 ? { others } : {};
  if (isSchema(properties)) {
    return { kind: 'map', parts: properties as Readonly<Record<string, ValueSchema>>, ...further };
  }
  return { kind: 'map', ...further };
}

function rangeOf({ type, minimum, maximum, exclusiveMaximum: below }: ValueSchema): NumberRange {
  const isBelow = typeof below === 'number';
  return {
    least: typeof minimum === 'number' ? minimum : Number.NEGATIVE_INFINITY,
    most: isBelow ? below : typeof maximum === 'number' ? maximum : Number.POSITIVE_INFINITY,
    isBelow,
    isWhole: type === 'integer',
  };
}

function formOf(pattern: unknown): RegExp | undefined {
  if (typeof pattern !== 'string') return undefined;
  try {
    return new RegExp(pattern, 'u');
  } catch {
    return undefined;
  }
}

export function isSchema(value: unknown): value is ValueSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
