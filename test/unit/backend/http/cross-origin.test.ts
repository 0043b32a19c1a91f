import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { originFault } from '../../../../backend/http/cross-origin.ts';
import { StoreFailed } from '../../../../backend/store/port/store.ts';
import { referenceAssets } from '../../../../deployment/service/demo-service-settings.ts';
import { openTestService, type TestService } from '../../../support/http/test-service.ts';

const ORIGIN = 'http://localhost:3000';
const ALLOWED = [ORIGIN, 'https://app.test'];
const READ = [
  'ETag',
  'Location',
  'Retry-After',
  'X-Rate-Limit-Limit',
  'X-Rate-Limit-Remaining',
  'X-Rate-Limit-Reset',
  'X-Service-Flow-ID',
].join(',');
const PREFLIGHT = {
  'access-control-request-method': 'PATCH',
  'access-control-request-headers': 'authorization,if-match,content-type',
};

let stage: TestService;
beforeEach(async () => {
  const reference = referenceAssets();
  stage = await openTestService({
    corsOrigins: ALLOWED,
    requestsPerMinute: 3,
    ...(reference === undefined ? {} : { reference }),
  });
});

const told = (answer: Response) =>
  Object.fromEntries([...answer.headers].filter(([name]) => name.startsWith('access-control-')));
const OPEN = { 'access-control-allow-origin': ORIGIN, 'access-control-expose-headers': READ };

describe('a page of an allowed origin', () => {
  test('may read every answer: data, documents, tokens, refusals and failures', async () => {
    await stage.addVehicle();
    const [token, other] = [await stage.token(), await stage.token()];
    const JSON_TYPE = { 'content-type': 'application/json' };
    const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
    const calls = [
      [200, 'GET', '/vehicles', { token }],
      [404, 'GET', '/vehicles/NONE1', { token }],
      [200, 'GET', '/vehicles/VEH01', { token }],
      [429, 'GET', '/vehicles', { token }],
      [400, 'GET', '/vehicles?limit=none', { token: other }],
      [401, 'GET', '/vehicles', {}],
      [401, 'GET', '/vehicles', { token: 'guess' }],
      [404, 'GET', '/nowhere', {}],
      [405, 'PUT', '/vehicles', {}],
      [415, 'POST', '/vehicles', { headers: { 'content-type': 'text/plain' }, body: 'x' }],
      [413, 'POST', '/vehicles', { headers: JSON_TYPE, body: ' '.repeat(100_000) }],
      [200, 'GET', '/.well-known/openid-configuration', {}],
      [200, 'GET', '/auth/oauth/jwks', {}],
      [400, 'POST', '/auth/oauth/token', { headers: FORM, body: 'grant_type=password&client_id=x' }],
      [401, 'POST', '/auth/oauth/token?grant_type=client_credentials', {}],
      [401, 'POST', '/auth/oauth/revoke', { headers: FORM, body: 'token=x&client_id=nobody' }],
      [200, 'GET', '/openapi.json', {}],
      [200, 'GET', '/', {}],
    ] as const;
    for (const [status, method, path, init] of calls) {
      const headers = { ...('headers' in init ? init.headers : {}), origin: ORIGIN };
      const answer = await stage.ask(method, path, { ...init, headers });
      expect([answer.status, told(answer)], `${method} ${path}`).toEqual([status, OPEN]);
      expect(answer.headers.get('vary')).toBe('Origin');
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    }
    stage.store.vehicles.list = () => Promise.reject(new StoreFailed('gone'));
    const failed = await stage.ask('GET', '/vehicles', { token: other, headers: { origin: ORIGIN } });
    expect([failed.status, told(failed)]).toEqual([500, OPEN]);
  });

  test('gets a preflight answer with its permissions, without a token, on every path', async () => {
    for (const path of ['/vehicles', '/vehicles/VEH01', '/nowhere', '/auth/oauth/token'])
      for (const origin of ALLOWED) {
        const answer = await stage.ask('OPTIONS', path, { headers: { origin, ...PREFLIGHT } });
        expect(answer.status).toBe(204);
        expect(told(answer)).toEqual({
          'access-control-allow-origin': origin,
          'access-control-expose-headers': READ,
          'access-control-allow-methods': 'GET,HEAD,POST,PUT,PATCH,DELETE',
          'access-control-allow-headers':
            'Authorization,Content-Type,If-Match,If-None-Match,X-Service-Flow-ID,X-Requested-With',
          'access-control-max-age': '600',
        });
        expect(answer.headers.get('vary')).toContain('Origin');
        expect(answer.headers.has('x-service-flow-id')).toBe(true);
      }
  });

  test('gets no permission for resources that are not for other programs', async () => {
    for (const path of ['/auth/oauth/authorize', '/docs', '/docs/begin.js', '/docs/oauth2-redirect.html']) {
      expect(told(await stage.ask('GET', path, { headers: { origin: ORIGIN } })), path).toEqual({});
      const preflight = await stage.ask('OPTIONS', path, { headers: { origin: ORIGIN, ...PREFLIGHT } });
      expect([preflight.status, told(preflight)], path).toEqual([405, {}]);
    }
  });
});

describe('a page of any other origin', () => {
  test.each([
    'http://localhost:3001',
    'https://localhost:3000',
    'http://localhost:3000.evil.test',
    'http://evil.test',
    'http://app.test',
    'https://sub.app.test',
    'HTTP://LOCALHOST:3000',
    'null',
    '*',
    '',
  ])('is told nothing, and asks in vain beforehand (%j)', async (origin) => {
    const token = await stage.token();
    const answer = await stage.ask('GET', '/vehicles', { token, headers: { origin } });
    expect([answer.status, told(answer), answer.headers.get('vary')]).toEqual([200, {}, 'Origin']);
    const preflight = await stage.ask('OPTIONS', '/vehicles', { headers: { origin, ...PREFLIGHT } });
    expect([preflight.status, told(preflight)]).toEqual([405, {}]);
  });

  test('is any origin if none is allowed', async () => {
    const closed = await openTestService();
    const token = await closed.token();
    for (const method of ['GET', 'OPTIONS']) {
      const answer = await closed.ask(method, '/vehicles', {
        token,
        headers: { origin: ORIGIN, ...(method === 'GET' ? {} : PREFLIGHT) },
      });
      expect([answer.status, told(answer), answer.headers.get('vary')]).toEqual([
        method === 'GET' ? 200 : 405,
        {},
        null,
      ]);
    }
  });
});

test('OPTIONS without a preflight header is a method that is not allowed', async () => {
  const answer = await stage.ask('OPTIONS', '/vehicles', { headers: { origin: ORIGIN } });
  expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD, POST']);
});

test('an origin is valid exactly if a browser would send it', () => {
  fc.assert(
    fc.property(fc.webUrl({ validSchemes: ['http', 'https'] }), (url) => {
      const { origin } = new URL(url);
      expect(originFault(origin)).toBeUndefined();
      expect(originFault(`${origin}/`)).toContain(origin);
      if (url !== origin) expect(originFault(url)).toContain(origin);
    }),
  );
  fc.assert(
    fc.property(fc.string(), (text) => {
      if (originFault(text) === undefined) expect(new URL(text).origin).toBe(text);
    }),
  );
});
