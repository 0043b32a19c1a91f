import { describe, expect, test } from 'vitest';
import { limits } from '../../../../console/limits.ts';
import { compareVehicle } from '../../../../console/server/comparison.ts';
import { makeStatusReader, metricSums } from '../../../../console/server/health-reading.ts';
import type { ActionCatalogue, AnsweredCall } from '../../../../console/stream/actions.ts';
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
      clientId: 'console',
      clientSecret: 'secret',
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
      name: 'ignition',
      truth: 'ON',
      service: 'ON',
      toldAt: timestamp,
    });
  });

  test('shows what the box saw last beside what is so', () => {
    const belief = { power: 'up', seen: { ignitionOn: false } };
    const rows = compareVehicle({
      model: 'petrol-compact',
      truth: { atMs: 0, ignitionOn: true },
      belief,
      state: undefined,
      stored: new Map(),
      maintenance: false,
    });
    expect(rows.find(({ name }) => name === 'ignition')).toMatchObject({ truth: 'ON', box: 'OFF' });
  });

  test('says so where there is no service', async () => {
    const stage = consoleStage();
    const answer = await stage.asPage(`/console/vehicles/${stage.first.plan.boxId}`);
    const picture = (await answer.json()) as VehiclePicture;
    expect(picture.serviceSilence).toBe('This fleet runs without a service.');
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
    const catalogue = (await (await asPage('/console/actions')).json()) as ActionCatalogue;
    expect(catalogue.acts.map(({ name }) => name)).toContain('coverage');
    expect(catalogue.commands).toEqual([
      { method: 'POST', path, summary: 'Unlocks.', group: 'Commands' },
      {
        method: 'PUT',
        path: '/vehicles/{id}/sharing',
        summary: 'Shares.',
        group: '',
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
      status: 409,
      body: { detail: 'Not now.' },
      curl: `curl -s -X PUT -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' -d '{"note":"it'\\''s"}' 'http://127.0.0.1:8080/vehicles/V/sharing'`,
    });
    expect(service.calls).toEqual([`PUT /vehicles/V/sharing Bearer a-token {"note":"it's"}`]);
  });

  test('a call whose id has a malformed % goes to the service, which refuses it', async () => {
    const path = '/vehicles/%E0%A4%A/commands/unlock-central-lock';
    const service = fakeService({});
    const { asPage } = consoleStage({ service: service.source });
    const answer = await asPage('/console/calls', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ method: 'POST', path }),
    });
    expect(answer.status).toBe(200);
    expect((await answer.json()) as AnsweredCall).toMatchObject({ status: 404 });
  });

  test('a malformed % in an id of a path is an id that nobody has', async () => {
    const { asPage } = consoleStage();
    const post = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' };
    expect((await asPage('/console/vehicles/%E0%A4%A')).status).toBe(404);
    expect((await asPage('/console/vehicles/%E0%A4%A/wire')).status).toBe(404);
    expect((await asPage('/console/vehicles/%E0%A4%A/acts/coverage', post)).status).toBe(404);
    expect((await asPage('/console/zones/%E0%A4%A/remove', post)).status).toBe(404);
    expect((await asPage('/console/faults/%E0%A4%A/remove', post)).status).toBe(404);
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

describe('who answers', () => {
  const statusOf = async (stage: ReturnType<typeof consoleStage>): Promise<unknown> => {
    const asked = stage.asPage('/console/status');
    // A service that hangs is given up after a while.
    for (let passed = 0; passed <= limits.statusMs; passed += 500) {
      await new Promise((resolve) => setImmediate(resolve));
      await stage.loop.runUntil(stage.loop.nowMs + 500);
    }
    return (await asked).json();
  };
  const refused = Object.assign(new TypeError('fetch failed'), { cause: { code: 'ECONNREFUSED' } });

  test.each([
    ['answers', async () => Response.json({ status: 'ok' }), {}],
    ['is not well, and says so', async () => Response.json({}, { status: 404 }), {}],
    [
      'is not there',
      () => Promise.reject(refused),
      { serviceSilence: 'The service does not answer: ECONNREFUSED.' },
    ],
    [
      'has a proxy before it, and is not there',
      async () => new Response('', { status: 502 }),
      { serviceSilence: 'The service does not answer: 502.' },
    ],
    [
      'hangs',
      () => new Promise<Response>(() => undefined),
      { serviceSilence: 'The service does not answer: nothing within 3 s.' },
    ],
  ])('a service that %s', async (_what, fetch, told) => {
    const service = { ...fakeService({}).source, fetch };
    expect(await statusOf(consoleStage({ service }))).toEqual(told);
  });

  test('a service is found again after a request that has hung, which is ended', async () => {
    const signals: AbortSignal[] = [];
    const service = {
      ...fakeService({}).source,
      fetch: ({ signal }: Request) => {
        signals.push(signal);
        // A connection that is dead stays dead, as after a network partition.
        return signals.length === 1 ? new Promise<Response>(() => undefined) : Response.json({});
      },
    };
    const stage = consoleStage({ service });
    expect(await statusOf(stage)).toHaveProperty('serviceSilence');
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
    expect(await statusOf(stage)).toEqual({});
  });

  test('a simulator is found again after a request that has hung, which is ended', async () => {
    const signals: AbortSignal[] = [];
    const stage = consoleStage();
    const status = makeStatusReader(
      stage.time,
      {
        control: ({ signal }) => {
          signals.push(signal);
          return signals.length === 1 ? new Promise<Response>(() => undefined) : Response.json({});
        },
      },
      undefined,
    );
    const asked = status();
    await stage.loop.runUntil(stage.loop.nowMs + limits.statusMs);
    expect(await asked).toEqual({ simulatorSilence: 'The simulator does not answer: nothing within 3 s.' });
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
    expect(await status()).toEqual({});
  });

  test('without a service nobody is missed', async () => {
    expect(await statusOf(consoleStage())).toEqual({});
  });

  test('a call that is cut off says that it may have been carried out', async () => {
    const service = {
      ...fakeService({}).source,
      fetch: async (request: Request) => {
        if (request.url.includes('/auth/')) return Response.json({ access_token: 'a-token' });
        throw refused;
      },
    };
    const answer = await consoleStage({ service }).asPage('/console/calls', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ method: 'POST', path: '/vehicles/V/commands/unlock-central-lock' }),
    });
    expect(answer.status).toBe(500);
    expect(((await answer.json()) as { readonly detail: string }).detail).toContain('ECONNREFUSED');
  });
});

test('the answer of a simulator in another process is passed on, though its headers are immutable', async () => {
  // As what fetch answers: of a data: URL without a socket.
  const fetched = await fetch('data:application/json,{"preset":"none"}');
  expect(() => fetched.headers.set('x', 'y')).toThrow('immutable');
  const { asPage } = consoleStage({ before: () => fetched });
  const answer = await asPage('/console/weather');
  expect([answer.status, await answer.json()]).toEqual([200, { preset: 'none' }]);
  expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
});

test('figures of the service are summed over their labels, and what is no sample is passed over', () => {
  const text = '# TYPE a counter\na{x="1"} 2\na{x="2 }"} 3\nb 4.5\nc NaN\nrubbish\n';
  expect([...metricSums(text)]).toEqual([
    ['a', 5],
    ['b', 4.5],
  ]);
});
