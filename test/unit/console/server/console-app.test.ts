import { describe, expect, test } from 'vitest';
import { compareVehicle } from '../../../../console/server/comparison.ts';
import { metricSums } from '../../../../console/server/health-reading.ts';
import type { AnsweredCall, Workbench } from '../../../../console/stream/console-facts.ts';
import type { PropertyRow, VehiclePicture } from '../../../../console/stream/vehicle-picture.ts';
import { fieldBytes } from '../../../../protocol/codec/field-bytes.ts';
import { encodeFrame } from '../../../../protocol/codec/frame.ts';
import { consoleStage } from '../../../support/console/console-stage.ts';

/** A service that signs in everybody and answers by this table: `GET /vehicles/x` → status and body. */
function fakeService(answers: Readonly<Record<string, readonly [number, unknown]>>) {
  const calls: string[] = [];
  return {
    calls,
    source: {
      baseUrl: 'http://127.0.0.1:8080',
      ...{ clientId: 'console', clientSecret: 'secret' },
      fetch: async (request: Request) => {
        const { pathname } = new URL(request.url);
        if (pathname === '/auth/oauth/token') return Response.json({ access_token: 'a-token' });
        const call = `${request.method} ${pathname}`;
        calls.push(`${call} ${request.headers.get('authorization')} ${await request.text()}`.trim());
        const [status, body] = answers[call] ?? [404, { detail: 'There is no such thing.' }];
        return Response.json(body, { status });
      },
    },
  };
}

const rowNamed = (picture: VehiclePicture, name: string): PropertyRow => {
  const row = picture.properties.find((one) => one.name === name);
  if (row === undefined) throw new Error(`There is no row ${name}.`);
  return row;
};

describe('a vehicle on the console', () => {
  async function pictureWith(state: unknown): Promise<VehiclePicture> {
    const { vehicleId, boxId } = consoleStage().first.plan;
    const service = fakeService({ [`GET /vehicles/${vehicleId}`]: [200, { latest_vehicle_state: state }] });
    const answer = await consoleStage({ service: service.source }).asPage(`/console/vehicles/${boxId}`);
    return (await answer.json()) as VehiclePicture;
  }

  test('stands with truth and service side by side, and no cause where both agree', async () => {
    const timestamp = '2026-01-05T08:00:00Z';
    const picture = await pictureWith({ ignition: { timestamp, value: 'ON' } });
    expect(rowNamed(picture, 'ignition')).toEqual({
      ...{ name: 'ignition', truth: 'ON', service: 'ON', toldAt: timestamp },
    });
  });

  const journal = { held: 3, awaitingReceipt: 0 };
  test.each([
    ['not sent yet', { power: 'up', session: 'ready', journal: { held: 0 } }, {}],
    ['in the journal', { power: 'up', session: 'offline', journal }, {}],
    ['in the journal', { power: 'up', session: 'ready', journal }, {}],
    ['under way', { power: 'up', session: 'ready', journal: { held: 3, awaitingReceipt: 2 } }, {}],
    ['box off', { power: 'off', session: 'offline', journal }, {}],
    ['sensor failed', { power: 'up', session: 'ready', journal }, { ignitionOn: 'failed' }],
  ])('has the cause of a difference: %s', (cause, belief, sensors) => {
    const truth = { atMs: 0, ignitionOn: true, sensors };
    const state = { ignition: { timestamp: '2026-01-05T08:00:00Z', value: 'OFF' } };
    const rows = compareVehicle({ model: 'petrol-compact', truth, belief, state });
    expect(rows.find(({ name }) => name === 'ignition')?.cause).toBe(cause);
  });

  test('shows what the box saw last beside what is so', () => {
    const belief = { power: 'up', seen: { ignitionOn: false } };
    const rows = compareVehicle({
      ...{ model: 'petrol-compact', truth: { atMs: 0, ignitionOn: true }, belief, state: undefined },
    });
    expect(rows.find(({ name }) => name === 'ignition')).toMatchObject({ truth: 'ON', box: 'OFF' });
  });

  test('says so where there is no service', async () => {
    const stage = consoleStage();
    const answer = await stage.asPage(`/console/vehicles/${stage.first.plan.boxId}`);
    const picture = (await answer.json()) as VehiclePicture;
    expect(picture.serviceSilence).toBe('There is no service beside this fleet.');
    expect(rowNamed(picture, 'ignition')).toMatchObject({ truth: 'ON' });
    expect(
      picture.properties.every(({ service, cause }) => service === undefined && cause === undefined),
    ).toBe(true);
  });

  test('that is none is the refusal of the simulator', async () => {
    const answer = await consoleStage().asPage('/console/vehicles/nobody');
    expect(answer.status).toBe(404);
    expect(await answer.text()).toContain('nobody');
  });
});

