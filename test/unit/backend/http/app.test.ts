import { describe, expect, test } from 'vitest';
import { StoreFailed } from '../../../../backend/store/port/store.ts';
import { LIMITS } from '../../../../contract/limits.ts';
import { jsonObjectOf, openTestService } from '../../../support/http/test-service.ts';

const UUID = '6A0F5A8E-0000-4000-8000-000000000001';
const JSON_TYPE = { 'content-type': 'application/json' };

describe('every answer', () => {
  test.each([
    ['GET', '/vehicles', 200],
    ['GET', '/vehicles/NONE1', 404],
    ['GET', '/nowhere', 404],
    ['PUT', '/vehicles', 405],
    ['POST', '/vehicles/VEH01/commands/lock-central-lock', 504],
  ])('%s %s carries the flow id of its request and the security headers', async (method, path, status) => {
    const stage = await openTestService();
    await stage.addVehicle();
    const token = await stage.token();
    const answer = await stage.ask(method, path, { token, headers: { 'x-service-flow-id': UUID } });
    expect(answer.status).toBe(status);
    expect(answer.headers.get('x-service-flow-id')).toBe(UUID);
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    expect(answer.headers.get('cache-control')).toBe('no-store');
    if (status >= 400) expect((await jsonObjectOf(answer))['flow_id']).toBe(UUID);
  });

  test('has the same headers, whether they are set one by one or at once', async () => {
    const stage = await openTestService();
    await stage.addVehicle();
    const token = await stage.token();
    const whole = await stage.ask('GET', '/vehicles/VEH01', { token });
    const headers = { 'if-none-match': whole.headers.get('etag') ?? '' };
    const unchanged = await stage.ask('GET', '/vehicles/VEH01', { token, headers });
    const missing = await stage.ask('GET', '/vehicles/NONE1', { token });
    expect([whole.status, unchanged.status, missing.status]).toEqual([200, 304, 404]);
    const names = (answer: Response) => [...answer.headers.keys()];
    const ofBody = ['content-type'];
    expect(names(whole)).toEqual([...names(unchanged), ...ofBody].sort());
    expect(names(whole)).toEqual([...names(missing), 'etag'].sort());
  });

  test('has a new flow id unless the request has one that is a UUID', async () => {
    const stage = await openTestService();
    const first = await stage.ask('GET', '/nowhere', { headers: { 'x-service-flow-id': 'me' } });
    const second = await stage.ask('GET', '/nowhere');
    const ids = [first, second].map((answer) => answer.headers.get('x-service-flow-id'));
    expect(ids[0]).toMatch(/^[0-9a-f-]{36}$/);
    expect(ids[0]).not.toBe(ids[1]);
    expect((await jsonObjectOf(first))['flow_id']).toBe(ids[0]);
  });
});

describe('a body of another kind', () => {
  const MULTIPART = 'multipart/form-data; boundary=x';
  test.each([
    [
      'multipart',
      { 'content-type': MULTIPART },
      "The Content-Type of the body is 'multipart/form-data'. Send it as application/json.",
    ],
    ['untyped', {}, 'The body has no Content-Type. Send it as application/json.'],
    [
      'compressed',
      { ...JSON_TYPE, 'content-encoding': 'GZIP' },
      "The body is encoded as 'gzip' (Content-Encoding). Send it without an encoding, as application/json.",
    ],
    [
      'compressed multipart',
      { 'content-type': MULTIPART, 'content-encoding': 'br' },
      "The body is encoded as 'br' (Content-Encoding). Send it without an encoding, as application/json.",
    ],
  ])('is refused with what is wrong with it: %s', async (_, headers, detail) => {
    const stage = await openTestService();
    const body = Uint8Array.of(0x1f, 0x8b);
    const answer = await stage.ask('POST', '/vehicles', { token: await stage.token(), headers, body });
    expect(answer.status).toBe(415);
    expect((await jsonObjectOf(answer))['detail']).toBe(detail);
  });

  test('is refused at the token endpoint with both types that it takes', async () => {
    const stage = await openTestService();
    const headers = { 'content-type': MULTIPART };
    const answer = await stage.ask('POST', '/auth/oauth/token', { headers, body: 'x' });
    expect((await jsonObjectOf(answer))['detail']).toBe(
      "The Content-Type of the body is 'multipart/form-data'. Send it as application/json or application/x-www-form-urlencoded.",
    );
  });
});

describe('paths and methods', () => {
  test('an unknown path is a 404 as application/json, with or without a token', async () => {
    const stage = await openTestService();
    const answer = await stage.ask('POST', '/vehicles/VEH01/commands/fly', { headers: JSON_TYPE });
    expect(answer.status).toBe(404);
    expect(answer.headers.get('content-type')).toBe('application/json');
    expect(await jsonObjectOf(answer)).toMatchObject({ type: '/problems/resource-not-found', status: 404 });
  });

  test('a wrong method is refused with the allowed ones', async () => {
    const stage = await openTestService();
    const answer = await stage.ask('GET', '/vehicles/VEH01/box-commands/ble-reset');
    expect(answer.status).toBe(405);
    expect(answer.headers.get('allow')).toBe('POST');
  });

  test('HEAD is answered like GET, without a body', async () => {
    const stage = await openTestService();
    const answer = await stage.ask('HEAD', '/vehicles', { token: await stage.token() });
    expect(answer.status).toBe(200);
    expect(await answer.text()).toBe('');
  });
});

