import { FrameRecording } from '../../scenarios/testbed/common/recordings/frame-recording.ts';
import type { BoxPlan } from '../../simulator/box/box-plan.ts';
import { controlApp } from '../../simulator/control/app.ts';
import { type Fleet, startFleet } from '../../simulator/fleet/fleet.ts';
import { startMakerCloud } from '../../simulator/maker-cloud/cloud.ts';
import { simProviders } from '../../simulator/sim-provider/providers.ts';
import { realCrypto } from '../../world/crypto/real-crypto.ts';
import { realLog } from '../../world/log/real-log.ts';
import { openRealWorld, type RealWorld } from '../../world/real-world.ts';
import { sleep } from '../../world/time/time.ts';
import type { Trace } from '../../world/trace/trace.ts';
import { DEMO_MAKER } from '../demo/demo-fleet.ts';
import { parked } from '../demo/demo-plans.ts';
import { onboardByApi } from '../parts/api-onboarding.ts';
import { planShare } from '../parts/fleet-part.ts';
import type { DataDirectory } from '../server/data-directory.ts';
import { simApiKeys } from '../server/demo-service-settings.ts';
import { wireTap } from '../server/frame-tap.ts';
import { serveHttp } from '../server/http-server.ts';
import { secretsOf } from '../server/identity-secrets.ts';
import { openIdentity } from '../server/open-identity.ts';
import { CommandError } from '../shared/command-error.ts';
import type { Disposables } from '../shared/disposables.ts';
import type { CertifyOptions } from './certify-options.ts';
import { limits } from './limits.ts';
import { jsonOf, type ServiceApi } from './service-api.ts';

/** Boxes of this project at the service that is certified, and what is around them. */
export interface CertifiedFleet {
  readonly world: RealWorld;
  readonly fleet: Fleet;
  /** Those that are set up in vehicles, with the ids that the service gave these; then those on the shelf. */
  readonly boxes: readonly BoxPlan[];
  /** Every frame of every box, since its start. */
  readonly frames: FrameRecording;
  /** Whether the service may reach the SIM providers and the maker. */
  readonly hasSurroundings: boolean;
  /** The control API of these boxes. */
  control(request: Request): Promise<Response>;
}

/**
 * Onboards vehicles over the API, gives their boxes power, and waits until the service knows all of them as set up and
 * online. Rejects with a `CommandError` where that does not come about.
 */
export async function openCertifiedFleet(
  options: CertifyOptions,
  api: ServiceApi,
  disposables: Disposables,
): Promise<CertifiedFleet> {
  const { progress, client, simulatorPort } = options;
  const directory = await openIdentity(options);
  const world = await openWorld(options, directory);
  await disposables.add(() => world.close());
  const { boxes, vehicles, cars, secrets } = await plannedFleet(options, directory);

  progress(`onboarding ${vehicles.length} vehicles`);
  const boxIds = new Set(vehicles.map(({ boxId }) => boxId));
  await offboardFailed(api, boxIds);
  const ids = await onboardByApi({
    api: { url: api.baseUrl, ...client },
    boxes: vehicles,
    time: world.time,
    fetch: (request) => fetch(request),
    progress: () => undefined,
  });
  const onboarded = boxes.map((plan) => ({ ...plan, vehicleId: ids.get(plan.boxId) ?? '' }));

  const frames = new FrameRecording();
  const fleet = await startFleet({ ...world, trace: recordingTrace(world, frames) }, onboarded, {});
  await disposables.add(() => fleet.stop());
  const cloud = await startMakerCloud(world, {
    ...{ name: DEMO_MAKER, apiKey: secrets.makerKey(DEMO_MAKER), cars: parked(cars) },
  });
  await disposables.add(() => cloud.stop());
  const sims = simProviders({ time: world.time, fleet: () => fleet, apiKeys: simApiKeys(secrets) });
  const app = controlApp(fleet, wireTap(world.trace, world.time), { sims, clouds: [cloud] });
  if (simulatorPort !== undefined) {
    const server = await serveHttp({ port: simulatorPort }, (request) => app.fetch(request));
    await disposables.add(() => server.close());
  }
  progress('waiting for the boxes');
  // As in a workshop: while a box is set up in it, a vehicle has its ignition on, so that its bus answers.
  turnIgnitions(fleet, boxIds, true);
  await untilOnline(world, api, fleet, boxIds);
  turnIgnitions(fleet, boxIds, false);
  return {
    ...{ world, fleet, boxes: onboarded, frames, hasSurroundings: simulatorPort !== undefined },
    control: async (request) => app.fetch(request),
  };
}

