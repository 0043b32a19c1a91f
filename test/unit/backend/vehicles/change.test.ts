import { beforeEach, describe, expect, test } from 'vitest';
import { writeState } from '../../../../backend/store/port/state-text.ts';
import {
  answersOf,
  boxId,
  onboarded,
  openThreeFleets,
  PARTNER_FLEET_ID,
  type ThreeFleets,
} from '../../../support/backend/three-fleets.ts';

let fleets: ThreeFleets;
let path: string;
beforeEach(async () => {
  fleets = await openThreeFleets();
  const id = await onboarded(fleets.owner, boxId(1), {
    master_data: { vin: 'WVWZZZ1JZXW000002', custom_name: 'Blue one' },
    custom_fields: { a: '1', b: '2' },
    tags: ['pool', 'berlin'],
  });
  path = `/vehicles/${id}`;
});

const etag = async () => (await fleets.owner.send('GET', path)).headers.get('etag') ?? '';

describe('PATCH /vehicles/{id}', () => {
  test('sets named fields, removes null ones, replaces tags, and leaves all others', async () => {
    const { owner } = fleets;
    const answer = await owner.send('PATCH', path, {
      master_data: { license_plate: 'B-XY 9', custom_name: null },
      custom_fields: { a: null, c: '3' },
      tags: ['spare'],
    });
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({
      master_data: { vin: 'WVWZZZ1JZXW000002', license_plate: 'B-XY 9', custom_name: null },
      custom_fields: { b: '2', c: '3' },
      tags: ['spare'],
    });
    expect((await owner.send('GET', path)).body).toEqual(answer.body);
    expect((await owner.send('GET', '/vehicles?q=xy%209&tag=spare')).body['items']).toHaveLength(1);
    expect((await owner.send('GET', '/vehicles?q=blue')).body['items']).toEqual([]);
  });

  test('a value of the vehicle overrides that of the model, which applies again once it is removed', async () => {
    const { owner } = fleets;
    const mine = await owner.send('PATCH', path, { master_data: { brand: 'Own', year_of_production: 1999 } });
    expect(mine.body['master_data']).toMatchObject({ brand: 'Own', year_of_production: 1999 });
    const back = await owner.send('PATCH', path, { master_data: { brand: null, year_of_production: null } });
    const data = back.body['master_data'] as Record<string, unknown>;
    expect(data['brand']).not.toBe('Own');
    expect(data['brand']).not.toBeNull();
    expect(data['year_of_production']).not.toBeNull();
  });

  test('a status has the time of its last change; the filter finds it', async () => {
    const { stage, owner } = fleets;
    await stage.loop.runUntil(stage.loop.nowMs + 1_800_000);
    const answer = await owner.send('PATCH', path, {
      operation_status: { value: 'GARAGE' },
      rental_status: { value: 'NOT_IN_RENTAL' },
    });
    expect(answer.body).toMatchObject({
      operation_status: { value: 'GARAGE', modified_at: '2026-01-05T06:30:00Z' },
      rental_status: { value: 'NOT_IN_RENTAL', modified_at: '2026-01-05T06:00:00Z' },
      modified_at: '2026-01-05T06:30:00Z',
    });
    expect((await owner.send('GET', '/vehicles?operation_status=GARAGE')).body['items']).toHaveLength(1);
    expect((await owner.send('GET', '/vehicles?operation_status=OPERATING')).body['items']).toEqual([]);
  });

  test('maintenance capabilities exist only while they are booked', async () => {
    const { owner } = fleets;
    const states = (answer: { body: Record<string, unknown> }) =>
      (answer.body['capabilities'] as { vehicle_state: string[] }).vehicle_state;
    const before = await owner.send('GET', path);
    expect(before.body).toMatchObject({ maintenance_booked: false });
    const booked = await owner.send('PATCH', path, { maintenance_booked: true });
    expect(booked.body).toMatchObject({ maintenance_booked: true });
    const added = states(booked).filter((name) => !states(before).includes(name));
    expect(added).toContain('DIAGNOSTIC_TROUBLE_CODES');
    expect(states(booked)).toEqual([...states(before), ...added].sort((a, b) => (a < b ? -1 : 1)));
    expect((await owner.send('GET', path)).body).toEqual(booked.body);
    const ended = await owner.send('PATCH', path, { maintenance_booked: false });
    expect(states(ended)).toEqual(states(before));
  });

  test.each([
    [{ maintenance_booked: 'yes' }, /^maintenance_booked: /],
    [{ maintenance_booked: null }, /^maintenance_booked: /],
    [{ master_data: { vin: 'WVWZZZ1JZXW00000I' } }, /^master_data\.vin: /],
    [{ master_data: { vin: 'WVWZZZ1JZXW00001' } }, /^master_data\.vin: /],
    [{ master_data: { vin: 'wvwzzz1jzxw000001' } }, /^master_data\.vin: /],
    [{ master_data: { year_of_production: 1899 } }, /^master_data\.year_of_production: /],
    [{ master_data: { year_of_production: 2020.5 } }, /^master_data\.year_of_production: /],
    [{ master_data: { year_of_production: '2020' } }, /^master_data\.year_of_production: /],
    [{ master_data: { fuel_type: 'STEAM' } }, /^master_data\.fuel_type: /],
    [{ master_data: { transmission: 'manual' } }, /^master_data\.transmission: /],
    [{ master_data: { vehicle_type: 'BOAT' } }, /^master_data\.vehicle_type: /],
    [{ master_data: { license_plate: '' } }, /^master_data\.license_plate: /],
    [{ master_data: { license_plate: 'X'.repeat(21) } }, /^master_data\.license_plate: /],
    [{ master_data: { custom_name: 'a\nb' } }, /^master_data\.custom_name: /],
    [{ master_data: null }, /^master_data: /],
    [{ custom_fields: { 'no space': 'x' } }, /^custom_fields/],
    [{ custom_fields: { a: 1 } }, /^custom_fields\.a: /],
    [{ custom_fields: { a: 'x'.repeat(257) } }, /^custom_fields\.a: /],
    [{ tags: ['a', 'a'] }, /^tags: /],
    [{ tags: [''] }, /^tags\.0: /],
    [{ tags: Array.from({ length: 51 }, (_, index) => `t${index}`) }, /^tags: /],
    [{ tags: null }, /^tags: /],
    [{ operation_status: 'GARAGE' }, /^operation_status: /],
    [{ operation_status: { value: 'PARKED' } }, /^operation_status\.value: /],
    [{ rental_status: { value: 'IN_RENTAL', modified_at: '2026-01-05T06:00:00Z' } }, /'modified_at'/],
    [{ id: 'OTHER' }, /'id'/],
    [{ setup_status: 'SUCCEEDED' }, /'setup_status'/],
  ])('%j is refused with the property and the rule, and changes nothing', async (body, detail) => {
    const before = await fleets.owner.send('GET', path);
    const answer = await fleets.owner.send('PATCH', path, body);
    expect(answer).toMatchObject({ status: 400, body: { type: '/problems/validation-error' } });
    expect(answer.body['detail']).toMatch(detail);
    const after = await fleets.owner.send('GET', path);
    expect(after.body).toEqual(before.body);
    expect(after.headers.get('etag')).toBe(before.headers.get('etag'));
  });
});

