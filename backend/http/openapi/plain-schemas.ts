/**
 * A document, or a part of one, whose JSON schemas generators of clients read as they are meant. Patterns have no
 * delimiters and flags; the library leaves the end of a literal with flags on (`^a*$/u`). An object with properties
 * that may have others says nothing about those, which is the default: with `additionalProperties: true`,
 * openapi-typescript-codegen makes a map of it and drops the properties.
 */
export function plainSchemas<T>(part: T): T {
  const plain = (key: string, value: unknown): unknown => {
    if (key === 'pattern' && typeof value === 'string') return value.replace(/\$\/[a-z]+$/, '$');
    if (typeof value !== 'object' || value === null || !('properties' in value)) return value;
    const { additionalProperties, ...rest } = value as { readonly additionalProperties?: unknown };
    return allowsAnything(additionalProperties) ? rest : value;
  };
  return JSON.parse(JSON.stringify(part, plain)) as T;
}

function allowsAnything(further: unknown): boolean {
  return further === true || JSON.stringify(further) === '{}';
}
