import { listed } from '../../../judge/wording.ts';
import { jsonSchemaOf } from '../../../scenarios/language/document/json-schema.ts';
import type { WordTable } from '../../../scenarios/language/document/word-row.ts';
import { BREAKS } from '../../../scenarios/language/steps/breaks.ts';
import { WEATHER } from '../../../scenarios/language/steps/weather.ts';
import { BOX_ACTIONS } from '../../../simulator/control/box-actions.ts';
import { MAKER_ACTIONS } from '../../../simulator/control/maker-actions.ts';
import { jsonObject, valueAt } from '../../../world/json.ts';
import { type Action, exampleValues } from './actions.ts';

/** One value that an action takes. */
interface ActionValue {
  /** Undefined: the action takes this value alone, without a name. */
  readonly key: string | undefined;
  /** What is allowed, such as `none, poor or good`. */
  readonly allowed: string;
  readonly isNeeded: boolean;
}

/** The values that an action takes, by its schema. */
export function valuesOf(action: Action): readonly ActionValue[] {
  const schema = schemaOf(action);
  const properties = valueAt(schema, 'properties');
  if (properties === undefined) return [{ key: undefined, allowed: allowedText(schema), isNeeded: true }];
  const needed = valueAt(schema, 'required');
  return Object.entries(jsonObject(properties)).map(([key, one]) => ({
    key,
    allowed: allowedText(one),
    isNeeded: Array.isArray(needed) && needed.includes(key),
  }));
}

/** What an action does, each value that it takes, and an example, for people. */
export function actionText(action: Action, vehicle: string): string {
  const values = valuesOf(action);
  const named = values.map(({ key = 'VALUE', ...rest }) => ({ key, ...rest }));
  const width = Math.max(0, ...named.map(({ key }) => key.length));
  const rows = named.map(
    ({ key, allowed, isNeeded }) =>
      `  ${key.padEnd(width)}  ${allowed}${isNeeded || allowed.includes(USUALLY) ? '' : ' (optional)'}`,
  );
  const whose = action.kind === 'fault' && !action.isOfVehicles ? 'all' : vehicle;
  const example = [action.name, ...exampleValues(action.example)].join(' ');
  const ends =
    action.kind === 'fault' && action.lasts ? ['--for 90s is how long it lasts; --undo ends it.'] : [];
  return [
    `${action.name}: ${action.does}`,
    ...(rows.length === 0 ? ['It takes no values.'] : ['', ...rows, '']),
    ...ends,
    `Example: boxtwin do ${whose} ${example}`,
  ].join('\n');
}

/** Why an action cannot be done with no values at all; undefined: it needs none. */
export function missingValues(action: Action, vehicle: string): string | undefined {
  const needed = valuesOf(action).filter(({ isNeeded }) => isNeeded);
  if (needed.length === 0) return undefined;
  const names = needed.map(({ key, allowed }) => key ?? `a value: ${allowed}`);
  return `"${action.name}" needs ${listed(names, 'and')}.\n\n${actionText(action, vehicle)}`;
}

/** The JSON Schema of its values as they are written. */
function schemaOf(action: Action): unknown {
  if (action.kind === 'act') {
    const table = action.owners.includes('boxes') ? BOX_ACTIONS : MAKER_ACTIONS;
    const row = Object.entries(table).find(([name]) => name === action.name)?.[1];
    return row === undefined ? NO_VALUES : jsonSchemaOf(row.body);
  }
  const [of = '', part = '', name = part] = action.path;
  const table: WordTable | undefined =
    of === 'weather' ? WEATHER : Object.entries(BREAKS).find(([key]) => key === part)?.[1];
  const row = table?.[name];
  return row === undefined ? NO_VALUES : jsonSchemaOf(row.settings, 'with-formats');
}

const NO_VALUES = { properties: {} };

/** What the formats of scenarios/language/document/quantity.ts are to a person. */
const FORMATS: Readonly<Record<string, string>> = {
  span: 'a span of time, such as 90s, 2m30s or 12h',
  'signed-span': 'a span of time, such as 90s or -2h',
  size: 'a size, such as 500B or 64kB',
  rate: 'a rate, such as 64kbit/s',
};

const USUALLY = ', by default ';

function allowedText(schema: unknown): string {
  const {
    type,
    enum: words,
    minimum,
    maximum,
    exclusiveMinimum,
    format,
    anyOf,
    default: usual,
  } = jsonObject(schema);
  const ending = usual === undefined ? '' : `${USUALLY}${String(usual)}`;
  if (Array.isArray(anyOf)) return `${listed(anyOf.map(allowedText))}${ending}`;
  if (Array.isArray(type)) return `${listed(type.map((one) => allowedText({ type: one })))}${ending}`;
  if (Array.isArray(words)) return `${listed(words.map(String))}${ending}`;
  if (typeof format === 'string' && FORMATS[format] !== undefined) return `${FORMATS[format]}${ending}`;
  if (type === 'null') return 'null';
  if (type === 'boolean') return `true or false${ending}`;
  if (type === 'array') return `a JSON list${ending}`;
  if (type !== 'number' && type !== 'integer') return `text${ending}`;
  const kind = type === 'integer' ? 'a whole number' : 'a number';
  const least = minimum === undefined ? `above ${String(exclusiveMinimum)}` : `from ${String(minimum)}`;
  const bounds = minimum === undefined && exclusiveMinimum === undefined ? '' : ` ${least}`;
  return `${kind}${bounds}${maximum === undefined ? '' : ` to ${String(maximum)}`}${ending}`;
}
