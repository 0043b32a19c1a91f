import { createHash } from 'node:crypto';
import { expect } from 'vitest';
import type { DocumentNode } from '../../../judge/certify/answer-validator.ts';
import { type ApiOperation, operationsOf } from './operations.ts';
import { PARTNER_FLEET_ID, RIGHT_BODIES, UNIT } from './right-bodies.ts';
import { FLEET_ID, openTestService, type TestService, type TestServiceOptions } from './test-service.ts';

/** A service with something at every path, and the operations that its OpenAPI document has. */
export interface FilledService {
  readonly stage: TestService;
  /** Of a client with every permission. */
  readonly token: string;
  readonly operations: readonly ApiOperation[];
  /** The operation's path to something that is there. */
  pathOf(operation: ApiOperation): string;
  /** A digest of the store: two equal ones mean that nothing was written between them. */
  digest(): string;
}

const SUBSCRIPTION = '01ARZ3NDEKTSV4RRFFQ69G5FAW';
const PERMISSIONS = [
  'vehicle-commands',
  'connectivity-commands',
  'vehicles',
  'vehicle-configuration',
  'message-subscriptions',
];

export async function openFilledService(options: TestServiceOptions = {}): Promise<FilledService> {
  const stage = await openTestService({
    requestsPerMinute: 1_000_000,
    makers: { northwind: { baseUrl: 'http://maker.test', apiKey: 'key' } },
    ...options,
  });
  await stage.addVehicle();
  await stage.store.access.saveFleet({ id: PARTNER_FLEET_ID, name: PARTNER_FLEET_ID });
  await stage.store.vehicles.saveUnit({
    boxId: UNIT,
    fleetId: FLEET_ID,
    boxSecretHash: 'hash',
    generation: 2,
    sim: undefined,
  });
  const { nowMs } = stage.loop;
  await stage.store.bulk.create(
    {
      id: '01ARZ3NDEKTSV4RRFFQ69G5FAV',
      fleetId: FLEET_ID,
      flowId: 'f',
      vehicleIds: ['VEH01'],
      features: { tracking: null },
      createdMs: nowMs,
      expiresMs: nowMs + 1_000,
    },
    { jobs: 10, vehicles: 10 },
  );
  await stage.store.subscriptions.begin(
    {
      id: SUBSCRIPTION,
      fleetId: FLEET_ID,
      discriminator: 'scene',
      user: undefined,
      queues: [{ topic: 'VehicleState_v1', name: 'VehicleState_v1-scene' }],
      createdMs: nowMs,
      dueMs: nowMs,
    },
    { perFleet: 1 },
  );
  await stage.store.subscriptions.finish(SUBSCRIPTION);
  stage.box = ({ command }) =>
    // A box that answers without the requested status would be another failure.
    command === 'request-system-status' ? { outcome: 'not-ready' } : { outcome: 'done', state: {} };
  const token = options.crypto === undefined ? await stage.token(PERMISSIONS) : '';
  const document = (await (await stage.app.request('/openapi.json')).json()) as DocumentNode;
  return {
    stage,
    token,
    operations: operationsOf(document, RIGHT_BODIES),
    pathOf: ({ path }) =>
      path
        .replace('{id}', 'VEH01')
        .replace('{job_id}', '01ARZ3NDEKTSV4RRFFQ69G5FAV')
        .replace('{subscription_id}', SUBSCRIPTION),
    digest: digestOf(() => stage.store.serialize()),
  };
}

/**
 * The digest of what is there now; bytes that are as at the last call have that one's: comparing is far cheaper than
 * hashing.
 */
function digestOf(serialize: () => Buffer): () => string {
  let bytes: Buffer | undefined;
  let digest = '';
  return () => {
    const now = serialize();
    if (bytes?.equals(now) !== true) digest = createHash('sha256').update(now).digest('hex');
    bytes = now;
    return digest;
  };
}

/** Words of the inside of the service, which no answer has. */
const INSIDE =
  /\bat .+:\d+:\d+|node_modules|node:internal|\.[mc]?[jt]s\b|\b(Type|Range|Syntax|Zod|Sqlite)Error\b|\bzod\b|sqlite|\bhono\b|\[object |\bundefined\b/i;

/**
 * The wrong request is refused with one of these statuses and a problem, reveals no internals, and changes
 * nothing.
 */
export async function expectRefused(
  scene: FilledService,
  wrong: { readonly statuses: readonly number[]; ask(): Promise<Response> },
): Promise<Record<string, unknown>> {
  const before = scene.digest();
  const answer = await wrong.ask();
  const text = await answer.text();
  expect(wrong.statuses, text).toContain(answer.status);
  expect(text).not.toMatch(INSIDE);
  expect(text.length).toBeLessThan(2_000);
  const flowId = answer.headers.get('x-service-flow-id');
  expect(flowId).toMatch(/^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/i);
  expect(scene.digest(), 'the state stays as it was').toBe(before);
  expect(scene.stage.complaints.filter(({ level }) => level === 'error')).toEqual([]);
  const body = JSON.parse(text) as Record<string, unknown>;
  expect(body).toMatchObject({ status: answer.status, detail: expect.any(String), flow_id: flowId });
  return body;
}
