import { createRequire } from 'node:module';
import { Ajv } from 'ajv';
import formats from 'ajv-formats';
import { beforeAll, describe, expect, test } from 'vitest';
import { MESSAGE_SCHEMAS } from '../../../../../backend/events/message-table.ts';
import { asyncApiDocument } from '../../../../../backend/http/openapi/asyncapi.ts';
import { TOPICS } from '../../../../../contract/messages.ts';
import { openTestService, type TestService } from '../../../../support/http/test-service.ts';

interface Document {
  readonly asyncapi: string;
  readonly info: { readonly version: string };
  readonly servers: { readonly broker: Readonly<Record<string, unknown>> };
  readonly channels: Readonly<
    Record<
      string,
      {
        readonly address: string;
        readonly bindings: unknown;
        readonly parameters: Readonly<Record<string, { readonly location?: string }>>;
      }
    >
  >;
  readonly operations: Readonly<Record<string, { readonly action: string }>>;
  readonly components: {
    readonly messages: Readonly<
      Record<
        string,
        {
          readonly title: string;
          readonly headers: object;
          readonly examples: readonly { readonly headers: object; readonly payload: object }[];
        }
      >
    >;
    readonly schemas: Readonly<Record<string, object>>;
  };
}

/** The unit that a name of the API ends with, and its symbol; mg are thousandths of standard gravity. Written by hand, apart from the table. */
const SIGNS: Readonly<Record<string, string>> = {
  kph: 'km/h',
  mg: 'mg',
  seconds: 's',
  milliseconds: 'ms',
  meters: 'm',
  degrees: '°',
  kilometers: 'km',
  liters: 'l',
  percent: '%',
  volts: 'V',
};

/** Each property of a schema with its name, however deep it stands. */
function* propertiesOf(schema: unknown): Generator<readonly [name: string, schema: Schema]> {
  if (typeof schema !== 'object' || schema === null) return;
  const { properties } = schema as { readonly properties?: Readonly<Record<string, Schema>> };
  if (properties !== undefined && !Array.isArray(properties)) yield* Object.entries(properties);
  for (const inner of Object.values(schema)) yield* propertiesOf(inner);
}

interface Schema {
  readonly 'x-unit'?: string;
  readonly type?: string;
  readonly format?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
}

