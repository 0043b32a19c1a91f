import { beforeAll, describe, expect, test } from 'vitest';
import { SCOPES } from '../../contract/permissions.ts';
import { PROBLEMS } from '../../contract/problems.ts';
import { openTestService } from '../support/http/test-service.ts';

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description?: string;
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly responses: Readonly<
    Record<string, { readonly headers: object; readonly 'x-problems'?: readonly string[] }>
  >;
  readonly 'x-permission'?: string;
}

type Answer = Operation['responses'][string];

interface Document {
  readonly openapi: string;
  readonly info: { readonly version: string };
  readonly servers: readonly { readonly url: string }[];
  readonly tags: readonly { readonly name: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<
      Record<
        string,
        {
          readonly properties: Readonly<Record<string, object>>;
          readonly required?: readonly string[];
          readonly additionalProperties?: unknown;
        }
      >
    >;
    readonly responses: Readonly<Record<string, Answer>>;
    readonly securitySchemes: Readonly<Record<string, { readonly flows: Readonly<Record<string, object>> }>>;
  };
}

describe('the OpenAPI document', () => {
  let text: string;
  let document: Document;
  let operations: readonly (readonly [name: string, operation: Operation])[];

  beforeAll(async () => {
    const stage = await openTestService();
    const answer = await stage.ask('GET', '/openapi.json');
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('application/json');
    text = await answer.text();
    document = JSON.parse(text) as Document;
    operations = Object.entries(document.paths).flatMap(([path, item]) =>
      METHODS.flatMap((method) => {
        const operation = item[method];
        if (operation === undefined) return [];
        const responses = Object.fromEntries(
          Object.entries(operation.responses).map(([status, answer]) => [status, resolved(answer)]),
        );
        return [[`${method.toUpperCase()} ${path}`, { ...operation, responses }] as const];
      }),
    );
  });

  /** An answer that several operations have stands among the components. */
  const resolved = (answer: Answer & { readonly $ref?: string }): Answer => {
    const found =
      answer.$ref === undefined ? answer : document.components.responses[answer.$ref.split('/')[3] ?? ''];
    if (found === undefined) throw new Error(`${answer.$ref} leads nowhere`);
    return found;
  };
  const secured = () => operations.filter(([, operation]) => operation.security.length > 0);
  const responsesOf = (name: string) => operations.find(([one]) => one === name)?.[1].responses ?? {};

  test('is 3.1, of version 1.3.0, served without a token, and has no version in its paths', () => {
    expect(document.openapi).toBe('3.1.0');
    expect(document.info.version).toBe('1.3.0');
    expect(document.servers[0]?.url).toBe('http://service.test');
    expect(document.tags.map((tag) => tag.name)).toEqual(
      expect.arrayContaining(['Commands', 'Connectivity Commands']),
    );
    for (const path of Object.keys(document.paths)) expect(path).not.toMatch(/\/v\d/);
  });

  test('names each operation once, with a tag that is described, and a summary', () => {
    const ids = operations.map(([, operation]) => operation.operationId);
    expect(new Set(ids).size).toBe(ids.length);
    for (const [name, operation] of operations) {
      expect(operation.summary, name).toMatch(/\.$/);
      expect(operation.description, name).toMatch(/\.$/);
      const described = document.tags.map((tag) => tag.name);
      for (const tag of operation.tags) expect(described, name).toContain(tag);
    }
  });

  test('gives each operation behind a token its scope, and its permission for people and for programs', () => {
    expect(secured().length).toBeGreaterThan(40);
    for (const [name, operation] of secured()) {
      const [scope] = operation.security[0]?.['oauth'] ?? [];
      expect(SCOPES, name).toContain(scope);
      expect(operation['x-permission'], name).toMatch(/^[a-z-]+(\.ro)?$/);
      expect(operation.description, name).toContain(`\`${operation['x-permission']}\``);
    }
    const { flows } = document.components.securitySchemes['oauth'] ?? { flows: {} };
    expect(flows).toMatchObject({
      clientCredentials: { tokenUrl: 'http://service.test/auth/oauth/token' },
      authorizationCode: {
        authorizationUrl: 'http://service.test/auth/oauth/authorize',
        scopes: { OPENID: expect.any(String) },
      },
    });
  });

  test('lists the problems of each status, each under its own, and what every operation may answer', () => {
    const statusOf = new Map<string, number>(Object.values(PROBLEMS).map((row) => [row.type, row.status]));
    for (const [name, operation] of operations)
      for (const [status, answer] of Object.entries(operation.responses))
        for (const type of answer['x-problems'] ?? []) expect(String(statusOf.get(type)), name).toBe(status);
    for (const [name, operation] of secured()) {
      const hasBody = !name.startsWith('GET');
      const always = [
        '400',
        '401',
        '403',
        '405',
        '408',
        '429',
        '431',
        '500',
        ...(hasBody ? ['413', '415'] : []),
      ];
      expect(Object.keys(operation.responses), name).toEqual(expect.arrayContaining(always));
    }
    const detach = responsesOf('POST /vehicles/{id}/box-connectivity-commands/network-detach');
    expect(detach['409']?.['x-problems']).toEqual([
      '/problems/vehicle/conflicting-setup-status',
      '/problems/vehicle/shared-with-partner',
      '/problems/vehicle/command-not-supported',
      '/problems/resource-conflict',
      '/problems/conflicting-resource',
    ]);
    expect(detach['504']).toBeUndefined();
  });

  test('declares the headers of each answer where they occur', () => {
    const reset = responsesOf('POST /vehicles/{id}/box-commands/ble-reset');
    expect(Object.keys(reset['204']?.headers ?? {})).toEqual([
      'X-Service-Flow-ID',
      'X-Rate-Limit-Limit',
      'X-Rate-Limit-Remaining',
      'X-Rate-Limit-Reset',
    ]);
    expect(reset['401']?.headers).toHaveProperty('WWW-Authenticate');
    expect(reset['405']?.headers).toHaveProperty('Allow');
    expect(reset['429']?.headers).toHaveProperty('Retry-After');
    expect(responsesOf('GET /vehicles/{id}')['200']?.headers).toHaveProperty('ETag');
    expect(responsesOf('POST /configure-vehicle-telematics-unit-bulk')['201']?.headers).toHaveProperty(
      'Location',
    );
  });

  test('marks can_bus_active as deprecated', () => {
    const { properties } = document.components.schemas['SystemStatus'] ?? { properties: {} };
    expect(properties['can_bus_active']).toMatchObject({ deprecated: true });
    expect(Object.keys(properties).length).toBe(15);
  });

  test('says which properties of a system status are always there, and which type a problem has by default', () => {
    const { SystemStatus: status, Problem: problem } = document.components.schemas;
    expect(status?.required?.toSorted()).toEqual([
      'can_bus_0_active',
      'data_connection_up_since',
      'device_up_since',
      'free_heap_in_bytes',
      'modem_up_since',
      'pio_port_levels',
    ]);
    expect(status?.additionalProperties).toBe(false);
    expect(problem?.properties['type']).toMatchObject({ default: 'about:blank' });
    expect(problem?.required).toEqual(['type', 'title', 'status', 'detail']);
  });

  test('closes every object but the vehicle state, problems and the answers of the token endpoint', () => {
    const { VehicleState: _state, Problem: _problem, ...others } = document.components.schemas;
    const { OAuthError: _error, Tokens: _tokens, ...closed } = others;
    const walk = (path: string, part: unknown): void => {
      if (typeof part !== 'object' || part === null) return;
      if ('properties' in part && 'type' in part)
        expect(part, path).toHaveProperty('additionalProperties', false);
      for (const [name, value] of Object.entries(part))
        if (!name.startsWith('example')) walk(`${path}.${name}`, value);
    };
    expect(Object.keys(closed).length).toBeGreaterThan(20);
    for (const [name, schema] of Object.entries(closed)) walk(name, schema);
  });

  test('has expressions that mean the same with the flag u and without it', () => {
    for (const [, pattern = ''] of text.matchAll(/"pattern":("(?:[^"\\]|\\.)*")/g)) {
      const expression = JSON.parse(pattern) as string;
      expect(() => new RegExp(expression, 'u'), expression).not.toThrow();
      expect(expression).not.toMatch(/\\[pP]\{|\\u\{/);
    }
  });

  test('has no expression with flags, which JSON schemas do not know', () => {
    expect(text).not.toMatch(/"pattern":"[^"]*\$\/[a-z]+"/);
  });

  test('has a 2xx for every operation, or says why not', () => {
    const without = operations.filter(
      ([, { responses }]) => !Object.keys(responses).some((status) => status.startsWith('2')),
    );
    expect(without.map(([name]) => name)).toEqual(['POST /auth/oauth/authorize']);
    for (const [name, { description }] of without) expect(description, name).toContain('no 2xx answer');
  });
});
