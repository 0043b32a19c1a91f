import { describe, expect, test } from 'vitest';
import { limits, vehicleLimits } from '../../../../backend/base/limits.ts';
import { writeState } from '../../../../backend/store/port/state-text.ts';
import {
  BASE_URL,
  CONNECTED_BOX,
  FLEET_ID,
  jsonObjectOf,
  openTestService,
  type TestService,
} from '../../../support/http/test-service.ts';

const boxId = (n: number) => n.toString(16).padStart(16, '0');
const vehicleId = (n: number) => `VEH${String(n).padStart(4, '0')}`;

async function fleetOf(count: number): Promise<{ stage: TestService; token: string }> {
  const stage = await openTestService();
  for (let n = 0; n < count; n += 1) await stage.addVehicle({ id: vehicleId(n), boxId: boxId(n) });
  return { stage, token: await stage.token() };
}

/** The box of a stage reports that often at rest. */
const REPORT_MS = 30 * 60_000;

async function lifeStatusAt(stage: TestService): Promise<unknown> {
  const token = await stage.token();
  return (await jsonObjectOf(await stage.ask('GET', '/vehicles/VEH01', { token })))['life_status'];
}

async function page(stage: TestService, token: string, query = '') {
  const answer = await stage.ask('GET', `/vehicles${query}`, { token });
  expect(answer.status).toBe(200);
  const body = await jsonObjectOf(answer);
  const items = body['items'];
  if (!Array.isArray(items)) throw new Error('there are no items');
  const next = body['next_page_token'];
  return {
    ids: items.map((item: { id: string }) => item.id),
    next: typeof next === 'string' ? next : undefined,
  };
}

describe('GET /vehicles', () => {
  test('gives all vehicles page by page, by id, each once', async () => {
    const { stage, token } = await fleetOf(7);
    const seen: string[] = [];
    let next: string | undefined;
    const sizes: number[] = [];
    do {
      const found = await page(stage, token, `?limit=3${next === undefined ? '' : `&page_token=${next}`}`);
      seen.push(...found.ids);
      sizes.push(found.ids.length);
      next = found.next;
    } while (next !== undefined);
    expect(seen).toEqual([0, 1, 2, 3, 4, 5, 6].map(vehicleId));
    expect(sizes).toEqual([3, 3, 1]);
  });

  test('has no page token on a last page that is exactly full', async () => {
    const { stage, token } = await fleetOf(3);
    expect((await page(stage, token, '?limit=3')).next).toBeUndefined();
  });

  test('continues at the same position while vehicles are added', async () => {
    const { stage, token } = await fleetOf(4);
    const first = await page(stage, token, '?limit=2');
    await stage.addVehicle({ id: 'VEH0000A', boxId: boxId(90) });
    await stage.addVehicle({ id: 'VEH0001A', boxId: boxId(91) });
    const second = await page(stage, token, `?limit=9&page_token=${first.next}`);
    expect(second.ids).toEqual(['VEH0001A', vehicleId(2), vehicleId(3)]);
  });

  test('shows nothing of another fleet', async () => {
    const { stage } = await fleetOf(2);
    const stranger = await stage.token(['vehicles.ro'], 'FLEET2');
    expect((await page(stage, stranger)).ids).toEqual([]);
    const answer = await stage.ask('GET', `/vehicles/${vehicleId(0)}`, { token: stranger });
    expect(answer.status).toBe(404);
    expect(String((await jsonObjectOf(answer))['detail'])).toContain(vehicleId(0));
  });

  test('finds by search and by tag', async () => {
    const { stage, token } = await fleetOf(1);
    await stage.addVehicle({
      id: 'OTHER',
      boxId: boxId(50),
      masterData: { license_plate: 'B-XY 7' },
      tags: ['pool'],
    });
    expect((await page(stage, token, '?q=xy%207')).ids).toEqual(['OTHER']);
    expect((await page(stage, token, '?tag=pool')).ids).toEqual(['OTHER']);
    expect((await page(stage, token, '?tag=none')).ids).toEqual([]);
    expect((await page(stage, token, '?q=')).ids).toHaveLength(2);
  });

  test('filters by life status and pages through the result', async () => {
    const { stage, token } = await fleetOf(6);
    for (const n of [1, 3, 5]) await stage.tell(boxId(n), { connection: { counter: 1, open: false } });
    for (const n of [0, 2, 4]) await stage.tell(boxId(n), { lastContactMs: stage.loop.nowMs });
    const first = await page(stage, token, '?life_status=OFFLINE&limit=2');
    expect(first.ids).toEqual([vehicleId(1), vehicleId(3)]);
    const second = await page(stage, token, `?life_status=OFFLINE&limit=2&page_token=${first.next}`);
    expect(second).toEqual({ ids: [vehicleId(5)], next: undefined });
    expect((await page(stage, token, '?life_status=ONLINE')).ids).toHaveLength(3);
    expect((await page(stage, token, '?operation_status=GARAGE')).ids).toEqual([]);
  });

  test.each([
    ['limit=0', /^limit: must be a whole number/],
    ['limit=-1', /^limit: must be a whole number/],
    ['limit=1.5', /^limit: must be a whole number/],
    ['limit=ten', /^limit: must be a whole number/],
    ['limit=1&limit=2', /^limit: /],
    ['page_token=nonsense', /^page_token: /],
    ['page_token=', /^page_token: /],
    ['life_status=SLEEPING', /^life_status: /],
    ['tag=', /^tag: /],
    [`q=${'x'.repeat(101)}`, /^q: /],
    ['colour=red', /'colour'/],
  ])('?%s is refused with the name of the parameter', async (query, detail) => {
    const { stage, token } = await fleetOf(0);
    const answer = await stage.ask('GET', `/vehicles?${query}`, { token });
    expect(answer.status).toBe(400);
    expect((await jsonObjectOf(answer))['detail']).toMatch(detail);
  });

  test('a limit that is too large is reduced', async () => {
    const { stage, token } = await fleetOf(1);
    expect((await page(stage, token, '?limit=5000')).ids).toHaveLength(1);
  });
});

