import { signingKeyId } from '../../backend/installation.ts';
import type { ServiceSource } from '../../console/server/sources.ts';
import type { RadioSetting } from '../../simulator/box-plan.ts';
import type { WeatherPresetName } from '../../simulator/weather/presets.ts';
import { realCrypto } from '../../world/crypto/real-crypto.ts';
import { type LogLevel, realLog } from '../../world/log/real-log.ts';
import { openMemoryWorld } from '../../world/memory-world.ts';
import type { SubscribeQos } from '../../world/mqtt/real-mqtt-session.ts';
import { realRandom } from '../../world/random/real-random.ts';
import { openRealWorld, type RealWorld } from '../../world/real-world.ts';
import { realTime } from '../../world/time/real-time.ts';
import { runningBrokers } from '../brokers/running-brokers.ts';
import { refuseTooLargeFleet } from '../checks/fleet-checks.ts';
import { heapFacts } from '../checks/fleet-facts.ts';
import { judgeMemoryLink } from '../checks/fleet-judges.ts';
import { limits as checkLimits } from '../checks/limits.ts';
import { startConsole } from '../console/start-console.ts';
import {
  type DemoPlans,
  type DemoRoutes,
  demoRoutes,
  driven,
  planDemo,
  replaying,
} from '../demo/demo-plans.ts';
import { type DataDirectory, flashNamesIn, type Identity, type Shard } from '../directory/data-directory.ts';
import { type IdentitySecrets, secretsOf } from '../directory/identity-secrets.ts';
import { openIdentity } from '../directory/open-identity.ts';
import { refuseOtherInstallation } from '../directory/running-addresses.ts';
import { fetchOf } from '../http/installation.ts';
import { noteOpenHost } from '../http/public-address.ts';
import { simulatorAccount, simulatorAddress } from '../http/simulator-guard.ts';
import { mqttAuthority } from '../input/authority-file.ts';
import { readCredentials, withPasswords } from '../input/credentials-file.ts';
import { refuseFaultyModels } from '../models/checked-models.ts';
import { holdOwnModels } from '../models/held-models.ts';
import type { ConsoleOptions, DriveFiles } from '../shared/deployment-options.ts';
import { Disposables } from '../shared/disposables.ts';
import { limits } from '../shared/limits.ts';
import { FiguresSource } from '../shared/live-figures.ts';
import type { StartedPart } from '../shared/started-part.ts';
import { asUserError, withoutPassword } from '../shared/user-errors.ts';
import { type OnboardingApi, onboardByApi } from './api-onboarding.ts';
import { serveControl } from './fleet-control.ts';
import { openFleet } from './open-fleet.ts';

/** What a fleet is started with where service and brokers run elsewhere. */
export interface FleetPartOptions {
  readonly vehicles: number;
  readonly seed: number | undefined;
  /** Absent: the whole fleet. */
  readonly shard?: Shard | undefined;
  /** Connections per second; absent: the simulator's own. */
  readonly rampPerSecond?: number | undefined;
  /** `memory`: broker, flash and a receiver of records are in this process, and `mqtt` is not used. */
  readonly link: 'sockets' | 'memory';
  /** The percentage of vehicles driving; absent: as the seed decides, or few with a link in memory. */
  readonly drivingPercent?: number | undefined;
  /** Absent: that of the brokers on the data directory, for which the start waits. */
  readonly mqtt: string | undefined;
  /** A file with the certificate authority of an mqtts:// broker, in PEM form. */
  readonly mqttCa?: string | undefined;
  /** Addresses of this machine that boxes connect from, in turn. */
  readonly localAddresses: readonly string[];
  /** The quality of service of the boxes' subscriptions; absent: 1. */
  readonly subscribeQos?: SubscribeQos | undefined;
  /** A file with the passwords of the boxes; absent: those of the data directory. */
  readonly credentials?: string | undefined;
  /**
   * Where vehicles are onboarded; absent: the service knows them already. `client` absent: that of the data directory.
   */
  readonly api?: { readonly url: string; readonly client?: Omit<OnboardingApi, 'url'> } | undefined;
  readonly routeFile?: string | undefined;
  /** Recorded drives that the first vehicles of the whole fleet replay. */
  readonly drives?: DriveFiles | undefined;
  readonly radio: RadioSetting;
  /** The network conditions of the fleet; absent: `none`. */
  readonly weather?: WeatherPresetName | undefined;
  readonly data: string;
  /** `api` is used even if it is the service of another installation. */
  readonly force?: boolean | undefined;
  readonly host?: string | undefined;
  readonly simulatorPort: number | undefined;
  /** The page that shows the fleet; its port absent: the default one, or the next free one. Absent: there is none. */
  readonly console?: ConsoleOptions | undefined;
  readonly logLevel: LogLevel;
  /** The progress of onboarding is not printed. */
  readonly isQuiet?: boolean | undefined;
}

