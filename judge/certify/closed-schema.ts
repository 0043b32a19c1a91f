import { isJsonObject } from '../../world/json.ts';
/** The keywords of a JSON schema that are read here. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/**
 * A schema of an answer, with every reference resolved, that refuses undeclared properties: readers must accept them,
 * and the service must not send any. If the schema describes further properties (not just with `true`), they are
 * allowed. `isPart`: it is one of several schemas of the same object, so that none of them alone decides which
 * properties are undeclared.
 */
export function closedSchema(
  schema: JsonSchema,
  find: (reference: string) => JsonSchema,
  isPart = false,
): JsonSchema {
  const close = (value: unknown, isOnePart: boolean): unknown =>
    isJsonObject(value) ? closedSchema(value, find, isOnePart) : value;
  const { $ref, ...rest } = schema;
  if (typeof $ref === 'string') {
    const target = find($ref);
    const whole = Object.keys(rest).length === 0 ? target : { allOf: [target, rest] };
    return closedSchema(whole, find, isPart);
  }
  const closed: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(schema)) closed[key] = closedKeyword(key, value, close, isPart);
  const isObject = schema['properties'] !== undefined && saysNothing(schema['additionalProperties']);
  if (isObject) delete closed['additionalProperties'];
  const isWhole = !isPart && (isObject || schema['allOf'] !== undefined);
  return isWhole ? { ...closed, unevaluatedProperties: false } : closed;
}

/** A schema of an answer, with every reference resolved, that allows further properties wherever it does so itself. */
export function openSchema(schema: JsonSchema, find: (reference: string) => JsonSchema): JsonSchema {
  const open = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(open);
    return isJsonObject(value) ? openSchema(value, find) : value;
  };
  const { $ref, ...rest } = schema;
  if (typeof $ref === 'string') {
    const target = openSchema(find($ref), find);
    return Object.keys(rest).length === 0 ? target : { allOf: [target, openSchema(rest, find)] };
  }
  return Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, open(value)]));
}

function closedKeyword(
  key: string,
  value: unknown,
  close: (value: unknown, isPart: boolean) => unknown,
  isPart: boolean,
): unknown {
  switch (key) {
    case 'properties':
      return Object.fromEntries(
        Object.entries(value as object).map(([name, one]) => [name, close(one, false)]),
      );
    case 'allOf':
      return (value as unknown[]).map((one) => close(one, true));
    case 'anyOf':
    case 'oneOf':
      return (value as unknown[]).map((one) => close(one, isPart));
    case 'items':
    case 'additionalProperties':
      return close(value, false);
    default:
      return value;
  }
}

/** Whether the schema of further properties allows anything. */
function saysNothing(further: unknown): boolean {
  return (
    further === undefined || further === true || (isJsonObject(further) && Object.keys(further).length === 0)
  );
}