describe('bodies', () => {
  const path = '/vehicles/VEH01/commands/request-vehicle-state';

  async function statusOf(headers: Record<string, string>, body: string | Uint8Array | undefined) {
    const stage = await openTestService();
    await stage.addVehicle();
    stage.box = () => ({ outcome: 'done' });
    const token = await stage.token();
    const answer = await stage.ask('POST', path, { token, headers, ...(body === undefined ? {} : { body }) });
    return answer.status;
  }

  test.each([
    ['no body and no type', {}, undefined, 200],
    ['no body with the type of JSON', JSON_TYPE, undefined, 200],
    ['an empty text with the type of JSON', JSON_TYPE, '', 200],
    ['an empty body of another type', { 'content-type': 'text/plain' }, '', 200],
    ['an object without properties', { 'content-type': 'Application/JSON; charset=utf-8' }, '{}', 200],
    ['a property', JSON_TYPE, '{"a":1}', 400],
    ['text', { 'content-type': 'text/plain' }, '{}', 415],
    ['a form', { 'content-type': 'application/x-www-form-urlencoded' }, 'a=1', 415],
    ['an encoded body', { ...JSON_TYPE, 'content-encoding': 'gzip' }, '{}', 415],
    ['JSON at the limit', JSON_TYPE, `{}${' '.repeat(LIMITS.request.bodyBytes - 2)}`, 200],
    ['JSON over the limit', JSON_TYPE, `{}${' '.repeat(LIMITS.request.bodyBytes - 1)}`, 413],
    ['text over the limit', { 'content-type': 'text/plain' }, ' '.repeat(LIMITS.request.bodyBytes + 1), 415],
  ])('%s', async (_name, headers, body, status) => {
    expect(await statusOf(headers, body)).toBe(status);
  });

  test.each(['', '!', 'text/plain', 'application/x-www-form-urlencoded', 'application/json;', undefined])(
    'a missing body is a 400 where one is needed, whatever its media type: %j',
    async (type) => {
      const stage = await openTestService();
      await stage.addVehicle();
      const token = await stage.token();
      const headers: Record<string, string> = type === undefined ? {} : { 'content-type': type };
      for (const [method, at] of [
        ['POST', '/vehicles'],
        ['PATCH', '/vehicles/VEH01'],
        ['PUT', '/vehicles/VEH01/sharing'],
      ] as const) {
        for (const sent of [{}, { body: '' }, { peer: { hasBody: false } }]) {
          const answer = await stage.ask(method, at, { token, headers, ...sent });
          expect(answer.status).toBe(400);
          expect(await jsonObjectOf(answer)).toMatchObject({
            detail: 'The body must be JSON, in UTF-8, and not empty.',
          });
        }
      }
    },
  );

  test.each(['application/json;', 'application/json ; charset=utf-8', 'Application/JSON;charset="utf-8"'])(
    'JSON is taken as %j, too',
    async (type) => {
      const stage = await openTestService();
      await stage.addVehicle();
      const token = await stage.token();
      const answer = await stage.ask('PATCH', '/vehicles/VEH01', {
        token,
        headers: { 'content-type': type },
        body: '{"tags":["a"]}',
      });
      expect(await jsonObjectOf(answer)).toMatchObject({ tags: ['a'] });
    },
  );

  test('a body without a length is read up to the limit only', async () => {
    const stage = await openTestService();
    let pulled = 0;
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        pulled += 1;
        controller.enqueue(new Uint8Array(16_384).fill(0x20));
      },
    });
    const init = { method: 'POST', body: endless, duplex: 'half', headers: JSON_TYPE } as const;
    const answer = await stage.app.request(path, init);
    expect(answer.status).toBe(413);
    expect(pulled).toBeLessThan(10);
  });

  test('a body that ends early is not a failure of the service', async () => {
    const stage = await openTestService();
    const broken = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.error(new Error('the sender is gone')),
    });
    const init = { method: 'POST', body: broken, duplex: 'half', headers: JSON_TYPE } as const;
    expect((await stage.app.request(path, init)).status).toBe(400);
  });
});

describe('a failure of the service', () => {
  test('is a 500 without internals, and is reported to the operator with the flow id', async () => {
    const stage = await openTestService();
    const token = await stage.token();
    stage.store.vehicles.list = () => Promise.reject(new StoreFailed('disk I/O error at /secret/place'));
    const answer = await stage.ask('GET', '/vehicles', { token, headers: { 'x-service-flow-id': UUID } });
    expect(answer.status).toBe(500);
    expect(answer.headers.get('content-type')).toBe('application/problem+json');
    const text = await answer.text();
    const detail = 'The database of the service does not answer or refuses. Give the flow_id to support.';
    expect(JSON.parse(text)).toMatchObject({
      type: '/problems/internal-server-error',
      flow_id: UUID,
      detail,
    });
    expect(text).not.toMatch(/secret|StoreFailed|\.ts/);
    expect(stage.complaints).toEqual([
      expect.objectContaining({ level: 'error', fields: expect.objectContaining({ flowId: UUID }) }),
    ]);
  });

  test('behind which something may have been committed says that it is not known', async () => {
    const stage = await openTestService();
    const token = await stage.token();
    stage.store.vehicles.find = () => Promise.reject(new StoreFailed('gone'));
    const path = '/vehicles/VEH01/commands/request-vehicle-state';
    const answer = await stage.ask('POST', path, { token });
    expect(answer.status).toBe(500);
    expect(await answer.json()).toMatchObject({
      detail:
        'The database of the service does not answer or refuses: what was asked for may have been done. Give the flow_id to support.',
    });
  });
});