describe('GET /vehicles/{id}', () => {
  test('gives the vehicle with its latest state', async () => {
    const { stage, token } = await fleetOf(1);
    const atMs = stage.loop.nowMs;
    await stage.tell(boxId(0), {
      lastContactMs: atMs + 999,
      stateText: writeState({
        position: { timestampMs: atMs + 700, value: { lat: 52.5, lon: 13.4 }, epoch: 1, sequence: 2 },
        ignition: { timestampMs: atMs, value: 'ON', epoch: 1, sequence: 1 },
      }),
    });
    const body = await jsonObjectOf(await stage.ask('GET', `/vehicles/${vehicleId(0)}`, { token }));
    expect(body).toEqual({
      id: vehicleId(0),
      fleet_id: FLEET_ID,
      setup_status: 'SUCCEEDED',
      life_status: { value: 'ONLINE', modified_at: '2026-01-05T06:00:00Z' },
      operation_status: { value: 'OPERATING', modified_at: '2026-01-05T06:00:00Z' },
      rental_status: { value: 'NOT_IN_RENTAL', modified_at: '2026-01-05T06:00:00Z' },
      master_data: {
        vin: 'WVWZZZ1JZXW000001',
        license_plate: null,
        brand: expect.any(String),
        model: expect.any(String),
        custom_name: null,
        fuel_type: 'PETROL',
        year_of_production: expect.any(Number),
        transmission: expect.stringMatching(/^(MANUAL|AUTOMATIC)$/),
        vehicle_type: 'CAR',
      },
      custom_fields: {},
      tags: [],
      maintenance_booked: false,
      capabilities: {
        commands: expect.arrayContaining(['BLE_RESET', 'LOCK_CENTRAL_LOCK']),
        vehicle_state: expect.arrayContaining(['POSITION', 'SPEED_IN_KPH']),
      },
      telematics_unit: {
        id: boxId(0),
        brand: 'boxtwin',
        model: 'Box 2',
        hardware_revision: 4,
        firmware_version: '2.30',
        installation_variant: 'OBD',
      },
      last_contact_at: '2026-01-05T06:00:00Z',
      created_at: '2026-01-05T06:00:00Z',
      modified_at: '2026-01-05T06:00:00Z',
      latest_vehicle_state: {
        ignition: { timestamp: '2026-01-05T06:00:00Z', value: 'ON' },
        position: { timestamp: '2026-01-05T06:00:00Z', value: { lat: 52.5, lon: 13.4 } },
      },
    });
  });

  test('a box that has never reported has null fields, and its vehicle is offline', async () => {
    const stage = await openTestService();
    await stage.addVehicle({}, {});
    const token = await stage.token();
    expect(await jsonObjectOf(await stage.ask('GET', '/vehicles/VEH01', { token }))).toMatchObject({
      life_status: { value: 'OFFLINE', modified_at: '2026-01-05T06:00:00Z' },
      telematics_unit: { hardware_revision: null, firmware_version: null },
      last_contact_at: null,
      latest_vehicle_state: {},
    });
  });

  test('a box without a connection is in standby until its report at rest is overdue', async () => {
    const stage = await openTestService();
    const lastContactMs = stage.loop.nowMs;
    await stage.addVehicle({}, { ...CONNECTED_BOX, connection: { counter: 1, open: false }, lastContactMs });
    const overdueMs = lastContactMs + REPORT_MS + vehicleLimits.overdueMs;
    await stage.loop.runUntil(overdueMs);
    expect(await lifeStatusAt(stage)).toEqual({ value: 'STANDBY', modified_at: '2026-01-05T06:00:00Z' });
    await stage.loop.runUntil(overdueMs + 1);
    expect(await lifeStatusAt(stage)).toEqual({ value: 'OFFLINE', modified_at: '2026-01-05T06:40:00Z' });
  });

  test('a box that is configured to report less often is in standby for longer', async () => {
    const stage = await openTestService();
    const lastContactMs = stage.loop.nowMs;
    await stage.addVehicle({}, { ...CONNECTED_BOX, lastContactMs });
    const token = await stage.token(['vehicle-configuration', 'vehicles']);
    stage.box = () => ({ outcome: 'done' });
    stage.configure = () => ({ outcome: 'done' });
    const put = await stage.ask('PUT', '/vehicles/VEH01/telematics-unit/box-settings', {
      token,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ standby_report_interval_in_seconds: 7_200 }),
    });
    expect(put.status).toBe(200);
    await stage.tell('00000000000000a1', { connection: { counter: 1, open: false } });
    await stage.loop.runUntil(lastContactMs + 130 * 60_000);
    expect(await lifeStatusAt(stage)).toMatchObject({ value: 'STANDBY' });
    await stage.loop.runUntil(lastContactMs + 130 * 60_000 + 1_000);
    expect(await lifeStatusAt(stage)).toEqual({ value: 'OFFLINE', modified_at: '2026-01-05T08:10:00Z' });
  });

  test('a box that was online on the shelf makes its vehicle online from the onboarding on', async () => {
    const stage = await openTestService();
    const sinceMs = stage.loop.nowMs;
    const life = { value: 'ONLINE', sinceMs } as const;
    await stage.loop.runUntil(sinceMs + 60_000);
    await stage.addVehicle({ atMs: stage.loop.nowMs }, { ...CONNECTED_BOX, life, lastContactMs: sinceMs });
    expect(await lifeStatusAt(stage)).toEqual({ value: 'ONLINE', modified_at: '2026-01-05T06:01:00Z' });
  });

  test('after a new broker a box is in standby since then, not since its last record', async () => {
    const stage = await openTestService();
    const sinceMs = stage.loop.nowMs;
    const life = { value: 'ONLINE', sinceMs } as const;
    await stage.addVehicle({}, { ...CONNECTED_BOX, life, lastContactMs: sinceMs });
    expect(await lifeStatusAt(stage)).toEqual({ value: 'ONLINE', modified_at: '2026-01-05T06:00:00Z' });
    await stage.loop.runUntil(sinceMs + 10 * 60_000);
    await stage.store.ingest.forgetConnections(stage.loop.nowMs);
    await stage.loop.runUntil(sinceMs + 12 * 60_000);
    expect(await lifeStatusAt(stage)).toEqual({ value: 'STANDBY', modified_at: '2026-01-05T06:10:00Z' });
  });

  test('a box that stops reporting on an open connection is online only until its next report is overdue', async () => {
    const stage = await openTestService();
    const sinceMs = stage.loop.nowMs;
    const life = { value: 'ONLINE', sinceMs } as const;
    await stage.addVehicle({}, { ...CONNECTED_BOX, life, lastContactMs: sinceMs });
    await stage.loop.runUntil(sinceMs + limits.silentMs);
    expect(await lifeStatusAt(stage)).toEqual({ value: 'ONLINE', modified_at: '2026-01-05T06:00:00Z' });
    await stage.loop.runUntil(sinceMs + limits.silentMs + 1);
    expect(await lifeStatusAt(stage)).toEqual({ value: 'STANDBY', modified_at: '2026-01-05T06:35:00Z' });
    await stage.loop.runUntil(sinceMs + REPORT_MS + vehicleLimits.overdueMs + 1);
    expect(await lifeStatusAt(stage)).toEqual({ value: 'OFFLINE', modified_at: '2026-01-05T06:40:00Z' });
  });

  test.each(['x', 'JQ7', 'jq7rp', 'A'.repeat(13), '%00', '..%2F..', '%F0%9F%9A%97', "'%20OR%201=1"])(
    'the id %s is as unknown as any other',
    async (id) => {
      const { stage, token } = await fleetOf(1);
      const answer = await stage.app.request(`${BASE_URL}/vehicles/${id}`, {
        headers: { authorization: `Bearer ${token}` },
      });
      expect(answer.status).toBe(404);
      expect(await jsonObjectOf(answer)).toMatchObject({ type: '/problems/resource-not-found' });
    },
  );
});
