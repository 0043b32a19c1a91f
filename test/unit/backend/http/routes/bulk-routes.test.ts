import { describe, expect, test } from 'vitest';
import { LIMITS } from '../../../../../contract/limits.ts';
import { jsonObjectOf, openTestService } from '../../../../support/http/test-service.ts';

const PATH = '/configure-vehicle-telematics-unit-bulk';
const HOUR_MS = 3_600_000;
const JSON_TYPE = { 'content-type': 'application/json' };
const ids = (count: number) => Array.from({ length: count }, (_, index) => ({ id: `V${10_000 + index}` }));
const TRACKING = { tracking: {} };

/** A service with one vehicle and no job yet, of one test alone, and a client that may configure. */
async function openService(bulkCreated?: () => void) {
  const stage = await openTestService(bulkCreated === undefined ? {} : { bulkCreated });
  await stage.addVehicle();
  const token = await stage.token(['vehicle-configuration']);
  const post = (body: unknown, as = token) =>
    stage.ask('POST', PATH, { token: as, headers: JSON_TYPE, body: JSON.stringify(body) });
  const get = (path: string, as = token) => stage.ask('GET', path, { token: as });
  const created = async (body: unknown): Promise<{ readonly id: string; readonly path: string }> => {
    const answer = await post(body);
    expect(answer.status).toBe(201);
    const { id } = await jsonObjectOf(answer);
    return { id: String(id), path: `${PATH}/${String(id)}` };
  };
  return { stage, token, post, get, created };
}