/** What a user needs to know of a fleet without a service. */
export interface FleetFacts {
  readonly simulatorUrl: string;
  /** Null: there is none. */
  readonly consoleUrl: string | null;
  /** Null: in memory. */
  readonly mqttUrl: string | null;
  readonly boxes: number;
  readonly makerVehicles: number;
  readonly shard: Shard | undefined;
  readonly seed: number;
  readonly dataPath: string;
  readonly notices: readonly string[];
}

/** The plans of this process. */
interface Share extends DemoPlans {
  readonly everyBox: DemoPlans['vehicles'];
}

/** Starts boxes and what is around them: SIM providers, a vehicle maker, the control API. */
export function startFleetPart(options: FleetPartOptions): StartedPart<FleetFacts> {
  const disposables = new Disposables();
  const figures = new FiguresSource();
  const ready = start(options, disposables, figures).catch(async (error: unknown) => {
    await disposables.close();
    throw asUserError(error);
  });
  return { ready, reachable: ready, figures: figures.read, close: () => disposables.close() };
}

async function start(
  wanted: FleetPartOptions,
  disposables: Disposables,
  figures: FiguresSource,
): Promise<FleetFacts> {
  refuseFaultyModels();
  const notices = [...noticesOfFleet(wanted)];
  const { routes, onRoute, drives, remarks } = await demoRoutes(wanted.routeFile, wanted.drives);
  notices.push(...remarks);
  noteOpenHost(notices, wanted.host, ['simulator']);
  const directory = await openIdentity(wanted);
  holdOwnModels(directory.modelsPath, flashNamesIn(directory.path).length === 0);
  const { identity } = directory;
  const crypto = await realCrypto(identity.signing_key);
  const secrets = secretsOf(crypto, identity);
  const installation = signingKeyId(crypto);
  const share = await planShare(wanted, directory, { onRoute, drives }, secrets);
  if (wanted.api !== undefined && wanted.force !== true)
    await refuseOtherInstallation(wanted.api.url, '--url', directory.path);
  const options = { ...wanted, mqtt: await brokerOf(wanted, directory) };
  const world = await openWorld(options, directory, disposables);
  const plans = await onboarded(options, directory, share, world);

  const rampPerSecond =
    options.rampPerSecond ?? (options.link === 'memory' ? limits.memoryRampPerSecond : undefined);
  figures.readFrom(() => ({ boxes: plans.length, boxesReady: 0 }));
  const payloads = options.link === 'memory' ? undefined : await countPayloads(world, disposables);
  const account = simulatorAccount(options.host, secrets.simulatorPassword);
  const { fleet, received, app, weather } = await openFleet({
    world,
    plans,
    routes,
    ...(rampPerSecond === undefined ? {} : { rampPerSecond }),
    mqttUrl: options.link === 'memory' ? undefined : options.mqtt,
    hasOwnAddresses: options.localAddresses.length > 0,
    subscribeQos: options.subscribeQos,
    secrets,
    cars: share.cars,
    radio: options.radio,
    account,
    installation,
    disposables,
  });
  figures.readFrom(() => ({
    boxes: plans.length,
    boxesReady: fleet.readyCount(),
    boxesUncovered: fleet.uncoveredCount(),
    payloads: payloads?.(),
    frames: received?.().frames,
  }));
  weather.change(options.weather ?? 'none');
  const { host } = options;
  const server = await serveControl(
    { world, account, installation, disposables },
    { port: options.simulatorPort, host, notices },
    (request) => app.fetch(request),
  );
  const consoleUrl =
    options.console === undefined
      ? null
      : await startConsole({
          world,
          host,
          account,
          notices,
          disposables,
          seed: identity.seed,
          data: directory.path,
          ...options.console,
          sources: {
            control: (request) => app.fetch(request),
            service: serviceOf(options, identity, installation),
          },
          messages: undefined,
        });
  return {
    simulatorUrl: simulatorAddress(host, server.port, account),
    consoleUrl,
    mqttUrl: options.link === 'memory' ? null : withoutPassword(options.mqtt),
    boxes: plans.length,
    makerVehicles: share.cars.length,
    shard: options.shard,
    seed: identity.seed,
    dataPath: directory.path,
    notices,
  };
}

/** Where the fleet has an API, the console shows its data too. */
function serviceOf(
  { api, force }: FleetPartOptions,
  identity: Identity,
  installation: string,
): ServiceSource | undefined {
  if (api === undefined) return undefined;
  const ours = { clientId: identity.client_id, clientSecret: identity.client_secret };
  const fetch = fetchOf(force === true ? undefined : installation);
  return { baseUrl: api.url, fetch, ...(api.client ?? ours) };
}

/**
 * The prerequisites that a large fleet may lack here; throws a `CommandError` where it cannot work. A small one is not
 * checked.
 */
