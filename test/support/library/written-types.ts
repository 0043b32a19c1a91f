import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { asyncApiDocument } from '../../../backend/http/openapi/asyncapi.ts';
import { MESSAGE_NAMES, MESSAGES } from '../../../contract/messages.ts';
import type { PropertyName } from '../../../contract/properties.ts';
import { MEANINGS } from '../../../contract/property-meanings.ts';
import { unitOf } from '../../../contract/units.ts';
import { QUANTITIES } from '../../../protocol/models/quantities.ts';
import { jsonSchemaOf } from '../../../scenarios/language/document/json-schema.ts';
import { takesNothing } from '../../../scenarios/language/document/keyed.ts';
import type { WordTable } from '../../../scenarios/language/document/word-row.ts';
import {
  snapshotSamples,
  snapshotSchemas,
} from '../../../scenarios/language/expectations/snapshot-values.ts';
import { BREAKS } from '../../../scenarios/language/steps/breaks.ts';
import { WEATHER } from '../../../scenarios/language/steps/weather.ts';
import { BOX_ACTIONS } from '../../../simulator/control/box-actions.ts';
import { docComment, type TypeSchema, typeOf, union } from './schema-types.ts';

const QUANTITY_NAMES = Object.keys(QUANTITIES);
const NAMED = { [QUANTITY_NAMES.join(' ')]: 'QuantityName' };

/** A file of types, formatted as all sources are. */
function file(parts: readonly string[]): string {
  const head =
    '// Written from the tables by test/unit/library/types.test.ts: npx vitest run --update=all test/unit/library\n';
  const root = fileURLToPath(new URL('../../..', import.meta.url));
  return execFileSync(
    join(root, 'node_modules/.bin/biome'),
    ['format', '--stdin-file-path=library/types/types.ts'],
    { cwd: root, input: [head, ...parts].join('\n'), encoding: 'utf8' },
  );
}

/** What a vehicle is, what its box believes, and what can be done to both: the tables of the simulator. */
export function simulatorTypes(): { readonly acts: string; readonly snapshots: string } {
  const acts = Object.entries(BOX_ACTIONS).map(([name, { does, body }]) => {
    const settings = typeOf(z.toJSONSchema(body, { io: 'input' }) as TypeSchema, { named: NAMED });
    return `${docComment(does)}readonly ${JSON.stringify(name)}: ${settings};`;
  });
  const { truth, belief } = snapshotSchemas();
  const { truths, beliefs } = snapshotSamples();
  // Without what JSON leaves out.
  const asJson = (samples: readonly unknown[]) => JSON.parse(JSON.stringify(samples)) as readonly unknown[];
  return {
    acts: file([
      "import type { QuantityName } from './snapshots.ts';\n",
      '/** Every action on a box or its vehicle, by name, with its settings. */',
      `export interface Acts { ${acts.join('\n')} }`,
    ]),
    snapshots: file([
      '/** What is true of a vehicle. `unavailable`: there is no value at present. */',
      `export interface Truth ${typeOf(truth, { named: NAMED }, asJson(truths.flat()))}`,
      '\n/** What a box believes: the state of its firmware. */',
      `export interface Belief ${typeOf(belief, { named: NAMED }, asJson(beliefs))}`,
      '\n/** The physical meaning of a signal of a vehicle. */',
      `export type QuantityName = ${union(QUANTITY_NAMES.map((name) => JSON.stringify(name)))};`,
    ]),
  };
}

