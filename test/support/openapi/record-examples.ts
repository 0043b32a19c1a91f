import { FEATURES } from '../../../backend/configuration/features.ts';
import type { RecordedMessage } from '../../../backend/http/openapi/asyncapi.ts';
import type { RecordedCall } from '../../../backend/http/openapi/openapi.ts';
import { modelKnowledge } from '../../../backend/model-knowledge.ts';
import { COMMAND_OPERATIONS } from '../../../contract/command-operations.ts';
import { queueName, TOPICS } from '../../../contract/messages.ts';
import type { FleetBox } from '../../../simulator/box/fleet-box.ts';
import { fromMilligravity } from '../../../simulator/vehicle/forces.ts';
import type { StoredAmqpMessage } from '../../../world/amqp/virtual-amqp-broker.ts';
import { makeSigningKey, realCrypto } from '../../../world/crypto/real-crypto.ts';
import { sleep } from '../../../world/time/time.ts';
import { FakeBrowser } from '../http/fake-browser.ts';
import { CODE_VERIFIER, openSignInService, signIn } from '../http/sign-in-service.ts';
import { openTestService } from '../http/test-service.ts';
import { TestFleet } from '../simulation/test-fleet.ts';

/** By method and path as in the document: `PUT /vehicles/{id}/sharing`. */
export type ExampleRecording = Record<string, RecordedCall>;

const FORM = 'application/x-www-form-urlencoded';
const JSON_TYPE = 'application/json';

function contentOf(mediaType: string, text: string): unknown {
  if (mediaType === FORM) return Object.fromEntries(new URLSearchParams(text));
  return mediaType.endsWith('json') ? JSON.parse(text) : text;
}

const mediaTypeOf = (headers: Headers) => (headers.get('content-type') ?? '').split(';')[0] ?? '';

/** Records the first success of each operation. Resolves with whether this was one. */
async function keep(
  recording: ExampleRecording,
  operation: string,
  request: Request,
  answer: Response,
): Promise<boolean> {
  if (answer.status >= 400) return false;
  const passed = recording[operation] ?? { answers: {} };
  recording[operation] = passed;
  const sent = await request.text();
  const got = await answer.clone().text();
  if (sent !== '') {
    const mediaType = mediaTypeOf(request.headers);
    passed.body ??= { [mediaType]: contentOf(mediaType, sent) };
  }
  if (got !== '') {
    const mediaType = mediaTypeOf(answer.headers);
    passed.answers[answer.status] ??= { [mediaType]: contentOf(mediaType, got) };
  }
  return true;
}

/** The authorization server, with keys as in the real world. */
async function recordAccess(recording: ExampleRecording): Promise<void> {
  const scene = await openSignInService({ crypto: await realCrypto(await makeSigningKey()), isReal: true });
  const send = async (request: Request): Promise<Response> => {
    const copy = request.clone();
    const answer = await scene.send(request);
    await keep(recording, `${request.method} ${new URL(request.url).pathname}`, copy, answer);
    return answer;
  };
  const post = (path: string, fields: Readonly<Record<string, string>>) =>
    send(
      new Request(`${scene.baseUrl}${path}`, {
        method: 'POST',
        headers: { authorization: `Basic ${btoa('app:secret-of-app')}`, 'content-type': FORM },
        body: new URLSearchParams(fields).toString(),
      }),
    );
  const browser = new FakeBrowser(send);
  const consent = await signIn(browser, await browser.open(scene.asking()));
  const { at } = await browser.submit(consent, 'consent', { decision: 'allow' });
  const answer = await post('/auth/oauth/token', {
    grant_type: 'authorization_code',
    code: at.searchParams.get('code') ?? '',
    redirect_uri: 'http://127.0.0.1:4711/callback',
    code_verifier: CODE_VERIFIER,
  });
  const { refresh_token: token } = (await answer.json()) as { refresh_token: string };
  await send(new Request(`${scene.baseUrl}/.well-known/openid-configuration`));
  await send(new Request(`${scene.baseUrl}/auth/oauth/jwks`));
  await post('/auth/oauth/revoke', { token, token_type_hint: 'refresh_token' });
}