test('the bytes of a frame are told field by field, and of what is no frame there are none', async () => {
  const frame = { generation: 2, epoch: 1, boot: 1, sequence: 7, clockMs: 0 } as const;
  const signals = { modem: { csq: 17, network: 26_201 } };
  const bytes = encodeFrame({ ...frame, message: { kind: 'report', cause: 'time', signals } });
  const { asPage } = consoleStage();
  const told = await asPage(`/console/frame-bytes/${Buffer.from(bytes).toString('hex')}`);
  expect(await told.json()).toEqual(
    fieldBytes({ frame: { ...frame, message: { kind: 'report', cause: 'time', signals } } }).map(
      (range) => range ?? null,
    ),
  );
  expect(await (await asPage('/console/frame-bytes/00ff')).json()).toEqual([]);
});

describe('doing', () => {
  test('is offered by the tables: every act of the simulator, every operation of the document on a vehicle', async () => {
    const path = '/vehicles/{id}/commands/unlock-central-lock';
    const document = {
      paths: {
        [path]: { post: { summary: 'Unlocks.', tags: ['Commands'] } },
        '/vehicles/{id}/sharing': {
          put: {
            summary: 'Shares.',
            requestBody: { content: { 'application/json': { example: { partner_fleet_id: 'P' } } } },
          },
        },
        '/vehicles': { get: {} },
        '/vehicles-of-others/{id}': { get: {} },
      },
    };
    const service = fakeService({ 'GET /openapi.json': [200, document] });
    const { asPage } = consoleStage({ service: service.source });
    const bench = (await (await asPage('/console/workbench')).json()) as Workbench;
    expect(bench.acts.map(({ name }) => name)).toContain('coverage');
    expect(bench.commands).toEqual([
      { method: 'POST', path, summary: 'Unlocks.', group: 'Commands' },
      {
        ...{ method: 'PUT', path: '/vehicles/{id}/sharing', summary: 'Shares.', group: '' },
        example: { partner_fleet_id: 'P' },
      },
    ]);
  });

  test('a call comes back with status, body and the same call for a shell', async () => {
    const service = fakeService({ 'PUT /vehicles/V/sharing': [409, { detail: 'Not now.' }] });
    const { asPage } = consoleStage({ service: service.source });
    const answer = await asPage('/console/calls', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ method: 'PUT', path: '/vehicles/V/sharing', body: { note: "it's" } }),
    });
    expect((await answer.json()) as AnsweredCall).toMatchObject({
      ...{ status: 409, body: { detail: 'Not now.' } },
      curl: `curl -s -X PUT -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' -d '{"note":"it'\\''s"}' 'http://127.0.0.1:8080/vehicles/V/sharing'`,
    });
    expect(service.calls).toEqual([`PUT /vehicles/V/sharing Bearer a-token {"note":"it's"}`]);
  });

  test('a bulk job of ten thousand vehicles goes through', async () => {
    const path = '/configure-vehicle-telematics-unit-bulk';
    const service = fakeService({ [`POST ${path}`]: [201, { id: 'JOB' }] });
    const { asPage } = consoleStage({ service: service.source });
    const items = Array.from({ length: 10_000 }, (_, index) => ({ id: `V${index}` }));
    const answer = await asPage('/console/calls', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ method: 'POST', path, body: { items } }),
    });
    expect((await answer.json()) as AnsweredCall).toMatchObject({ status: 201, body: { id: 'JOB' } });
  });

  test.each([
    { method: 'GET', path: '/auth/oauth/token' },
    { method: 'GET', path: 'http://elsewhere.example/vehicles' },
    { method: 'GET', path: '//elsewhere.example/vehicles' },
    { method: 'TRACE', path: '/vehicles' },
    { path: '/vehicles' },
    'text',
  ])('a call that is none of the API is refused: %j', async (call) => {
    const service = fakeService({});
    const { asPage } = consoleStage({ service: service.source });
    const answer = await asPage('/console/calls', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(call),
    });
    expect(answer.status).toBe(400);
    expect(service.calls).toEqual([]);
  });
});

test('figures of the service are summed over their labels, and what is no sample is passed over', () => {
  const text = '# TYPE a counter\na{x="1"} 2\na{x="2 }"} 3\nb 4.5\nc NaN\nrubbish\n';
  expect([...metricSums(text)]).toEqual([
    ['a', 5],
    ['b', 4.5],
  ]);
});