/** All boxes of a certification as their plans, with those on the shelf at the end. */
export async function plannedFleet(
  options: Pick<CertifyOptions, 'vehicles' | 'credentials'>,
  directory: DataDirectory,
): Promise<{
  readonly boxes: readonly BoxPlan[];
  readonly vehicles: readonly BoxPlan[];
  readonly cars: Awaited<ReturnType<typeof planShare>>['cars'];
  readonly secrets: ReturnType<typeof secretsOf>;
}> {
  const crypto = await realCrypto(directory.identity.signing_key);
  const secrets = secretsOf(crypto, directory.identity);
  const { vehicles, credentials } = options;
  const share = await planShare(
    { ...{ vehicles, credentials, shard: undefined, link: 'sockets', radio: 'ideal', drivingPercent: 0 } },
    directory,
    { onRoute: {}, drives: [] },
    secrets,
  );
  return { boxes: share.everyBox, vehicles: share.vehicles, cars: share.cars, secrets };
}

function turnIgnitions(fleet: Fleet, boxIds: ReadonlySet<string>, isOn: boolean): void {
  for (const boxId of boxIds) fleet.boxes.get(boxId)?.turnIgnition(isOn);
}

/** A vehicle whose setup failed in an earlier certification is onboarded anew. */
async function offboardFailed(api: ServiceApi, boxIds: ReadonlySet<string>): Promise<void> {
  for (const { id = '', setup_status: setup, telematics_unit: unit } of await listedVehicles(api))
    if (setup === 'FAILED' && boxIds.has(unit?.id ?? '')) await api.ask('DELETE', `/vehicles/${id}`);
}

async function openWorld(options: CertifyOptions, directory: DataDirectory): Promise<RealWorld> {
  const { identity } = directory;
  return openRealWorld({
    ...{ seed: identity.seed, mqttUrl: options.mqtt, amqpUrl: undefined, log: realLog(options.logLevel) },
    ...(options.mqttCa === undefined ? {} : { mqttCa: options.mqttCa }),
    flash: directory.flashPath(),
    signingKey: identity.signing_key,
  });
}

function recordingTrace({ trace, time }: RealWorld, frames: FrameRecording): Trace {
  return {
    note: (event) => {
      trace.note(event);
      const { who, what, bytes } = event;
      if (bytes === undefined || !who.startsWith('box/')) return;
      const direction = what === 'frame-up' ? 'up' : what === 'frame-down' ? 'down' : undefined;
      if (direction !== undefined) frames.record(who.slice(4), direction, time.nowMs(), bytes);
    },
  };
}

/** Waits until each of these boxes is ready, and its vehicle is set up and ONLINE by the API. */
async function untilOnline(
  { time }: RealWorld,
  api: ServiceApi,
  fleet: Fleet,
  boxIds: ReadonlySet<string>,
): Promise<void> {
  const untilMs = time.nowMs() + limits.readyMs;
  for (;;) {
    const waiting = [...boxIds].filter((boxId) => fleet.boxes.get(boxId)?.isReady() !== true);
    const unready = waiting.length > 0 ? waiting : await notOnline(api, boxIds);
    if (unready.length === 0) return;
    if (time.nowMs() >= untilMs) {
      const what =
        waiting.length > 0
          ? 'get no session at the MQTT broker (--mqtt), or no receipt for their hello. "boxtwin certify --list" prints their passwords; docs/wire.md says what a box waits for'
          : 'are connected, and GET /vehicles does not show their vehicles with setup_status SUCCEEDED and life_status ONLINE';
      throw new CommandError(
        `${unready.length} of ${boxIds.size} boxes, such as ${unready[0] ?? ''}, ${what}. Nothing can be certified before that.`,
        1,
      );
    }
    await sleep(time, limits.lookMs);
  }
}

interface ListedVehicle {
  readonly id?: string;
  readonly setup_status?: string;
  readonly life_status?: { readonly value?: string };
  readonly telematics_unit?: { readonly id?: string } | null;
}

async function listedVehicles(api: ServiceApi): Promise<readonly ListedVehicle[]> {
  const vehicles: ListedVehicle[] = [];
  let next: string | undefined = '';
  while (next !== undefined) {
    const more: string = next === '' ? '' : `&page_token=${encodeURIComponent(next)}`;
    const { text } = await api.ask('GET', `/vehicles?limit=1000${more}`);
    const page = (jsonOf(text) ?? {}) as {
      readonly items?: readonly ListedVehicle[];
      readonly next_page_token?: string;
    };
    vehicles.push(...(page.items ?? []));
    next = page.next_page_token;
  }
  return vehicles;
}

async function notOnline(api: ServiceApi, boxIds: ReadonlySet<string>): Promise<readonly string[]> {
  const online = new Set<string>();
  for (const { setup_status: setup, life_status: life, telematics_unit: unit } of await listedVehicles(api))
    if (setup === 'SUCCEEDED' && life?.value === 'ONLINE') online.add(unit?.id ?? '');
  return [...boxIds].filter((boxId) => !online.has(boxId));
}