async function recordSubscriptions(recording: ExampleRecording): Promise<void> {
  const stage = await openTestService();
  const token = await stage.token(['message-subscriptions']);
  const path = '/message-subscriptions';
  const ask = async (operation: string, at: string, body?: unknown): Promise<Response> => {
    const [method = ''] = operation.split(' ');
    const headers = { 'content-type': JSON_TYPE };
    const text = body === undefined ? {} : { body: JSON.stringify(body) };
    const answer = await stage.ask(method, at, { token, headers, ...text });
    const request = new Request(`http://service.test${at}`, { method, headers, ...text });
    await keep(recording, operation, request, answer);
    return answer;
  };
  const made = await ask(`POST ${path}`, path, {
    queue_discriminator: 'depot-1',
    topics: ['VehicleState_v1', 'DamageDetected_v1'],
  });
  const { id } = (await made.json()) as { id: string };
  await ask(`GET ${path}`, path);
  await ask(`GET ${path}/{subscription_id}`, `${path}/${id}`);
}

const tells = ({ plan }: FleetBox) => modelKnowledge.capabilitiesOf(plan.model).length;

const STOCK = '9e0ec1907b8feb9a';
const PARTNER = 'PARTNER1';

/** The parameters by feature; a feature that is not here is put without parameters. */
const PARAMETERS: Readonly<Record<string, unknown>> = {
  tracking: { time_interval_in_seconds: 30, distance_interval_in_meters: 500 },
  'damage-detection': { sensitivity: 'HIGH' },
  'driving-events': { crash_detection: { minimum_acceleration_in_mg: 2500 } },
  'parking-events': { enabled: true },
  'smoke-detection': { minimum_duration_in_seconds: 10 },
  'auto-immobilizer-control': { delay_in_seconds: 60 },
  'box-settings': { standby_report_interval_in_seconds: 900 },
};

/** A whole fleet in a virtual world: its service answers, and its queues fill. */
async function recordFleet(recording: ExampleRecording): Promise<readonly RecordedMessage[]> {
  const fleet = new TestFleet({ seed: 1, vehicles: 12, isMaintained: true });
  const { world } = fleet;
  const queued: [queue: string, message: StoredAmqpMessage][] = [];
  world.amqpBroker.listen((queue, message) => queued.push([queue, message]));
  await world.run(() => fleet.raise());
  await world.runFor(60_000);
  const boxes = fleet.boxes;
  // The vehicle with the most properties.
  const richest = boxes.toSorted((a, b) => tells(b) - tells(a))[0];
  await world.run(async () => {
    await fleet.store.access.saveFleet({ id: PARTNER, name: PARTNER });
    const unit = { boxId: STOCK, fleetId: fleet.fleetId, boxSecretHash: 'hash', generation: 2 as const };
    await fleet.store.vehicles.saveUnit({ ...unit, sim: undefined });
  });
  const token = await world.run(() => fleet.token());

  type Method = Parameters<TestFleet['call']>[0];
  /**
   * Makes a request with the path's parameters filled in and records the answer; undefined: it was refused.
   */
  async function ask(
    operation: string,
    parameters: Readonly<Record<string, string>>,
    body?: unknown,
    query = '',
  ): Promise<Response | undefined> {
    const [method = '', template = ''] = operation.split(' ');
    const path = template.replace(/\{(\w+)\}/g, (_, name: string) => parameters[name] ?? '');
    const text = body === undefined ? undefined : JSON.stringify(body);
    const answer = await world.run(() => fleet.call(method as Method, `${path}${query}`, token, text));
    const request = new Request('http://service.virtual', {
      method: 'POST',
      headers: { 'content-type': JSON_TYPE },
      ...(text === undefined ? {} : { body: text }),
    });
    return (await keep(recording, operation, request, answer)) ? answer : undefined;
  }
  const idOf = (box: FleetBox) => ({ id: box.plan.vehicleId });
  /** The first vehicle for which it succeeds. */
  async function works(operation: string, body?: unknown): Promise<FleetBox | undefined> {
    for (const box of boxes) if ((await ask(operation, idOf(box), body)) !== undefined) return box;
    return undefined;
  }

  if (richest !== undefined) {
    await ask('POST /vehicles/{id}/commands/request-vehicle-state', idOf(richest));
    await ask('GET /vehicles/{id}', idOf(richest));
    await world.runFor(1_000);
  }
  for (const { path } of COMMAND_OPERATIONS.filter(({ answer }) => answer !== 'nothing'))
    await works(`POST ${path}`);
  for (const feature of FEATURES) {
    const box = await works(`PUT ${feature.path}`, PARAMETERS[feature.name]);
    if (box !== undefined) await ask(`GET ${feature.path}`, idOf(box));
    // Everything that can be detected should be detected below.
    for (const one of boxes) await ask(`PUT ${feature.path}`, idOf(one), PARAMETERS[feature.name]);
  }
  await ask('GET /vehicles', {}, undefined, '?limit=2');
  const [first] = boxes;
  if (first === undefined) throw new Error('There is no vehicle.');
  await ask('PATCH /vehicles/{id}', idOf(first), {
    operation_status: { value: 'GARAGE' },
    custom_fields: { depot: 'North' },
    tags: ['north'],
  });
  await ask('PUT /vehicles/{id}/sharing', idOf(first), { partner_fleet_id: PARTNER });
  await ask(
    'POST /vehicles',
    {},
    {
      telematics_unit: { id: STOCK },
      vehicle_model: 'electric-hatchback',
      master_data: { vin: 'ZZ98LHKK841804292', license_plate: 'B-PW 6245' },
      tags: ['pool'],
    },
  );
  const job = await ask(
    'POST /configure-vehicle-telematics-unit-bulk',
    {},
    {
      items: [...boxes.slice(1, 3).map(idOf), { id: 'NOBODY' }],
      feature_configuration: { tracking: { time_interval_in_seconds: 30 }, parking_events: {} },
    },
  );
  const { id: jobId = '' } = ((await job?.json()) ?? {}) as { id?: string };
  await world.runFor(60_000);
  await ask('GET /configure-vehicle-telematics-unit-bulk/{job_id}', { job_id: jobId });
  await world.run(() => bringAbout(fleet, boxes));
  const messages = messagesOf(queued);
  await world.run(() => fleet.close());
  return messages;
}

