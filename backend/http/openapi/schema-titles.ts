import { isJsonObject, type JsonObject } from '../../../world/json.ts';

/** Of these, generators of code make a type, which needs a name. */
const NAMED_KEYWORDS = ['properties', 'items', 'oneOf', 'anyOf', 'enum', 'const'] as const;

/**
 * The schema with a title for each part of which a generator makes a type; without one the generator calls it
 * `AnonymousSchema_41`. A title is that of the part above and the property (`DamageDetectedDataPosition`); a part that
 * has a title keeps it, and the parts below follow it. An alternative is named by its `kind` or type.
 */
export function withTitles(schema: JsonObject, title: string): JsonObject {
  const own = typeof schema['title'] === 'string' ? schema['title'] : title;
  const titled = Object.fromEntries(
    Object.entries(schema).map(([keyword, value]) => [keyword, titledKeyword(keyword, value, own)]),
  );
  return NAMED_KEYWORDS.some((keyword) => Object.hasOwn(schema, keyword))
    ? { title: own, ...titled }
    : titled;
}

function titledKeyword(keyword: string, value: unknown, title: string): unknown {
  if (keyword === 'properties' && isJsonObject(value))
    return Object.fromEntries(
      Object.entries(value).map(([name, part]) => [name, titledPart(part, `${title}${inPascalCase(name)}`)]),
    );
  if (keyword === 'items') return titledPart(value, `${title}Item`);
  if ((keyword === 'oneOf' || keyword === 'anyOf') && Array.isArray(value))
    return value.map((part: unknown) => titledAlternative(part, title));
  return value;
}

function titledPart(part: unknown, title: string): unknown {
  return isJsonObject(part) ? withTitles(part, title) : part;
}

/** Of an alternative every generator makes a variant, also of one that is only a string. */
function titledAlternative(part: unknown, title: string): unknown {
  if (!isJsonObject(part)) return part;
  const own = `${title}${inPascalCase(alternativeName(part))}`;
  return { title: own, ...withTitles(part, own) };
}

/** `crash`, where the property `kind` is always `CRASH`; otherwise the type. */
function alternativeName({ properties, type }: JsonObject): string {
  const kind = isJsonObject(properties) ? properties['kind'] : undefined;
  return String((isJsonObject(kind) ? kind['const'] : undefined) ?? type).toLowerCase();
}

/** `speed_in_kph`: `SpeedInKph`; `Flow-ID`: `FlowID` */
function inPascalCase(name: string): string {
  return name
    .split(/[_-]/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
}
