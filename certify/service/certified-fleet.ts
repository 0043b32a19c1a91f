import { signingKeyId } from '../../backend/installation.ts';
import { parked } from '../../deployment/demo/demo-plans.ts';
import {
  fleetFileOf,
  removeAddressFile,
  writeAddressFile,
} from '../../deployment/directory/address-files.ts';
import type { DataDirectory } from '../../deployment/directory/data-directory.ts';
import { secretsOf } from '../../deployment/directory/identity-secrets.ts';
import { onboardByApi } from '../../deployment/fleet/api-onboarding.ts';
import { serveControl } from '../../deployment/fleet/fleet-control.ts';
import { planShare } from '../../deployment/fleet/fleet-part.ts';
import { wireTap } from '../../deployment/fleet/frame-tap.ts';
import { openFleet } from '../../deployment/fleet/open-fleet.ts';
import { LOOPBACK } from '../../deployment/http/http-server.ts';
import { CommandError } from '../../deployment/shared/command-error.ts';
import type { Disposables } from '../../deployment/shared/disposables.ts';
import { FrameRecording } from '../../scenarios/testbed/common/recordings/frame-recording.ts';
import type { BoxPlan } from '../../simulator/box-plan.ts';
import type { Fleet } from '../../simulator/fleet/fleet.ts';
import { ROUTES } from '../../simulator/routes/routes.ts';
import { realCrypto } from '../../world/crypto/real-crypto.ts';
import { jsonOf } from '../../world/json.ts';
import { realLog } from '../../world/log/real-log.ts';
import { openRealWorld, type RealWorld } from '../../world/real-world.ts';
import { sleep } from '../../world/time/time.ts';
import { limits } from '../limits.ts';
import type { CertifyOptions } from './certify-options.ts';
import type { Fetch, ServiceApi } from './service-api.ts';

/** Boxes of this project at the service that is certified, and their surroundings. */
export interface CertifiedFleet {
  readonly world: RealWorld;
  readonly fleet: Fleet;
  /** Those that are set up in vehicles, with the ids that the service gave these; then the unassigned ones. */
  readonly boxes: readonly BoxPlan[];
  /** Every frame of every box, since its start. */
  readonly frames: FrameRecording;
  /** Whether the service may reach the SIM providers and the maker. */
  readonly hasSurroundings: boolean;
  /** The control API of these boxes. */
  control(request: Request): Promise<Response>;
}

/** What the boxes of a certification are opened with. */
export interface CertifiedFleetParts {
  readonly directory: DataDirectory;
  readonly api: ServiceApi;
  readonly fetch: Fetch;
}

/**
 * Onboards vehicles over the API, gives their boxes power, and waits until the service knows all of them as set up and
 * online. Rejects with a `CommandError` where that fails.
 */
export async function openCertifiedFleet(
  options: CertifyOptions,
  { directory, api, fetch }: CertifiedFleetParts,
  disposables: Disposables,
): Promise<CertifiedFleet> {
  const { progress, client, simulatorPort } = options;
  const world = await openWorld(options, directory);
  await disposables.add(() => world.close());
  const { boxes, vehicles, cars, secrets } = await plannedFleet(options, directory);
  const installation = signingKeyId(world.crypto);

  progress(`onboarding ${vehicles.length} vehicles`);
  const boxIds = new Set(vehicles.map(({ boxId }) => boxId));
  await offboardFailed(api, boxIds);
  const ids = await onboardByApi({
    api: { url: api.baseUrl, ...client },
    boxes: vehicles,
    time: world.time,
    fetch,
    progress: () => undefined,
  });
  const onboarded = boxes.map((plan) => ({ ...plan, vehicleId: ids.get(plan.boxId) ?? '' }));

  const frames = new FrameRecording();
  for (const { boxId } of onboarded)
    wireTap(world.trace, world.time).listen(boxId, ({ direction, atMs, bytes }) =>
      frames.record(boxId, direction, atMs, bytes),
    );
  const { fleet, app } = await openFleet({
    world,
    plans: onboarded,
    mqttUrl: options.mqtt,
    secrets,
    cars: parked(cars),
    routes: ROUTES,
    radio: 'ideal',
    account: undefined,
    installation,
    disposables,
  });
  if (simulatorPort !== undefined) {
    const server = await serveControl(
      { world, account: undefined, installation, disposables },
      { port: simulatorPort, host: undefined, notices: [] },
      (request) => app.fetch(request),
    );
    // A service on the same data directory finds its SIM providers and its maker by it.
    const line = JSON.stringify({ simulator_url: `http://${LOOPBACK}:${server.port}` });
    writeAddressFile(directory.path, fleetFileOf(undefined), line);
    await disposables.add(() => removeAddressFile(directory.path, fleetFileOf(undefined), line));
  }
  progress('waiting for the boxes');
  // As in a workshop: during the setup of a box, a vehicle has its ignition on, so that its bus answers.
  turnIgnitions(fleet, boxIds, true);
  await untilOnline(world, api, fleet, boxIds);
  turnIgnitions(fleet, boxIds, false);
  return {
    world,
    fleet,
    boxes: onboarded,
    frames,
    hasSurroundings: simulatorPort !== undefined,
    control: async (request) => app.fetch(request),
  };
}

/** The plans of all boxes of a certification, with the unassigned ones at the end. */
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
    { vehicles, credentials, shard: undefined, link: 'sockets', radio: 'ideal', drivingPercent: 0 },
    directory,
    { onRoute: {}, drives: [] },
    secrets,
  );
  return { boxes: share.everyBox, vehicles: share.vehicles, cars: share.cars, secrets };
}

function turnIgnitions(fleet: Fleet, boxIds: ReadonlySet<string>, isOn: boolean): void {
  for (const boxId of boxIds) fleet.boxes.get(boxId)?.turnIgnition(isOn);
}

/** A vehicle whose setup failed in an earlier certification is onboarded again. */
async function offboardFailed(api: ServiceApi, boxIds: ReadonlySet<string>): Promise<void> {
  for (const { id = '', setup_status: setup, telematics_unit: unit } of await listedVehicles(api))
    if (setup === 'FAILED' && boxIds.has(unit?.id ?? '')) await api.ask('DELETE', `/vehicles/${id}`);
}

async function openWorld(options: CertifyOptions, directory: DataDirectory): Promise<RealWorld> {
  const { identity } = directory;
  return openRealWorld({
    seed: identity.seed,
    mqttUrl: options.mqtt,
    amqpUrl: undefined,
    log: realLog(options.logLevel),
    ...(options.mqttCa === undefined ? {} : { mqttCa: options.mqttCa }),
    flash: directory.flashPath(),
    signingKey: identity.signing_key,
  });
}

/** Waits until each of these boxes is ready, and its vehicle is set up and ONLINE in the API. */
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
          ? 'get no session at the MQTT broker (--mqtt), or no receipt for their hello. "boxtwin certify --write-credentials FILE" writes their passwords; docs/wire.md says what a box waits for'
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
