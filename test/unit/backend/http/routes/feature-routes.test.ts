import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Feature } from '../../../../../backend/configuration/features.ts';
import { FEATURES } from '../../../../../backend/configuration/features.ts';
import type { BoxChange } from '../../../../../backend/store/port/ingest-store.ts';
import type { NewVehicle } from '../../../../../backend/store/port/vehicle-store.ts';
import type { ReplyOutcome } from '../../../../../protocol/commands.ts';
import {
  anyFeatureExample,
  anyWrongBody,
  defaultsOf,
  EXPECTED_FEATURES,
} from '../../../../support/backend/any-feature-body.ts';
import {
  BOX_ID,
  CONNECTED_BOX,
  configurationIn,
  FLEET_ID,
  jsonObjectOf,
  openTestService,
  type TestService,
} from '../../../../support/http/test-service.ts';
import { linkMakerVehicle } from '../../../../support/store/store-rows.ts';

const CONFIGURING = ['vehicle-configuration', 'vehicle-commands'];
const PARTNER = 'FLEET2';
/** On the diagnostic port, with everything that a box can have. */
const WHOLE = { ...CONNECTED_BOX, hardwareRevision: 6 } as const;

let stage: TestService;
let token: string;
beforeEach(async () => {
  stage = await openTestService();
  stage.box = () => ({ outcome: 'done' });
  token = await stage.token(CONFIGURING);
});

const base = '/vehicles/VEH01/telematics-unit';
const TRACKING = `${base}/feature-configuration/tracking`;
const DAMAGE = `${base}/feature-configuration/damage-detection`;
const SMOKE = `${base}/feature-configuration/smoke-detection`;
const SETTINGS = `${base}/box-settings`;
const pathOf = (feature: Feature) => feature.path.replace('{id}', 'VEH01');

function ask(method: string, path: string, body?: unknown, bearer = token) {
  const headers = { 'content-type': 'application/json' };
  const text = body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) };
  return stage.ask(method, path, { token: bearer, headers, ...text });
}

async function shown(path: string): Promise<unknown> {
  const answer = await ask('GET', path);
  expect(answer.status).toBe(200);
  return answer.json();
}

async function expectRefused(answer: Response, status: number, problem: string): Promise<string> {
  const body = await jsonObjectOf(answer);
  expect([answer.status, body['type']]).toEqual([status, `/problems/${problem}`]);
  return String(body['detail']);
}

/** What the box was sent last. */
function lastSettings(): Record<string, number> {
  const sent = stage.sent.at(-1);
  const settings = (sent === undefined ? undefined : configurationIn(sent.bytes))?.settings ?? [];
  return Object.fromEntries(settings.map(({ name, value }) => [name, value]));
}

