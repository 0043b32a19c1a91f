import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { openTestService } from '../support/http/test-service.ts';
import { anyCharacter } from '../support/run/any-character.ts';

const anyText = fc.string({ unit: anyCharacter, maxLength: 60 });
const segment = fc.oneof(
  fc.constantFrom(
    'VEH01',
    'vehicles',
    'commands',
    'box-commands',
    'lock-central-lock',
    '..',
    '.',
    '%',
    '%zz',
    '__proto__',
    '',
  ),
  anyText.map(encodeURIComponent),
);
const path = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constantFrom(
      '/vehicles',
      '/auth/oauth/token',
      '/auth/oauth/jwks',
      '/.well-known/openid-configuration',
      '/vehicles/VEH01/commands/lock-central-lock',
      '/vehicles/VEH01/box-commands/request-system-status',
    ),
  },
  segment.map((id) => `/vehicles/${id}`),
  segment.map((id) => `/vehicles/${id}/commands/unlock-central-lock`),
  fc.array(segment, { maxLength: 6 }).map((parts) => `/${parts.join('/')}`),
);
const parameter = fc.tuple(
  fc.constantFrom(
    'limit',
    'page_token',
    'q',
    'tag',
    'life_status',
    'grant_type',
    'scope',
    '__proto__',
    'constructor',
    '',
  ),
  fc.oneof(fc.constantFrom('1', '0', '-1', '1e9', 'client_credentials', 'NaN'), anyText),
);
const query = fc.oneof(
  fc.constant(''),
  fc
    .array(parameter, { maxLength: 4 })
    .map((pairs) => `?${pairs.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&')}`),
  fc.stringMatching(/^[?&=%+A-Za-z0-9]{0,40}$/).map((text) => `?${text}`),
);
/** What a header may hold at all: the client's library refuses the rest. */
const headerText = fc.stringMatching(/^[ -~]{0,60}$/);
const authorization = fc.oneof(
  { weight: 3, arbitrary: fc.constant('right') },
  fc.constantFrom('', 'Bearer', 'Basic', 'Bearer a.b.c', 'Basic Og==', 'Basic %%%'),
  headerText,
  headerText.map((text) => `Bearer ${text}`),
  fc.string().map((text) => `Basic ${Buffer.from(text).toString('base64')}`),
);
const headers = fc.record(
  {
    'content-type': fc.oneof(
      fc.constantFrom('application/json', 'text/plain', 'application/x-www-form-urlencoded'),
      headerText,
    ),
    'content-encoding': fc.constantFrom('gzip', 'identity', 'x'),
    'content-length': fc.constantFrom('0', '5', '99999999999', '-1', 'many'),
    'x-service-flow-id': headerText,
  },
  { requiredKeys: [] },
);
const body = fc.oneof(
  { weight: 4, arbitrary: fc.constant(undefined) },
  fc.json(),
  anyText,
  fc.uint8Array({ maxLength: 200 }).map((bytes) => Uint8Array.from(bytes)),
  fc.constant(`${'['.repeat(30_000)}${']'.repeat(30_000)}`),
  fc.constant(' '.repeat(65_537)),
);
/** Mostly the one that the path has, so that more than its refusal is met. */
const method = fc.oneof(
  { weight: 4, arbitrary: fc.constant('right') },
  fc.constantFrom('GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'BREW'),
);
const request = fc.record({ method, path, query, headers, authorization, body });
type Made = typeof request extends fc.Arbitrary<infer T> ? T : never;
const rightMethod = (of: string) => (/token|commands\//.test(of) ? 'POST' : 'GET');

/** Requests of every wrong shape, sent to the whole interface in one process. */
describe('the HTTP interface', () => {
  test('answers any request as the contract declares: never with a 500, a stack trace or no answer', async () => {
    const stage = await openTestService();
    await stage.addVehicle();
    const token = await stage.token();
    await fc.assert(
      fc.asyncProperty(request, async (made) => {
        const verb = made.method === 'right' ? rightMethod(made.path) : made.method;
        const hasBody = verb !== 'GET' && verb !== 'HEAD';
        const answer = await stage.ask(verb, made.path + made.query, {
          headers: {
            ...made.headers,
            authorization: made.authorization === 'right' ? `Bearer ${token}` : made.authorization,
          },
          ...(hasBody && made.body !== undefined ? { body: made.body } : {}),
        });
        // Which other statuses an operation may have is checked by the validator of answers.
        expect(answer.status).not.toBe(500);
        expect(answer.headers.get('x-service-flow-id')).toMatch(/^[0-9a-fA-F-]{36}$/);
        expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
        const text = await answer.text();
        expect(text).not.toMatch(/\bat .+:\d+:\d+|node_modules|\.ts\b/);
        if (answer.status < 400 || verb === 'HEAD') return;
        const said: unknown = JSON.parse(text);
        if (
          new URL(`http://x${made.path}`).pathname === '/auth/oauth/token' &&
          [400, 401].includes(answer.status)
        ) {
          expect(said).toMatchObject({ error: expect.any(String), error_description: expect.any(String) });
        } else {
          expect(said).toMatchObject({
            type: expect.stringMatching(/^\/problems\//),
            title: expect.any(String),
            status: answer.status,
            detail: expect.any(String),
            type_documentation: expect.any(String),
            flow_id: answer.headers.get('x-service-flow-id'),
          });
        }
      }),
      {
        numRuns: 400,
        examples: [
          // An empty body is valid with any media type; one that the HTTP library did not know used to be a 500.
          ...['!', 'text/plain', 'application/json;', 'application/json ; charset=utf-8'].map(
            (type): [Made] => [
              {
                method: 'POST',
                path: '/vehicles',
                query: '',
                headers: { 'content-type': type },
                authorization: 'right',
                body: undefined,
              },
            ],
          ),
          // An empty body used to be a stream that could not be read a second time.
          [
            {
              method: 'POST',
              path: '/vehicles',
              query: '',
              headers: {},
              authorization: 'right',
              body: new Uint8Array(0),
            },
          ],
        ],
      },
    );
    expect(stage.complaints.filter((line) => line.level === 'error')).toEqual([]);
  });
});