/** Triggers everything that a feature detects, in a vehicle that has the feature. */
async function bringAbout(fleet: TestFleet, boxes: readonly FleetBox[]): Promise<void> {
  const { time } = fleet.world;
  const isOn = (box: FleetBox) => box.truth()['ignitionOn'] === true;
  // Until damage detection is calibrated.
  await sleep(time, 90_000);
  for (const box of boxes) {
    if (isOn(box)) {
      box.applyIncident({ what: 'impact', accelerationMg: 5_200, durationMs: 48, direction: 'front' });
      await sleep(time, 30_000);
    } else {
      box.applyIncident({ what: 'impact', accelerationMg: 800, durationMs: 25, direction: 'left' });
      await sleep(time, 5_000);
      box.applyIncident({ what: 'bump', strengthMg: 620, side: 'rear' });
      await sleep(time, 5_000);
      box.applyIncident({ what: 'tow', distanceM: 200, lifted: false });
      await sleep(time, 120_000);
    }
    box.applyIncident({ what: 'smoke', concentrationUgPerM3: 900, durationMs: 30_000 });
    await sleep(time, 60_000);
  }
  const driven = boxes.filter(isOn);
  for (const what of ['heavy-braking', 'harsh-cornering'] as const) {
    for (const box of driven) box.maneuver({ what, rateMps2: fromMilligravity(550) });
    await sleep(time, 25 * 60_000);
  }
}

/** One of each message, of each kind of it, and of each trigger of a state, from the queues. */
function messagesOf(
  queued: readonly (readonly [queue: string, StoredAmqpMessage])[],
): readonly RecordedMessage[] {
  const found = new Map<string, RecordedMessage>();
  for (const { topic, message: name } of TOPICS)
    for (const [queue, { body, headers }] of queued) {
      if (queue !== queueName(topic, 'own')) continue;
      const payload = JSON.parse(new TextDecoder().decode(body)) as {
        data: Readonly<Record<string, unknown>>;
      };
      const { kind, triggered_by: trigger } = payload.data;
      const key = `${name} ${String(kind ?? (trigger === undefined ? '' : 'triggered'))}`;
      if (!found.has(key)) found.set(key, { name, headers, payload });
    }
  return [...found.values()];
}

/** Runs all recordings: requests and answers of the service, and the messages in its queues. */
export async function recordExamples(): Promise<{
  readonly recording: ExampleRecording;
  readonly messages: readonly RecordedMessage[];
}> {
  const recording: ExampleRecording = {};
  await recordAccess(recording);
  await recordSubscriptions(recording);
  const messages = await recordFleet(recording);
  return { recording, messages };
}