describe('a feature', () => {
  test('is inactive until it is put', async () => {
    await stage.addVehicle({}, WHOLE);
    for (const feature of FEATURES) expect(await shown(pathOf(feature))).toEqual({ status: 'INACTIVE' });
  });

  test('is shown as it was put, with its defaults, and is inactive once deleted', async () => {
    await stage.addVehicle({}, WHOLE);
    await fc.assert(
      fc.asyncProperty(anyFeatureExample, async ({ feature, example }) => {
        const path = pathOf(feature);
        const put = await ask('PUT', path, example.given);
        const inForce = await put.json();
        expect([put.status, inForce]).toEqual([
          200,
          {
            status: feature.calibrates ? 'ACTIVATING' : 'ACTIVE',
            parameters: example.filled,
            modified_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
          },
        ]);
        expect(await shown(path)).toEqual(inForce);
        expect((await ask('DELETE', path)).status).toBe(204);
        expect(await shown(path)).toEqual({ status: 'INACTIVE' });
      }),
      { numRuns: 40 },
    );
  });

  test.each(['', '{}'])('is put with its defaults by the body "%s"', async (body) => {
    await stage.addVehicle({}, WHOLE);
    for (const feature of FEATURES) {
      const answer = await ask('PUT', pathOf(feature), body);
      expect(await jsonObjectOf(answer)).toMatchObject({
        parameters: defaultsOf(EXPECTED_FEATURES[feature.name] ?? {}),
      });
    }
  });

  test('is replaced by another PUT, not patched', async () => {
    await stage.addVehicle();
    await ask('PUT', TRACKING, { time_interval_in_seconds: 5, distance_interval_in_meters: 50 });
    await ask('PUT', TRACKING, { time_interval_in_seconds: 7 });
    expect(await shown(TRACKING)).toMatchObject({
      parameters: { time_interval_in_seconds: 7, distance_interval_in_meters: 1000 },
    });
  });

  test('with a wrong body is a 400 that names the property, and changes nothing', async () => {
    await stage.addVehicle({}, WHOLE);
    const wrong = fc
      .constantFrom(...FEATURES)
      .chain((feature) =>
        anyWrongBody(EXPECTED_FEATURES[feature.name] ?? {}).map((body) => ({ feature, ...body })),
      );
    await fc.assert(
      fc.asyncProperty(wrong, async ({ feature, given, named }) => {
        const answer = await ask('PUT', pathOf(feature), given);
        expect(await expectRefused(answer, 400, 'validation-error')).toContain(named);
        expect(await shown(pathOf(feature))).toEqual({ status: 'INACTIVE' });
        expect(stage.sent).toEqual([]);
      }),
      { numRuns: 60 },
    );
  });

  test('is sent to the box with all settings in force, with an increasing revision', async () => {
    await stage.addVehicle();
    await ask('PUT', TRACKING, { time_interval_in_seconds: 5 });
    await ask('PUT', SETTINGS, { ble_enabled: false });
    expect(lastSettings()).toMatchObject({
      'tracking.enabled': 1,
      'tracking.timeIntervalS': 5,
      'box.bleEnabled': 0,
    });
    await ask('DELETE', TRACKING);
    expect(lastSettings()).not.toHaveProperty('tracking.enabled');
    expect(lastSettings()).toMatchObject({ 'box.bleEnabled': 0 });
    const revisions = stage.sent.map(({ bytes }) => configurationIn(bytes)?.revision ?? 0);
    expect(revisions).toEqual([...new Set(revisions)].sort((one, other) => one - other));
    expect(await shown(SETTINGS)).toMatchObject({ status: 'ACTIVE' });
  });

  test('is deleted with 204 if it is inactive, and the request is still sent to the box', async () => {
    await stage.addVehicle();
    expect((await ask('DELETE', TRACKING)).status).toBe(204);
    expect(stage.sent).toHaveLength(1);
  });
});

describe('damage detection', () => {
  const calibrated = (sequence: number) =>
    stage.store.ingest.commit({
      boxes: [],
      records: [],
      replies: [],
      messages: [],
      quarantine: [],
      calibrations: [{ boxId: BOX_ID, key: { epoch: 1, sequence } }],
    });

  test('is ACTIVATING until the box reports that it is calibrated, and cannot be put meanwhile', async () => {
    await stage.addVehicle();
    await ask('PUT', DAMAGE, {});
    await expectRefused(await ask('PUT', DAMAGE, {}), 409, 'conflicting-operation');
    expect((await ask('PUT', TRACKING)).status).toBe(200);
    expect(await shown(DAMAGE)).toMatchObject({ status: 'ACTIVATING' });
    await calibrated(9);
    expect(await shown(DAMAGE)).toMatchObject({ status: 'ACTIVE' });
    expect((await ask('PUT', TRACKING)).status).toBe(200);
    expect(await shown(DAMAGE)).toMatchObject({ status: 'ACTIVE' });
  });

  test('can be deleted while it is ACTIVATING', async () => {
    await stage.addVehicle();
    await ask('PUT', DAMAGE, {});
    expect((await ask('DELETE', DAMAGE)).status).toBe(204);
    expect(await shown(DAMAGE)).toEqual({ status: 'INACTIVE' });
  });
});

interface Cause {
  readonly vehicle?: Partial<NewVehicle>;
  readonly box?: Omit<BoxChange, 'boxId' | 'version'>;
  readonly path?: string;
  readonly body?: unknown;
}