function noticesOfFleet({ vehicles, shard, link }: FleetPartOptions): readonly string[] {
  const boxes = Math.ceil(vehicles / (shard?.count ?? 1));
  if (boxes < checkLimits.checkedVehicles) return [];
  if (link === 'sockets')
    return refuseTooLargeFleet({ vehicles: boxes, hasBothEnds: false, isDriven: false });
  return refuseTooLargeFleet({ vehicles: boxes, hasBothEnds: false, isDriven: false }, () => [
    judgeMemoryLink(boxes, heapFacts()),
  ]);
}

/** The broker of the boxes; with a link in memory there is none. */
async function brokerOf({ mqtt, link }: FleetPartOptions, { path }: DataDirectory): Promise<string> {
  if (mqtt !== undefined || link === 'memory') return mqtt ?? '';
  return (await runningBrokers(path, realTime())).mqtt_url;
}

async function openWorld(
  options: FleetPartOptions & { readonly mqtt: string },
  directory: DataDirectory,
  disposables: Disposables,
): Promise<RealWorld> {
  const { identity } = directory;
  const log = realLog(options.logLevel);
  const mqttCa = mqttAuthority(options.mqtt, options.mqttCa);
  const world =
    options.link === 'memory'
      ? await openMemoryWorld({ seed: identity.seed, log })
      : await openRealWorld({
          seed: identity.seed,
          mqttUrl: options.mqtt,
          amqpUrl: undefined,
          log,
          ...(mqttCa === undefined ? {} : { mqttCa }),
          flash: directory.flashPath(options.shard),
          signingKey: identity.signing_key,
          localAddresses: options.localAddresses,
          subscribeQos: options.subscribeQos,
        });
  await disposables.add(() => world.close());
  return world;
}

/**
 * The boxes of this process: each Nth one of the fleet; the first shard also has those in stock, and the maker's cars.
 */
export async function planShare(
  options: Pick<FleetPartOptions, 'vehicles' | 'shard' | 'radio' | 'credentials' | 'link' | 'drivingPercent'>,
  { identity }: Pick<DataDirectory, 'identity'>,
  { onRoute, drives }: Pick<DemoRoutes, 'onRoute' | 'drives'>,
  secrets: Pick<IdentitySecrets, 'boxSecret'>,
): Promise<Share> {
  const { shard, credentials, link } = options;
  const percent = options.drivingPercent ?? (link === 'memory' ? limits.memoryDrivingPercent : undefined);
  const planned = planDemo(
    realRandom(identity.seed),
    options.vehicles,
    { ...onRoute, radio: options.radio },
    secrets.boxSecret,
  );
  const everyVehicle = replaying(
    percent === undefined ? planned.vehicles : driven(planned.vehicles, percent),
    drives,
  );
  const isFirst = shard === undefined || shard.index === 1;
  const vehicles = everyVehicle.filter(
    (_, index) => shard === undefined || index % shard.count === shard.index - 1,
  );
  const shelf = isFirst ? planned.shelf : [];
  const everyBox = [...vehicles, ...shelf];
  return {
    vehicles,
    shelf,
    cars: isFirst ? planned.cars : [],
    everyBox:
      credentials === undefined
        ? everyBox
        : withPasswords(everyBox, readCredentials(credentials), credentials),
  };
}

/** The boxes with the vehicle ids that the service gave them. */
async function onboarded(
  { api, force, isQuiet }: FleetPartOptions,
  { identity }: DataDirectory,
  { vehicles, everyBox }: Share,
  { time, crypto }: RealWorld,
): Promise<Share['everyBox']> {
  if (api === undefined) return everyBox;
  const client = api.client ?? { clientId: identity.client_id, clientSecret: identity.client_secret };
  let toldAt = 0;
  const ids = await onboardByApi({
    api: { url: api.url, ...client },
    boxes: vehicles,
    time,
    fetch: fetchOf(force === true ? undefined : signingKeyId(crypto), (request) =>
      fetch(request, { signal: AbortSignal.timeout(limits.placeTimeoutMs) }),
    ),
    progress: (done, of) => {
      if (isQuiet === true || (done < of && done - toldAt < limits.onboardingTold)) return;
      toldAt = done;
      process.stderr.write(`boxtwin: ${done} of ${of} vehicles are onboarded.\n`);
    },
  });
  return everyBox.map((plan) => ({ ...plan, vehicleId: ids.get(plan.boxId) ?? plan.vehicleId }));
}

/** Counts what boxes send: a box hands its connection one payload at a time, of one frame or more. */
async function countPayloads({ trace }: RealWorld, disposables: Disposables): Promise<() => number> {
  let payloads = 0;
  const unlisten = trace.listen(({ what }) => {
    if (what === 'frame-up') payloads += 1;
  });
  await disposables.add(unlisten);
  return () => payloads;
}
