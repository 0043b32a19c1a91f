import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ApiOperation } from '../support/http/operations.ts';
import {
  expectRefused,
  type FilledService,
  openFilledService,
} from '../support/http/service-at-every-path.ts';
import { anyCharacter } from '../support/run/any-character.ts';

const scene: FilledService = await openFilledService();
const JSON_TYPE = { 'content-type': 'application/json' };
const secured = scene.operations.filter(({ isSecured }) => isSecured);
const withPath = secured.filter(({ path }) => path.includes('{'));
const UUID = /^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/;

/** The right request, but for what is given. */
function send(operation: ApiOperation, change: { path?: string; headers?: Record<string, string> } = {}) {
  const { method, body } = operation;
  const right = method === 'GET' || body === undefined ? {} : { body: JSON.stringify(body.right) };
  return scene.stage.ask(method, change.path ?? scene.pathOf(operation), {
    token: scene.token,
    headers: { ...JSON_TYPE, ...change.headers },
    ...right,
  });
}

describe('a wrong path parameter', () => {
  const strange = fc.oneof(
    fc.constantFrom(
      ...[
        '',
        '.',
        '..',
        '%2e',
        '%2e%2e',
        '%2E%2e%2F',
        '%2f',
        '%5c',
        '%00',
        '%',
        '%zz',
        '%ff',
        '%c0%af',
        '%ed%a0%80',
      ],
      ...[
        'veh01',
        'VEH01%20',
        '%20VEH01',
        'VEH01%00',
        'VEH01;a=b',
        'VEH01,VEH02',
        'VEH0%',
        '*',
        ':id',
        '{id}',
        'null',
      ],
      ...[
        '__proto__',
        'constructor',
        "'%20OR%201=1",
        '%F0%9F%9A%97',
        '%E2%80%AE',
        '-1',
        '0',
        'commands',
        '%3f',
        '%23',
      ],
    ),
    fc.string({ unit: anyCharacter, maxLength: 40 }).map((text) => encodeURIComponent(text.toWellFormed())),
    fc.string({ unit: 'grapheme', maxLength: 20 }).filter((text) => !/[?#\\/]/.test(text)),
    fc.integer({ min: 1_000, max: 100_000 }).map((length) => 'A'.repeat(length)),
    fc.integer({ min: 1_000, max: 30_000 }).map((length) => '%e2%82%ac'.repeat(length)),
  );

  test.each(withPath)('of $name is a 404, and nothing changes', async (operation) => {
    await fc.assert(
      fc.asyncProperty(strange, async (text) => {
        const path = operation.path.replace(/\{\w+\}/, text.replaceAll('$', '$$$$'));
        // What the client's own address rules make of it may be another operation's path.
        fc.pre(!/^\/(vehicles\/?)?$/.test(new URL(path, 'http://x').pathname));
        await expectRefused(scene, { statuses: [404, 405], ask: () => send(operation, { path }) });
      }),
      { numRuns: 40 },
    );
  });
});

describe('a wrong query', () => {
  const value = fc.oneof(
    fc.constantFrom(
      '',
      '0',
      '-1',
      '1.5',
      '1e9',
      'NaN',
      '0x10',
      '%00',
      '%ff',
      '%',
      'a'.repeat(5_000),
      '[]',
      'null',
      '%2B',
    ),
    fc.string({ unit: anyCharacter, maxLength: 30 }).map((text) => encodeURIComponent(text.toWellFormed())),
  );

  test.each(secured)('with a parameter that $name does not have is a 400', async (operation) => {
    const name = fc.oneof(
      fc.constantFrom(
        'x',
        'LIMIT',
        'limit%5B%5D',
        '__proto__',
        'constructor',
        'toString',
        'access_token',
        '%00',
        '%ff',
      ),
      fc.stringMatching(/^[a-z_]{1,20}$/).filter((text) => !operation.queries.includes(text)),
    );
    await fc.assert(
      fc.asyncProperty(name, value, async (key, text) => {
        const path = `${scene.pathOf(operation)}?${key}=${text}`;
        await expectRefused(scene, { statuses: [400], ask: () => send(operation, { path }) });
      }),
      { numRuns: 15 },
    );
  });

  const ranges: Readonly<Record<string, readonly string[]>> = {
    limit: ['0', '-1', '1.5', 'x', '', '1e3', '0x1', '%201', '1%00', '\uff11', '99999999999999999999'],
    page_token: ['', 'x', '%00', 'e30', 'bnVsbA', 'a'.repeat(5_000), '%F0%9F%9A%97', '..'],
    life_status: ['', 'online', 'ONLINE,OFFLINE', 'null', '%00'],
    operation_status: ['', 'garage', 'OPERATING%20', '0'],
    q: ['a'.repeat(5_000)],
    tag: ['a'.repeat(5_000)],
  };
  const declared = secured.flatMap((operation) => operation.queries.map((query) => ({ operation, query })));
  test.each(declared.map((one) => ({ ...one, name: one.operation.name })))(
    '$query of $name that is wrong or comes twice is a 400',
    async ({ operation, query }) => {
      const right = ranges[query];
      expect(right, `wrong values of ${query} belong into this table`).toBeDefined();
      const strings = (right ?? []).map((text) => `${query}=${text}`);
      for (const made of [...strings, `${query}=A&${query}=B`, `${query}=1&${query}=1`]) {
        const path = `${scene.pathOf(operation)}?${made}`;
        await expectRefused(scene, { statuses: [400], ask: () => send(operation, { path }) });
      }
    },
  );

  test('of any characters never causes a failure', async () => {
    const operations = fc.constantFrom(...secured.filter(({ queries }) => queries.length > 0));
    await fc.assert(
      fc.asyncProperty(operations, fc.nat(10), value, async (operation, index, text) => {
        const query = operation.queries[index % operation.queries.length];
        const answer = await send(operation, { path: `${scene.pathOf(operation)}?${query}=${text}` });
        expect([200, 400]).toContain(answer.status);
      }),
      { numRuns: 200 },
    );
  });
});

describe('invalid headers', () => {
  const nonsense = fc.oneof(
    fc.constantFrom(
      '',
      '"',
      'W/',
      'W/"',
      '"a" "b"',
      '"a",,b',
      'a'.repeat(9_000),
      'null',
      '-1',
      ';q=x',
      '\u00ff',
      '\t',
    ),
    fc.stringMatching(/^[ -~]{0,60}$/),
  );
  const conditional = secured.filter(({ method, path }) => path === '/vehicles/{id}' && method !== 'GET');

  test.each(conditional)('in If-Match change nothing by $name', async (operation) => {
    await fc.assert(
      fc.asyncProperty(nonsense, async (text) => {
        fc.pre(!/^\s*\*\s*$/.test(text) && !text.includes('"1"'));
        await expectRefused(scene, {
          statuses: [400, 412],
          ask: () => send(operation, { headers: { 'if-match': text } }),
        });
      }),
      { numRuns: 60 },
    );
  });

  test.each(secured)('in flow id, Accept and others are ignored by $name', async (operation) => {
    const some = fc.record(
      {
        'x-service-flow-id': nonsense,
        accept: nonsense,
        'accept-encoding': nonsense,
        'accept-language': nonsense,
        'content-length': fc.constantFrom('x', '-5', '1e3', ''),
        range: nonsense,
        'if-none-match': nonsense,
        'x-http-method-override': fc.constantFrom('DELETE', 'PATCH', nonsense.toString()),
        'x-forwarded-host': nonsense,
        cookie: nonsense,
        forwarded: nonsense,
      },
      { requiredKeys: [] },
    );
    // The resource does not exist, so the answer depends on the headers only.
    const elsewhere = operation.path.replace(/\{\w+\}/, 'NONE9');
    const [wrongPath, statuses] =
      elsewhere === operation.path ? [`${elsewhere}?x=1`, [400]] : [elsewhere, [404]];
    await fc.assert(
      fc.asyncProperty(some, async (headers) => {
        const ask = () => send(operation, { path: wrongPath, headers });
        const { flow_id: flowId } = await expectRefused(scene, { statuses, ask });
        expect(flowId).toMatch(UUID);
      }),
      { numRuns: 10 },
    );
  });
});