/** The messages of the service, and the vehicle state: what docs/messages.md and `/asyncapi.json` describe. */
export function serviceTypes(): { readonly messages: string; readonly vehicleState: string } {
  const document = asyncApiDocument({ baseUrl: 'http://service.test' }) as {
    readonly components: { readonly schemas: Readonly<Record<string, TypeSchema>> };
  };
  const { schemas } = document.components;
  const options = { named: { VehicleState: 'VehicleState' } };
  const partsOf = (name: string) => schemas[name]?.['properties'] as Readonly<Record<string, TypeSchema>>;
  const messages = MESSAGE_NAMES.map((name) => {
    const { data = {} } = partsOf(name);
    const type = `{ readonly metadata: MessageMetadata; readonly data: ${typeOf(data, options)} }`;
    return `${docComment(MESSAGES[name].about)}readonly ${name}: ${type};`;
  });
  const received = schemas['VehicleStateReceived'] as unknown as ReceivedSchema;
  const state = received.properties.data.properties.vehicle_state.properties;
  const properties = Object.entries(state).map(([name, schema]) => {
    const unit = unitOf(name);
    const { description } = MEANINGS[name as PropertyName];
    const about = unit === undefined ? description : `${description} In ${unit}.`;
    return `${docComment(about)}readonly ${name}?: ${typeOf(schema, {})};`;
  });
  return {
    messages: file([
      "import type { VehicleState } from './vehicle-state.ts';\n",
      '/** What every message says of itself. */',
      `export interface MessageMetadata ${metadataType(MESSAGE_NAMES.map((name) => partsOf(name)['metadata'] ?? {}))}`,
      '\n/** The messages of the service, by name: what their bodies hold. */',
      `export interface Messages { ${messages.join('\n')} }`,
    ]),
    vehicleState: file([
      '/** A value, and when the vehicle had it: `2026-01-05T06:00:01Z`. */',
      'export interface Timed<Value> { readonly timestamp: string; readonly value: Value; }',
      '\n/** What the service knows of a vehicle. A property that it has no value of is absent. */',
      `export interface VehicleState { ${properties.join('\n')} }`,
    ]),
  };
}

/** One type for the metadata of all messages: what differs is the type of the message and its version. */
function metadataType(schemas: readonly TypeSchema[]): string {
  const types = schemas.map((schema) => {
    const parts = schema['properties'] as Readonly<Record<string, TypeSchema>>;
    const free = ({ const: _, ...rest }: TypeSchema) => rest;
    const { message_type: type = {}, version = {} } = parts;
    return typeOf(
      { ...schema, properties: { ...parts, message_type: free(type), version: free(version) } },
      {},
    );
  });
  const [one = '', ...others] = [...new Set(types)];
  if (others.length > 0) throw new Error('The metadata of messages differ in more than type and version.');
  return one;
}

interface ReceivedSchema {
  readonly properties: {
    readonly data: {
      readonly properties: {
        readonly vehicle_state: { readonly properties: Readonly<Record<string, TypeSchema>> };
      };
    };
  };
}

/** Weather and breaks of the scenario language, as a test lays them. */
export function faultTypes(): { readonly weather: string; readonly breaks: string } {
  const partBreaks = (['broker', 'exchange', 'store', 'sim_provider', 'maker'] as const).map(
    (part) => `${docComment(PARTS[part])}readonly ${part}: ${wordsOf(BREAKS[part])}`,
  );
  const weather = file([
    "/** Weather (docs/scenarios.md, Weather): `{ coverage: 'none' }`, or a word that needs no settings. */",
    `export type Weather = ${wordsOf(WEATHER)};`,
  ]);
  const breaks = file([
    "/** A break of a box (docs/scenarios.md, Breaks of a box): `{ 'flash-slow': { by: '1s' } }`. */",
    `export type BoxBreak = ${wordsOf(BREAKS.box)};`,
    "\n/** A break of a part that all share: `{ exchange: 'down' }`, `{ store: { slow: { by: '1s' } } }`. */",
    'export type PartBreak =',
    "  /** Its connection to the MQTT broker: it shares its process with the tests, and does not die alone. */\n  | { readonly backend: 'cut' }",
    ...partBreaks.map((one) => `| { ${one} }`),
    ';',
  ]);
  return { weather, breaks };
}

const PARTS = {
  broker: 'The MQTT broker.',
  exchange: 'The AMQP broker.',
  store: 'The database of the service.',
  sim_provider: 'The provider of the SIM cards.',
  maker: "The maker's cloud.",
} as const;

/** One word of a table with its settings; or alone, where it needs none. */
function wordsOf(table: WordTable): string {
  const alone = Object.entries(table).flatMap(([name, row]) =>
    takesNothing(row) ? [JSON.stringify(name)] : [],
  );
  const set = Object.entries(table).map(([name, { settings, does }]) => {
    const type = typeOf(jsonSchemaOf(settings) as TypeSchema, {});
    return `{\n${docComment(does)}readonly ${JSON.stringify(name)}: ${type} }`;
  });
  return union([...set, ...alone]);
}