/** In the order in which they win. */
const CAUSES: readonly (Cause & {
  readonly name: string;
  readonly status: number;
  readonly problem: string;
})[] = [
  {
    name: 'a vehicle whose setup is under way',
    vehicle: { setupStatus: 'RUNNING' },
    status: 409,
    problem: 'vehicle/conflicting-setup-status',
  },
  {
    name: 'smoke detection without the sensor',
    path: SMOKE,
    status: 409,
    problem: 'incompatible-telematics-unit-model',
  },
  {
    name: 'damage detection in a box of generation 1',
    vehicle: { generation: 1 },
    box: { ...CONNECTED_BOX, hardwareRevision: 3 },
    path: DAMAGE,
    status: 409,
    problem: 'incompatible-telematics-unit-model',
  },
  {
    name: 'the alarm on unplugging in a box that is wired in',
    vehicle: { model: 'electric-hatchback' },
    path: SETTINGS,
    body: { obd_alarm: { enabled: true } },
    status: 409,
    problem: 'incompatible-installation-variant',
  },
  {
    name: 'a box that is starting',
    box: { ...CONNECTED_BOX, notReadyUntilMs: Number.MAX_SAFE_INTEGER },
    status: 409,
    problem: 'conflicting-resource',
  },
  {
    name: 'a box without a connection',
    box: { ...CONNECTED_BOX, connection: { counter: 1, open: false } },
    status: 504,
    problem: 'vehicle/no-connection',
  },
];

describe('a configuration is refused for', () => {
  test.each(CAUSES)('$name', async ({ vehicle, box, path, body, status, problem }) => {
    await stage.addVehicle(vehicle, box ?? CONNECTED_BOX);
    await expectRefused(await ask('PUT', path ?? TRACKING, body ?? {}), status, problem);
    expect(stage.sent).toEqual([]);
    expect(await shown(path ?? TRACKING)).toEqual({ status: 'INACTIVE' });
  });

  const pairs = CAUSES.flatMap((first, index) =>
    CAUSES.slice(index + 1)
      .filter((second) => canMeet(first, second))
      .map((second) => ({ first, second, names: `${first.name} before ${second.name}` })),
  );

  test.each(pairs)('$names', async ({ first, second }) => {
    const box = { ...CONNECTED_BOX, ...first.box, ...second.box };
    await stage.addVehicle({ ...first.vehicle, ...second.vehicle }, box);
    const answer = await ask('PUT', first.path ?? second.path ?? TRACKING, first.body ?? second.body ?? {});
    await expectRefused(answer, first.status, first.problem);
  });

  test('another open command of the vehicle, but not for a later one', async () => {
    await stage.addVehicle();
    const { nowMs } = stage.loop;
    await stage.store.commands.open({
      requestId: '01ARZ3NDEKTSV4RRFFQ69G5FAV',
      vehicleId: 'VEH01',
      boxId: BOX_ID,
      flowId: 'flow',
      command: 'modem-reset',
      openedMs: nowMs,
      expiresMs: nowMs + 1_000,
    });
    await expectRefused(await ask('PUT', TRACKING), 409, 'conflicting-operation');
    await stage.loop.runUntil(nowMs + 2_000);
    expect((await ask('PUT', TRACKING)).status).toBe(200);
  });

  test('a partner, who sees the vehicle but not its configuration; the owner may', async () => {
    await stage.addVehicle();
    const partner = await stage.token(CONFIGURING, PARTNER);
    await expectRefused(await ask('PUT', TRACKING, {}, partner), 404, 'resource-not-found');
    const unseen = await expectRefused(
      await ask('GET', TRACKING, undefined, partner),
      404,
      'resource-not-found',
    );
    await stage.store.vehicles.change('VEH01', { sharedWith: PARTNER }, undefined, 1);
    await expectRefused(await ask('PUT', TRACKING, {}, partner), 409, 'vehicle/shared-with-partner');
    await expectRefused(
      await ask('DELETE', TRACKING, undefined, partner),
      409,
      'vehicle/shared-with-partner',
    );
    const seen = await ask('GET', TRACKING, undefined, partner);
    const detail = await expectRefused(seen, 404, 'resource-not-found');
    expect(detail).toContain('owner');
    expect(detail).not.toBe(unseen);
    expect((await ask('PUT', TRACKING)).status).toBe(200);
  });

  test('a vehicle without a box', async () => {
    await stage.store.access.saveFleet({ id: FLEET_ID, name: FLEET_ID });
    await linkMakerVehicle(stage.store.vehicles, {
      id: 'VEH01',
      fleetId: FLEET_ID,
      telematics: { maker: { name: 'northwind', vehicleId: 'car-1' } },
      model: 'petrol-compact',
      setupStatus: 'SUCCEEDED',
      masterData: {},
      customFields: {},
      tags: [],
      atMs: 1,
    });
    const refused = await expectRefused(await ask('PUT', TRACKING), 409, 'vehicle/command-not-supported');
    expect(refused).toContain('telematics unit');
    await expectRefused(await ask('DELETE', TRACKING), 409, 'vehicle/command-not-supported');
    expect(await expectRefused(await ask('GET', TRACKING), 404, 'resource-not-found')).not.toContain('owner');
  });

  test('a DELETE with a body, which changes nothing', async () => {
    await stage.addVehicle();
    await ask('PUT', TRACKING);
    await expectRefused(await ask('DELETE', TRACKING, { a: 1 }), 400, 'validation-error');
    expect(await shown(TRACKING)).toMatchObject({ status: 'ACTIVE' });
  });

  test('a client that may only read', async () => {
    await stage.addVehicle();
    const reader = await stage.token(['vehicle-configuration.ro']);
    expect((await ask('GET', TRACKING, undefined, reader)).status).toBe(200);
    await expectRefused(await ask('PUT', TRACKING, {}, reader), 403, 'forbidden-resource');
    await expectRefused(await ask('DELETE', TRACKING, undefined, reader), 403, 'forbidden-resource');
  });
});