describe('the AsyncAPI document', () => {
  let stage: TestService;
  let document: Document;
  let text: string;
  let tag: string;
  const ask = (headers: Readonly<Record<string, string>> = {}) =>
    stage.app.request('/asyncapi.json', { headers });

  beforeAll(async () => {
    stage = await openTestService();
    const answer = await ask();
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/json']);
    tag = answer.headers.get('etag') ?? '';
    text = await answer.text();
    document = JSON.parse(text) as Document;
  });

  test('names the unit of each amount, the one that its name ends with', () => {
    const seen = new Set<string>();
    for (const [name, schema] of propertiesOf(document.components.schemas)) {
      const ending = /_in_([a-z]+)$/.exec(name)?.[1];
      if (ending === undefined || !(ending in SIGNS)) continue;
      seen.add(ending);
      // A property of the vehicle state is its value and when it was measured.
      const amount = schema.properties?.['value'] ?? schema;
      expect([name, amount['x-unit']]).toEqual([name, SIGNS[ending]]);
      expect(amount.description).toMatch(new RegExp(`In ${SIGNS[ending] ?? ''}\\.$`));
    }
    expect(seen).toEqual(new Set(Object.keys(SIGNS)));
  });

  test('is valid by the official schema of AsyncAPI 3.0, bindings for AMQP included', () => {
    const official: object = createRequire(import.meta.url)('@asyncapi/specs/schemas/3.0.0.json');
    // It brings the schema of draft 7 along, which the library would have too.
    const ajv = new Ajv({ strict: false, allErrors: true, meta: false, validateSchema: false });
    formats.default(ajv);
    const isValid = ajv.compile(official);
    isValid(document);
    expect(isValid.errors ?? []).toEqual([]);
    const [topic = ''] = Object.keys(document.channels);
    const wrong = structuredClone(document) as { channels: Record<string, { bindings: { amqp: object } }> };
    Object.assign(wrong.channels[topic]?.bindings.amqp ?? {}, { is: 'mailbox' });
    expect(isValid(wrong)).toBe(false);
  });

  test('names the broker where there is one, and an example of a host where there is none', () => {
    const serverOf = (broker?: Parameters<typeof asyncApiDocument>[0]['broker']) =>
      (asyncApiDocument({ baseUrl: 'http://service.test', broker }) as unknown as Document).servers.broker;
    expect(serverOf()).toMatchObject({ variables: { host: { examples: ['broker.example'] } } });
    expect(serverOf({ host: 'rabbit.test', port: 5699, virtualHost: 'fleet/one' })).toMatchObject({
      variables: {
        host: { default: 'rabbit.test' },
        port: { default: '5699' },
        virtual_host: { default: 'fleet%2Fone' },
      },
    });
  });

  test('every reference in it can be resolved', () => {
    const references = [...text.matchAll(/"\$ref":"#\/([^"]+)"/g)].map(([, path = '']) => path);
    expect(references.length).toBeGreaterThan(30);
    for (const path of new Set(references)) {
      const target = path
        .split('/')
        .reduce<unknown>((part, name) => (part as Record<string, unknown> | undefined)?.[name], document);
      expect(target, path).toBeDefined();
    }
  });

  test('has version 1.0, a queue and a routing key for each topic, and two operations for each message', () => {
    expect([document.asyncapi, document.info.version]).toEqual(['3.0.0', '1.0']);
    expect(document.servers.broker).toMatchObject({ protocol: 'amqps', protocolVersion: '0.9.1' });
    for (const { topic, message } of TOPICS) {
      expect(document.channels[topic]).toMatchObject({
        address: `${topic}-{queue_discriminator}`,
        bindings: { amqp: { is: 'queue', queue: { durable: true } } },
      });
      expect(document.channels[message]).toMatchObject({
        address: `{fleet_id}.${message}`,
        servers: [{ $ref: '#/servers/broker' }],
        bindings: { amqp: { exchange: { name: 'service.events', type: 'topic', durable: true } } },
      });
      expect(document.operations[`deliver${message}`]?.action).toBe('send');
      expect(document.operations[`publish${message}`]?.action).toBe('send');
    }
  });

  test('it has valid examples of each message and each kind', () => {
    const ajv = new Ajv({ strict: false });
    formats.default(ajv);
    const kinds: unknown[] = [];
    for (const [name, { examples }] of Object.entries(document.components.messages)) {
      kinds.push(...examples.map(({ payload }) => (payload as { data: { kind?: string } }).data.kind));
      expect(examples.length, name).toBeGreaterThan(0);
      const isValid = ajv.compile(document.components.schemas[name] ?? false);
      for (const { payload } of examples) {
        expect(isValid(payload), JSON.stringify(isValid.errors)).toBe(true);
        expect(MESSAGE_SCHEMAS[name as keyof typeof MESSAGE_SCHEMAS].parse(payload)).toEqual(payload);
      }
    }
    expect(
      kinds
        .filter((kind) => kind !== undefined)
        .map(String)
        .toSorted((a, b) => (a < b ? -1 : 1)),
    ).toEqual(['CRASH', 'HARSH_CORNERING', 'HEAVY_BRAKING', 'SHOCK', 'TOWING']);
  });

  test('tells the version of each message in its title and in the headers, which the examples have', () => {
    const ajv = new Ajv({ strict: false });
    for (const [name, { title, headers, examples }] of Object.entries(document.components.messages)) {
      const hasHeaders = ajv.compile(headers);
      for (const { headers: sent, payload } of examples) {
        const { version } = (payload as { readonly metadata: { readonly version: string } }).metadata;
        expect(title).toBe(`${name} ${version}`);
        expect(hasHeaders(sent), JSON.stringify(hasHeaders.errors)).toBe(true);
        expect(hasHeaders({ ...sent, 'x-delivery-count': 2 })).toBe(true);
        expect(hasHeaders({ ...sent, 'x-delivery-count': 'often' })).toBe(false);
        expect(hasHeaders({ ...sent, 'Message-Version': '0.9.0' })).toBe(false);
      }
    }
  });

  test('allows additional properties at every level', () => {
    const levels: unknown[] = [];
    const walk = (part: unknown): void => {
      if (typeof part !== 'object' || part === null) return;
      if ('properties' in part && 'type' in part && part.type === 'object')
        levels.push((part as { additionalProperties?: unknown }).additionalProperties);
      for (const value of Object.values(part)) walk(value);
    };
    walk(document.components.schemas);
    expect(levels.length).toBeGreaterThan(50);
    for (const level of levels) expect(level).not.toBe(false);
  });

  test('names each object, enumeration and alternative of the schemas, each differently', () => {
    const titles: unknown[] = [];
    const walk = (part: unknown, place: string): void => {
      if (typeof part !== 'object' || part === null) return;
      if (Array.isArray(part)) {
        for (const one of part) walk(one, place);
        return;
      }
      const isAlternative = place === 'anyOf' || place === 'oneOf';
      const isNamed = ['properties', 'items', 'oneOf', 'anyOf', 'enum', 'const'].some((key) => key in part);
      if (place !== 'properties' && (isNamed || isAlternative))
        titles.push((part as { readonly title?: unknown }).title);
      for (const [key, value] of Object.entries(part))
        if (key !== 'examples') walk(value, place === 'properties' ? 'schema' : key);
    };
    walk(document.components.schemas, 'properties');
    for (const { headers } of Object.values(document.components.messages)) walk(headers, 'headers');
    expect(titles.length).toBeGreaterThan(100);
    for (const title of titles) expect(title).toMatch(/^[A-Z][A-Za-z0-9]+$/);
    expect(titles.filter((title, at) => titles.indexOf(title) !== at)).toEqual([]);
    expect(titles).toEqual(
      expect.arrayContaining([
        'VehicleStateReceived',
        'VehicleState',
        'VehicleStatePositionValue',
        'DrivingEventDetectedDataCrash',
        'VehicleStateReceivedHeaders',
      ]),
    );
  });

  test('names the words of each value that is one of several', () => {
    const lists = [...text.matchAll(/"x-extensible-enum":(\[[^\]]*\])/g)].map(
      ([, list = '']) => JSON.parse(list) as unknown[],
    );
    expect(lists.length).toBeGreaterThan(10);
    for (const list of lists) {
      expect(list.length).toBeGreaterThan(1);
      for (const word of list) expect(word).toMatch(/^[A-Z][A-Z0-9_]*$/);
    }
  });

  test('refers to what is there, and each variable of an address is said', () => {
    const targets = [...text.matchAll(/"\$ref":"([^"]*)"/g)].map(([, target = '']) => target);
    expect(targets.length).toBeGreaterThan(20);
    for (const target of targets) {
      expect(target).toMatch(/^#\//);
      const steps = target.slice(2).split('/');
      const found = steps.reduce<unknown>((part, step) => (part as Record<string, unknown>)[step], document);
      expect(found, target).toBeTypeOf('object');
    }
    const { host, pathname, variables } = document.servers.broker;
    const named = [...`${String(host)}${String(pathname)}`.matchAll(/\{([a-z_]+)\}/g)].map(
      ([, name]) => name,
    );
    expect(new Set(named)).toEqual(new Set(Object.keys(variables as object)));
    for (const [name, { address, parameters }] of Object.entries(document.channels)) {
      const wanted = [...address.matchAll(/\{([a-z_]+)\}/g)].map(([, variable = '']) => variable);
      expect(Object.keys(parameters)).toEqual(wanted);
      // What stands in the routing key stands in each message as well.
      const { examples = [] } = document.components.messages[name] ?? {};
      for (const { location = '' } of Object.values(parameters)) {
        if (location === '') continue;
        const [, ...steps] = location.split(/[#/]+/);
        for (const { payload } of examples)
          expect(
            steps.reduce<unknown>((part, step) => (part as Record<string, unknown>)[step], payload),
          ).toBeTypeOf('string');
      }
    }
    expect(
      document.channels[Object.keys(MESSAGE_SCHEMAS)[0] ?? '']?.parameters['fleet_id']?.location,
    ).toMatch(/^\$message\.payload#\//);
  });

  test('tells a program which numbers of a vehicle state are whole', () => {
    const numbers = [...propertiesOf(document.components.schemas['VehicleStateReceived'])]
      .map(([, { properties }]) => properties?.['value'])
      .filter((value) => value?.type === 'integer' || value?.type === 'number');
    expect(numbers.length).toBeGreaterThan(10);
    for (const value of numbers) expect(value?.format).toBe(value?.type === 'integer' ? 'int32' : 'double');
  });

  test('can be cached, and is not sent again to a client that has it', async () => {
    const first = await ask();
    expect(first.headers.get('cache-control')).toBe('public, max-age=300');
    expect(tag).toMatch(/^"[0-9a-f]{32}"$/);
    for (const known of [tag, `W/${tag}`, `"other", ${tag}`, '*']) {
      const again = await ask({ 'if-none-match': known });
      expect([again.status, await again.text(), again.headers.get('etag')]).toEqual([304, '', tag]);
    }
    expect((await ask({ 'if-none-match': '"other"' })).status).toBe(200);
    const openApi = await stage.app.request('/openapi.json');
    expect(openApi.headers.get('etag')).toMatch(/^"[0-9a-f]{32}"$/);
  });

  test('is linked from the root page and from the OpenAPI document', async () => {
    const entrance = (await (await stage.app.request('/')).json()) as { links: Record<string, string> };
    expect(entrance.links['asyncapi']).toMatch(/\/asyncapi\.json$/);
    const openApi = (await (await stage.app.request('/openapi.json')).json()) as Record<string, unknown>;
    expect(openApi['externalDocs']).toMatchObject({ url: expect.stringMatching(/\/asyncapi\.json$/) });
  });
});
