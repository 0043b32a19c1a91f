/** A JSON schema, as far as types follow from it. */
export type TypeSchema = Readonly<Record<string, unknown>>;

export interface TypeOptions {
  /** Types that exist by a name: by their words, by the names of their parts, or by the title of their schema. */
  readonly named?: Readonly<Record<string, string>>;
}

/**
 * A TypeScript type of the values that a schema allows. `samples`, where given, are values: a name that all of them
 * have is required; without them the schema says it.
 */
export function typeOf(schema: TypeSchema, options: TypeOptions, samples?: readonly unknown[]): string {
  const { named = {} } = options;
  const { title, anyOf, oneOf, enum: words, const: only, type } = schema;
  const known = named[String(title)];
  if (known !== undefined) return known;
  const again = (one: TypeSchema, of = samples) => typeOf(one, options, of);
  const choices = (anyOf ?? oneOf) as readonly TypeSchema[] | undefined;
  if (choices !== undefined) return union(choices.map((one) => again(one)));
  if (only !== undefined) return JSON.stringify(only);
  const choice = (words ?? schema['x-extensible-enum']) as readonly unknown[] | undefined;
  if (choice !== undefined)
    return named[choice.join(' ')] ?? union(choice.map((word) => JSON.stringify(word)));
  if (Array.isArray(type)) return union(type.map((one: unknown) => again({ ...schema, type: one })));
  switch (type) {
    case 'integer':
      return 'number';
    case 'array':
      return `readonly (${again(schema['items'] as TypeSchema, samples?.flat())})[]`;
    case 'object':
      return objectType(schema, options, samples?.filter(isObject));
    case undefined:
      return 'unknown';
    default:
      return String(type);
  }
}

function objectType(schema: TypeSchema, options: TypeOptions, samples?: readonly TypeSchema[]): string {
  const { properties, additionalProperties: others } = schema;
  if (properties === undefined)
    return `Readonly<Record<string, ${isObject(others) ? typeOf(others, options) : 'unknown'}>>`;
  const parts = properties as Readonly<Record<string, TypeSchema>>;
  const names = Object.keys(parts);
  if (names.join(' ') === 'timestamp value') return `Timed<${typeOf(parts['value'] ?? {}, options)}>`;
  const keys = options.named?.[names.join(' ')];
  const isNeeded = (name: string) =>
    samples === undefined
      ? ((schema['required'] ?? []) as readonly string[]).includes(name)
      : samples.length > 0 && samples.every((sample) => Object.hasOwn(sample, name));
  const typeOfPart = (name: string) =>
    typeOf(
      parts[name] ?? {},
      options,
      samples?.flatMap((sample) => (Object.hasOwn(sample, name) ? [sample[name]] : [])),
    );
  if (keys !== undefined) {
    const record = `Record<${keys}, ${typeOfPart(names[0] ?? '')}>`;
    return names.every(isNeeded) ? `Readonly<${record}>` : `Readonly<Partial<${record}>>`;
  }
  if (names.length === 0) return 'Readonly<Record<string, never>>';
  const lines = names.map((name) => {
    const about = parts[name]?.['description'];
    const comment = typeof about === 'string' ? docComment(about) : '';
    return `${comment}readonly ${JSON.stringify(name)}${isNeeded(name) ? '' : '?'}: ${typeOfPart(name)};`;
  });
  return `{ ${lines.some((line) => line.startsWith('/**')) ? '\n' : ''}${lines.join('\n')} }`;
}

/** A comment of lines of up to 110 characters before what it describes. */
export function docComment(text: string): string {
  const lines = text
    .replaceAll('*/', '*\\/')
    .split(' ')
    .reduce<string[]>((all, word) => {
      const last = all.at(-1);
      if (last !== undefined && last.length + word.length < 100) all[all.length - 1] = `${last} ${word}`;
      else all.push(word);
      return all;
    }, []);
  const [only = '', ...more] = lines;
  return more.length === 0 ? `/** ${only} */\n` : `/**\n${lines.map((line) => ` * ${line}\n`).join('')} */\n`;
}

/** `'a' | 'b'`, each once. */
export function union(types: readonly string[]): string {
  return [...new Set(types)].join(' | ');
}

function isObject(value: unknown): value is TypeSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