describe('until its box is set up in it', () => {
  test.each(['PENDING', 'RUNNING', 'FAILED'] as const)(
    'a vehicle that is %s shows nothing of what the box had in its last one',
    async (setupStatus) => {
      await stage.addVehicle();
      expect((await ask('PUT', TRACKING, {})).status).toBe(200);
      await stage.addVehicle({ setupStatus });
      expect(await shown(TRACKING)).toEqual({ status: 'INACTIVE' });
    },
  );
});

describe('the reply of the box', () => {
  const SAID: readonly {
    readonly outcome: ReplyOutcome;
    readonly status: number;
    readonly problem: string;
  }[] = [
    { outcome: 'expired', status: 504, problem: 'vehicle/no-connection' },
    // Every box can track: what says otherwise is out of order.
    { outcome: 'unsupported', status: 500, problem: 'telematics-unit/error' },
    { outcome: 'conflicting-state', status: 409, problem: 'conflicting-operation' },
    { outcome: 'not-ready', status: 409, problem: 'conflicting-resource' },
    { outcome: 'failed', status: 500, problem: 'telematics-unit/error' },
  ];

  test.each(SAID)('$outcome is a $status', async ({ outcome, status, problem }) => {
    await stage.addVehicle();
    stage.configure = () => ({ outcome, error: outcome === 'failed' ? 'flash worn out' : '' });
    await expectRefused(await ask('PUT', TRACKING), status, problem);
    expect(await shown(TRACKING)).toEqual({ status: 'INACTIVE' });
  });

  test('unsupported is a 409 if a box can lack what the feature needs', async () => {
    // As far as its passport tells, it has a sensor for smoke: it is asked.
    await stage.addVehicle({}, WHOLE);
    stage.configure = () => ({ outcome: 'unsupported', error: '' });
    await expectRefused(await ask('PUT', SMOKE), 409, 'incompatible-telematics-unit-model');
    expect(stage.sent).toHaveLength(1);
    await expectRefused(await ask('DELETE', SMOKE), 500, 'telematics-unit/error');
  });

  test('that does not arrive is a 504, and a later reply still decides what is in force', async () => {
    await stage.addVehicle();
    stage.configure = () => ({ outcome: 'done', afterMs: 25_000 });
    const detail = await expectRefused(await ask('PUT', TRACKING), 504, 'vehicle/no-connection');
    expect(detail).toContain('did not answer');
    expect(await shown(TRACKING)).toEqual({ status: 'INACTIVE' });
    await stage.loop.runUntil(stage.loop.nowMs + 10_000);
    expect(await shown(TRACKING)).toMatchObject({ status: 'ACTIVE' });
  });
});

/** Whether two causes can be brought about together without one taking the other away. */
function canMeet(one: Cause, other: Cause): boolean {
  const both = (name: keyof Cause) => one[name] !== undefined && other[name] !== undefined;
  if (both('path') || both('box')) return false;
  return !both('vehicle') || Object.keys(one.vehicle ?? {})[0] !== Object.keys(other.vehicle ?? {})[0];
}
