/** A JSON object whose members are not known. */
export type JsonObject = Readonly<Record<string, unknown>>;

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value, or an object without members where it is not an object. */
export function jsonObject(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {};
}

/** The value at a path of a JSON value; undefined where there is none. */
export function valueAt(value: unknown, ...names: readonly string[]): unknown {
  let place = value;
  for (const name of names) {
    if (typeof place !== 'object' || place === null) return undefined;
    place = (place as Readonly<Record<string, unknown>>)[name];
  }
  return place;
}

/** A body as JSON; undefined if it is not JSON. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