describe('the ETag of a vehicle', () => {
  test('changes with everything in the answer, and with nothing else', async () => {
    const { stage, owner } = fleets;
    const first = await etag();
    expect(first).toMatch(/^"1\.[0-9a-f]{16}"$/);
    expect(await etag()).toBe(first);
    await owner.send('PATCH', path, {});
    expect(await etag()).toBe(first);
    const epoch = { epoch: 1, sequence: 1, timestampMs: stage.loop.nowMs };
    await stage.tell(boxId(1), { stateText: writeState({ ignition: { ...epoch, value: 'ON' } }) });
    const reported = await etag();
    expect(reported).not.toBe(first);
    await owner.send('PATCH', path, { tags: ['x'] });
    const second = await etag();
    expect(second).toMatch(/^"2\./);
    await owner.send('PUT', `${path}/sharing`, { partner_fleet_id: PARTNER_FLEET_ID });
    expect(await etag()).toMatch(/^"3\./);
    // The partner sees less of it.
    const seen = await fleets.partner.send('GET', path);
    expect(seen.headers.get('etag')).not.toBe(await etag());
  });

  test('from before a report of the box or a step of its setup is right for If-Match', async () => {
    const { stage, owner } = fleets;
    const first = await etag();
    await stage.tell(boxId(1), { lastContactMs: stage.loop.nowMs, connection: { counter: 4, open: true } });
    const nowMs = stage.loop.nowMs;
    const setups = await stage.store.setup.due({ nowMs, limit: 10 });
    for (const setup of setups) await stage.store.setup.begin(setup, nowMs + 1, nowMs);
    const id = path.split('/').at(-1) ?? '';
    expect(await stage.store.vehicles.find(id)).toMatchObject({ setupStatus: 'RUNNING' });
    expect(await etag()).not.toBe(first);
    expect((await owner.send('PATCH', path, { tags: ['a'] }, { 'if-match': first })).status).toBe(200);
    expect((await owner.send('PATCH', path, { tags: ['b'] }, { 'if-match': first })).status).toBe(412);
    expect((await owner.send('PATCH', path, { tags: ['b'] }, { 'if-match': '"2"' })).status).toBe(200);
  });

  test('in If-None-Match saves the answer until something in it changes', async () => {
    const { stage, owner } = fleets;
    const tag = await etag();
    for (const header of [tag, `W/${tag}`, `"x", ${tag}`, '*']) {
      const again = await owner.send('GET', path, undefined, { 'if-none-match': header });
      expect([again.status, again.headers.get('etag')], header).toEqual([304, tag]);
      expect(again.headers.get('x-rate-limit-limit')).not.toBeNull();
    }
    for (const header of ['"1"', '"x"', 'abc', ''])
      expect((await owner.send('GET', path, undefined, { 'if-none-match': header })).status, header).toBe(
        200,
      );
    const epoch = { epoch: 1, sequence: 1, timestampMs: stage.loop.nowMs };
    await stage.tell(boxId(1), { stateText: writeState({ ignition: { ...epoch, value: 'ON' } }) });
    const answer = await owner.send('GET', path, undefined, { 'if-none-match': tag });
    expect(answer).toMatchObject({
      status: 200,
      body: { latest_vehicle_state: { ignition: { value: 'ON' } } },
    });
  });

  test.each([
    ['its own', (tag: string) => tag, 200],
    ['any', () => '*', 200],
    ['a list with it', (tag: string) => `"x", W/"y" ,${tag}`, 200],
    ['another', () => '"0"', 412],
    ['a list without it', () => '"0", "x,y"', 412],
    ['its own as a weak one', (tag: string) => `W/${tag}`, 412],
    ['no tag', () => 'abc', 400],
    ['half a tag', () => '"abc', 400],
    ['an empty list', () => ',', 400],
  ])('If-Match with %s: PATCH and DELETE', async (_name, header, status) => {
    const { owner } = fleets;
    const ifMatch = { 'if-match': header(await etag()) };
    const patched = await owner.send('PATCH', path, { tags: ['new'] }, ifMatch);
    expect(patched.status).toBe(status);
    if (status === 412) expect(patched.body['type']).toBe('/problems/resource-modified');
    const again = { 'if-match': header(await etag()) };
    const removed = await owner.send('DELETE', path, undefined, again);
    expect(removed.status).toBe(status === 200 ? 204 : status);
    expect((await owner.send('GET', path)).status).toBe(status === 200 ? 404 : 200);
  });

  test('of two concurrent changes of one version one succeeds, and the other is refused', async () => {
    const { stage, owner } = fleets;
    const ifMatch = { 'if-match': await etag() };
    const answers = await answersOf(stage, [
      owner.start('PATCH', path, { tags: ['one'] }, ifMatch),
      owner.start('PATCH', path, { tags: ['two'] }, ifMatch),
    ]);
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 412]);
    const winner = answers.find((answer) => answer.status === 200);
    expect((await owner.send('GET', path)).body['tags']).toEqual(winner?.body['tags']);
  });

  test('without If-Match no concurrent change is lost', async () => {
    const { stage, owner } = fleets;
    const fields = ['k', 'l', 'm', 'n'];
    const answers = await answersOf(
      stage,
      fields.map((name) => owner.start('PATCH', path, { custom_fields: { [name]: 'x' } })),
    );
    expect(answers.map((answer) => answer.status)).toEqual([200, 200, 200, 200]);
    const { body } = await owner.send('GET', path);
    expect(new Set(Object.keys(body['custom_fields'] as object))).toEqual(new Set(['a', 'b', ...fields]));
  });
});

describe('DELETE /vehicles/{id}', () => {
  test('is refused while the vehicle is shared', async () => {
    const { owner } = fleets;
    await owner.send('PUT', `${path}/sharing`, { partner_fleet_id: PARTNER_FLEET_ID });
    const refused = await owner.send('DELETE', path);
    expect(refused).toMatchObject({ status: 409, body: { type: '/problems/conflicting-resource' } });
    await owner.send('DELETE', `${path}/sharing`);
    expect((await owner.send('DELETE', path)).status).toBe(204);
  });

  test('accepts no body', async () => {
    expect((await fleets.owner.send('DELETE', path, { sure: true })).status).toBe(400);
  });
});