describe('POST of a bulk configuration', () => {
  test('is 429 for a fleet whose unfinished jobs reach its limit, until one is completed', async () => {
    const { stage, post } = await openService();
    const { fleetJobs: jobs, fleetVehicles: vehicles } = LIMITS.bulk;
    const job = { fleetId: 'FULL1', flowId: 'f', vehicleIds: ['A'], features: { tracking: null } };
    const times = { createdMs: stage.loop.nowMs, expiresMs: stage.loop.nowMs + HOUR_MS };
    // Each of another vehicle: a later job overtakes an earlier one's.
    for (let index = 0; index < jobs; index += 1)
      await stage.store.bulk.create(
        { ...job, ...times, id: `FULL-${index}`, vehicleIds: [`A${index}`] },
        { jobs, vehicles },
      );
    const full = await stage.token(['vehicle-configuration'], 'FULL1');
    const answer = await post({ items: ids(1), feature_configuration: TRACKING }, full);
    expect(answer.status).toBe(429);
    expect(answer.headers.get('retry-after')).toBe('60');
    expect(await jsonObjectOf(answer)).toMatchObject({ detail: expect.stringContaining('1000 jobs') });
    const leased = await stage.store.bulk.lease({ nowMs: stage.loop.nowMs, leaseMs: 1, limit: 1 });
    await stage.store.bulk.finish(
      leased.map((workItem) => ({ ...workItem, outcome: 'applied' as const })),
      stage.loop.nowMs,
    );
    expect((await post({ items: ids(1), feature_configuration: TRACKING }, full)).status).toBe(201);
  });

  test('answers 201 with the job, pending, and where it can be read', async () => {
    const { post } = await openService();
    const answer = await post({ items: [{ id: 'VEH01' }, { id: 'NONE1' }], feature_configuration: TRACKING });
    expect(answer.status).toBe(201);
    const body = await jsonObjectOf(answer);
    expect(body).toMatchObject({
      status: 'PENDING',
      counts: { total: 2, pending: 2, applied: 0, failed: 0 },
    });
    expect(Object.keys(body)).toEqual(['id', 'status', 'created_at', 'expires_at', 'counts']);
    expect(body['id']).toMatch(/^[0-9A-HJKMNP-TV-Z]{26}$/);
    expect(answer.headers.get('location')).toMatch(new RegExp(`^http://[^/]+${PATH}/${String(body['id'])}$`));
    expect(Date.parse(String(body['expires_at'])) - Date.parse(String(body['created_at']))).toBe(
      12 * HOUR_MS,
    );
  });

  test('is begun at once: the worker is told of the job, and not of what was refused', async () => {
    let told = 0;
    const { post, created } = await openService(() => {
      told += 1;
    });
    await post({ items: [], feature_configuration: TRACKING });
    expect(told).toBe(0);
    await created({ items: ids(1), feature_configuration: TRACKING });
    expect(told).toBe(1);
  });

  test('is in the document with a body that is required, by its name', async () => {
    const { stage } = await openService();
    const { paths } = (await jsonObjectOf(await stage.ask('GET', '/openapi.json'))) as {
      readonly paths: Readonly<Record<string, { readonly post?: { readonly requestBody: unknown } }>>;
    };
    expect(paths[PATH]?.post?.requestBody).toMatchObject({
      required: true,
      content: { 'application/json': { schema: { $ref: '#/components/schemas/BulkRequest' } } },
    });
  });

  test('stores the features completely: with defaults, and null for disabled ones', async () => {
    const { stage, created } = await openService();
    const { id } = await created({
      items: [{ id: 'VEH01' }],
      feature_configuration: {
        tracking: { time_interval_in_seconds: 5 },
        parking_events: null,
        box_settings: {},
      },
    });
    expect((await stage.store.bulk.find(id))?.features).toEqual({
      tracking: {
        time_interval_in_seconds: 5,
        distance_interval_in_meters: 1000,
        heading_change_threshold_in_degrees: 60,
      },
      'parking-events': null,
      'box-settings': {
        standby_report_interval_in_seconds: 1800,
        ble_enabled: true,
        obd_alarm: { enabled: false },
      },
    });
  });

  test.each([
    ['no body', '', 'The body must be JSON'],
    ['no object', '[]', 'must be an object'],
    ['null', 'null', 'The body must be an object'],
    ['a number', '1', 'The body must be an object'],
    ['no items', { feature_configuration: TRACKING }, 'items: must name 1 to 10000'],
    [
      'an item that is no object',
      { items: ['A'], feature_configuration: TRACKING },
      'items.0: must be an object',
    ],
    [
      'features that are no object',
      { items: ids(1), feature_configuration: [] },
      'must be an object of features',
    ],
    [
      'a group that is no object',
      { items: ids(1), feature_configuration: { box_settings: { obd_alarm: 1 } } },
      'feature_configuration.box_settings.obd_alarm: must be an object',
    ],
    ['an empty list', { items: [], feature_configuration: TRACKING }, 'items: must name 1 to 10000'],
    [
      'one vehicle too many',
      { items: ids(10_001), feature_configuration: TRACKING },
      'items: must name 1 to 10000',
    ],
    [
      'a vehicle twice',
      { items: [...ids(2), ...ids(1)], feature_configuration: TRACKING },
      'items.2.id: is named twice',
    ],
    ['an item without an id', { items: [{}], feature_configuration: TRACKING }, 'items.0.id'],
    [
      'an item with more',
      { items: [{ id: 'A', x: 1 }], feature_configuration: TRACKING },
      'no such property',
    ],
    ['no features', { items: ids(1) }, 'feature_configuration'],
    ['no feature', { items: ids(1), feature_configuration: {} }, 'must name at least one feature'],
    ['an unknown feature', { items: ids(1), feature_configuration: { teleport: {} } }, 'no such property'],
    ['kebab-case', { items: ids(1), feature_configuration: { 'parking-events': {} } }, 'no such property'],
    [
      'an unknown parameter',
      { items: ids(1), feature_configuration: { tracking: { x: 1 } } },
      'no such property',
    ],
    [
      'a value out of its range',
      { items: ids(1), feature_configuration: { tracking: { time_interval_in_seconds: 0 } } },
      'feature_configuration.tracking.time_interval_in_seconds: must be a whole number from 1 to 3600',
    ],
    ['more beside it', { items: ids(1), feature_configuration: TRACKING, x: 1 }, 'no such property'],
  ])('is refused with %s, and no job is made', async (_name, body, detail) => {
    const { stage, token, post } = await openService();
    const nextMs = await stage.store.bulk.nextDueMs();
    const answer =
      typeof body === 'string'
        ? await stage.ask('POST', PATH, { token, headers: JSON_TYPE, body })
        : await post(body);
    expect(answer.status).toBe(400);
    expect(await jsonObjectOf(answer)).toMatchObject({
      type: '/problems/validation-error',
      detail: expect.stringContaining(detail),
    });
    expect(await stage.store.bulk.nextDueMs()).toBe(nextMs);
  });

  test('may have 2 MiB, while other paths accept 64 KiB', async () => {
    const { stage, token } = await openService();
    const padded = (bytes: number) => ({
      token,
      headers: JSON_TYPE,
      body: JSON.stringify({ items: [{ id: 'VEH01' }], feature_configuration: TRACKING }).padEnd(bytes),
    });
    expect((await stage.ask('POST', PATH, padded(LIMITS.bulk.bodyBytes))).status).toBe(201);
    expect((await stage.ask('POST', PATH, padded(LIMITS.bulk.bodyBytes + 1))).status).toBe(413);
    expect((await stage.ask('POST', '/vehicles/VEH01/commands/draw-attention', padded(65_537))).status).toBe(
      413,
    );
  });

  test('accepts 10,000 vehicles, even if it overtakes as many', async () => {
    const { get, created } = await openService();
    for (let round = 0; round < 3; round += 1) {
      const { path } = await created({ items: ids(10_000), feature_configuration: TRACKING });
      expect(await jsonObjectOf(await get(path))).toMatchObject({
        counts: { total: 10_000, pending: 10_000 },
      });
    }
  });

  test('gives every text its own row, whatever it contains', async () => {
    const { get, created } = await openService();
    const odd = [
      '',
      ' ',
      'a\u0000b',
      '\ud800',
      '\udfff',
      '"',
      "'; --",
      '\u{1f600}',
      '__proto__',
      'x'.repeat(10_000),
    ];
    const { path } = await created({ items: odd.map((id) => ({ id })), feature_configuration: TRACKING });
    const body = await jsonObjectOf(await get(path));
    expect(body).toMatchObject({ counts: { total: odd.length } });
    expect((body['items'] as unknown[]).length).toBe(odd.length);
  });

  test('needs the permission to configure', async () => {
    const { stage, post } = await openService();
    const reader = await stage.token(['vehicle-configuration.ro']);
    const answer = await post({ items: ids(1), feature_configuration: TRACKING }, reader);
    expect(answer.status).toBe(403);
  });
});

describe('GET of a bulk job', () => {
  test('shows its vehicles page by page in the order of the request, however many a page holds', async () => {
    const { get, created } = await openService();
    const count = 7;
    const { path } = await created({ items: ids(count), feature_configuration: TRACKING });
    for (let limit = 1; limit <= count + 1; limit += 1) {
      const pages: string[][] = [];
      let next: unknown;
      do {
        const token = next === undefined ? '' : `&page_token=${String(next)}`;
        const body = await jsonObjectOf(await get(`${path}?limit=${limit}${token}`));
        pages.push((body['items'] as { readonly id: string }[]).map((item) => item.id));
        next = body['next_page_token'];
      } while (next !== undefined);
      expect(pages.flat()).toEqual(ids(count).map(({ id }) => id));
      expect(pages.length).toBe(Math.ceil(count / limit));
    }
  });

  test('pages on behind the tenth vehicle', async () => {
    const { get, created } = await openService();
    const { path } = await created({ items: ids(13), feature_configuration: TRACKING });
    const first = await jsonObjectOf(await get(`${path}?limit=12`));
    const next = await jsonObjectOf(
      await get(`${path}?limit=12&page_token=${String(first['next_page_token'])}`),
    );
    expect(next['items']).toEqual([{ id: 'V10012', status: 'PENDING', attempts: 0 }]);
  });

  test('shows a vehicle that was not tried yet without a reason and a time', async () => {
    const { get, created } = await openService();
    const { path } = await created({ items: ids(1), feature_configuration: TRACKING });
    expect(await jsonObjectOf(await get(path))).toMatchObject({ status: 'PENDING' });
    expect((await jsonObjectOf(await get(path)))['items']).toEqual([
      { id: 'V10000', status: 'PENDING', attempts: 0 },
    ]);
  });

  test('gives the result of each vehicle', async () => {
    const { stage, get, created } = await openService();
    const { id, path } = await created({ items: ids(3), feature_configuration: TRACKING });
    const nowMs = stage.loop.nowMs;
    const taken = await stage.store.bulk.lease({ nowMs, leaseMs: 1000, limit: 100_000 });
    const errand = (position: number) => {
      const found = taken.find((one) => one.jobId === id && one.position === position);
      if (found === undefined) throw new Error('not leased');
      return { jobId: id, position, attempt: found.attempt };
    };
    expect(await jsonObjectOf(await get(path))).toMatchObject({ status: 'RUNNING' });
    const reason = { problem: 'resource-not-found', detail: 'There is none.' } as const;
    await stage.store.bulk.finish(
      [
        { ...errand(0), outcome: 'applied' },
        { ...errand(1), outcome: 'failed', reason },
      ],
      nowMs,
    );
    const body = await jsonObjectOf(await get(path));
    expect(body).toMatchObject({ counts: { total: 3, pending: 1, applied: 1, failed: 1 } });
    const at = `${new Date(nowMs).toISOString().slice(0, 19)}Z`;
    expect(body['items']).toEqual([
      { id: 'V10000', status: 'APPLIED', attempts: 1, last_attempt_at: at },
      {
        id: 'V10001',
        status: 'FAILED',
        reason: {
          type: '/problems/resource-not-found',
          title: 'The resource cannot be found.',
          detail: 'There is none.',
        },
        attempts: 1,
        last_attempt_at: at,
      },
      { id: 'V10002', status: 'PENDING', attempts: 1, last_attempt_at: at },
    ]);
    await stage.store.bulk.finish([{ ...errand(2), outcome: 'applied' }], nowMs);
    expect(await jsonObjectOf(await get(path))).toMatchObject({ status: 'COMPLETED' });
  });

  test("is 404 for another fleet's job, an unknown one, and one older than 7 days", async () => {
    const { stage, get, created } = await openService();
    const { path } = await created({ items: ids(1), feature_configuration: TRACKING });
    const other = await stage.token(['vehicle-configuration.ro'], 'FLEET2');
    expect((await get(path, other)).status).toBe(404);
    expect((await get(`${PATH}/01ARZ3NDEKTSV4RRFFQ69G5FAV`)).status).toBe(404);
    expect((await get(path)).status).toBe(200);
    const old = { fleetId: 'FLEET1', flowId: 'f', vehicleIds: ['A'], features: { tracking: null } };
    const createdMs = stage.loop.nowMs - LIMITS.bulk.keptMs;
    const room = { jobs: 10, vehicles: 10 };
    await stage.store.bulk.create(
      { ...old, id: 'OLD', createdMs, expiresMs: createdMs + 12 * HOUR_MS },
      room,
    );
    expect((await get(`${PATH}/OLD`)).status).toBe(404);
  });

  test.each([
    ['limit=0', 'limit: must be a whole number from 1 to 1000.'],
    ['limit=x', 'limit: must be a whole number from 1 to 1000.'],
    ['limit=5x', 'limit: must be a whole number from 1 to 1000.'],
    ['limit=x5', 'limit: must be a whole number from 1 to 1000.'],
    ['page_token=nonsense', 'page_token: must be one that this service returned.'],
    ['page_token=MTpWRUgwMQ', 'page_token: must be one that this service returned.'],
    ['x=1', 'there is no such parameter'],
  ])('is refused with %s', async (query, detail) => {
    const { get, created } = await openService();
    const { path } = await created({ items: ids(1), feature_configuration: TRACKING });
    const answer = await get(`${path}?${query}`);
    expect(answer.status).toBe(400);
    expect(await jsonObjectOf(answer)).toMatchObject({ detail: expect.stringContaining(detail) });
  });
});
