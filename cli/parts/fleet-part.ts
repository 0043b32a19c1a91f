import type { ServiceSource } from '../../console/server/sources.ts';
import { controlApp } from '../../simulator/control/app.ts';
import { type Fleet, startFleet } from '../../simulator/fleet/fleet.ts';
import { startMemoryFleet } from '../../simulator/fleet/memory-fleet.ts';
import { startMakerCloud } from '../../simulator/maker-cloud/cloud.ts';
import { coverageOf } from '../../simulator/radio/coverage.ts';
import type { RadioSetting } from '../../simulator/radio/radio-setting.ts';
import { simProviders } from '../../simulator/sim-provider/providers.ts';
import { FleetWeather } from '../../simulator/weather/fleet-weather.ts';
import type { WeatherPresetName } from '../../simulator/weather/presets.ts';
import { realCrypto } from '../../world/crypto/real-crypto.ts';
import { type LogLevel, realLog } from '../../world/log/real-log.ts';
import { openMemoryWorld } from '../../world/memory-world.ts';
import type { SubscribeQos } from '../../world/mqtt/real-mqtt-session.ts';
import { realRandom } from '../../world/random/real-random.ts';
import { openRealWorld, type RealWorld } from '../../world/real-world.ts';
import { refuseTooLargeFleet } from '../checks/fleet-checks.ts';
import { heapFacts } from '../checks/fleet-facts.ts';
import { judgeMemoryLink } from '../checks/fleet-judges.ts';
import { limits as checkLimits } from '../checks/limits.ts';
import { type ConsoleOptions, startConsole } from '../console/start-console.ts';
import { DEMO_MAKER } from '../demo/demo-fleet.ts';
import {
  type DemoPlans,
  type DemoRoutes,
  demoRoutes,
  driven,
  planDemo,
  replaying,
} from '../demo/demo-plans.ts';
import { openBoxFaults } from '../faults/box-faults.ts';
import { liveFaults } from '../faults/live-fault-parts.ts';
import { limits } from '../limits.ts';
import { FiguresSource, type LiveFigures } from '../live/live-figures.ts';
import { holdOwnModels } from '../models/held-models.ts';
import { refuseFaultyModels } from '../server/checked-models.ts';
import { type DataDirectory, flashNamesIn, type Identity, type Shard } from '../server/data-directory.ts';
import { simApiKeys } from '../server/demo-service-settings.ts';
import { DEFAULT_PORTS, noteOpenHost, noteOtherPort } from '../server/deployment-options.ts';
import { wireTap } from '../server/frame-tap.ts';
import { serveHttp } from '../server/http-server.ts';
import { type IdentitySecrets, secretsOf } from '../server/identity-secrets.ts';
import { openIdentity } from '../server/open-identity.ts';
import { listenOn } from '../server/port.ts';
import { accountRefusal, simulatorAccount, simulatorAddress } from '../server/simulator-guard.ts';
import { mqttAuthority } from '../shared/authority-file.ts';
import { Disposables } from '../shared/disposables.ts';
import type { DriveFiles } from '../shared/drive-files.ts';
import { asUserError, withoutPassword } from '../shared/user-errors.ts';
import { type OnboardingApi, onboardByApi } from './api-onboarding.ts';
import { readCredentials, withPasswords } from './credentials-file.ts';
import type { StartedPart } from './run-part.ts';

/** What a fleet is started with where service and brokers are elsewhere. */
export interface FleetPartOptions {
  readonly vehicles: number;
  readonly seed: number | undefined;
  /** Absent: the whole fleet. */
  readonly shard?: Shard | undefined;
  /** Connects a second; absent: the simulator's own. */
  readonly rampPerSecond?: number | undefined;
  /** `memory`: broker, flash and a receiver of records are in this process, and `mqtt` is not used. */
  readonly link: 'sockets' | 'memory';
  /** How many in a hundred vehicles drive; absent: as the seed has it, or with a link in memory few. */
  readonly drivingPercent?: number | undefined;
  readonly mqtt: string;
  /** A file with the certificate authority of an mqtts:// broker, in PEM form. */
  readonly mqttCa?: string | undefined;
  /** Addresses of this machine that boxes connect from, in turn. */
  readonly localAddresses: readonly string[];
  /** At which quality of service boxes subscribe; absent: 1. */
  readonly subscribeQos?: SubscribeQos | undefined;
  /** A file with the passwords of the boxes; absent: those of the data directory. */
  readonly credentials?: string | undefined;
  /** Where vehicles are onboarded; absent: the service knows them already. `client` absent: that of the data directory. */
  readonly api?: { readonly url: string; readonly client?: Omit<OnboardingApi, 'url'> } | undefined;
  readonly routeFile?: string | undefined;
  /** Recorded drives that the first vehicles of the whole fleet replay. */
  readonly drives?: DriveFiles | undefined;
  readonly radio: RadioSetting;
  /** What networks do to the fleet; absent: `none`. */
  readonly weather?: WeatherPresetName | undefined;
  readonly data: string;
  readonly host?: string | undefined;
  readonly simulatorPort: number | undefined;
  /** The page that shows the fleet; its port absent: the usual one, or the next that is free. Absent: there is none. */
  readonly console?: ConsoleOptions | undefined;
  readonly logLevel: LogLevel;
}

/** What a user needs of a fleet that runs by itself. */
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

/** What of the plans this process has. */
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
  options: FleetPartOptions,
  disposables: Disposables,
  figures: FiguresSource,
): Promise<FleetFacts> {
  refuseFaultyModels();
  const notices = [...noticesOfFleet(options)];
  const { routes, onRoute, drives, remarks } = await demoRoutes(options.routeFile, options.drives);
  notices.push(...remarks);
  noteOpenHost(notices, options.host, ['simulator']);
  const directory = await openIdentity(options);
  holdOwnModels(directory.modelsPath, flashNamesIn(directory.path).length === 0);
  const { identity } = directory;
  const crypto = await realCrypto(identity.signing_key);
  const secrets = secretsOf(crypto, identity);
  const world = await openWorld(options, directory, disposables);
  const share = await planShare(options, directory, { onRoute, drives }, secrets);
  const plans = await onboarded(options, directory, share, world);

  const rampPerSecond =
    options.rampPerSecond ?? (options.link === 'memory' ? limits.memoryRampPerSecond : undefined);
  const settings = { routes, ...(rampPerSecond === undefined ? {} : { rampPerSecond }) };
  figures.readFrom(() => ({ boxes: plans.length, boxesReady: 0 }));
  let fleetNow: Fleet | undefined;
  const boxOf = (boxId: string) => fleetNow?.boxes.get(boxId);
  const boxFaults = await openBoxFaults({
    ...{ world, boxes: plans, boxOf, disposables, subscribeQos: options.subscribeQos },
    mqttUrl: options.link === 'memory' ? undefined : options.mqtt,
    hasOwnAddresses: options.localAddresses.length > 0,
  });
  const ofBoxes = { ...world, mqtt: boxFaults.mqtt, flash: boxFaults.flash };
  const { fleet, sent } = await startBoxes(options, ofBoxes, plans, settings, disposables);
  fleetNow = fleet;
  figures.readFrom(() => ({ boxes: plans.length, boxesReady: fleet.readyCount(), ...sent() }));
  const cloud = await startMakerCloud(world, {
    ...{ name: DEMO_MAKER, apiKey: secrets.makerKey(DEMO_MAKER), cars: share.cars },
  });
  await disposables.add(() => cloud.stop());
  const sims = simProviders({ time: world.time, fleet: () => fleet, apiKeys: simApiKeys(secrets) });
  const account = simulatorAccount(options.host, secrets.simulatorPassword);
  const weather = new FleetWeather(world.time, world.random, fleet);
  await disposables.add(() => weather.stop());
  weather.change(options.weather ?? 'none');
  const elsewhere = { trouble: 'The service is in another process.' };
  const faults = liveFaults({
    ...{ time: world.time, boxOf, boxIds: () => [...fleet.boxes.keys()], sims: () => sims },
    cloud: () => (share.cars.length === 0 ? undefined : cloud),
    ...{ flashFaults: boxFaults.flashFaults, links: boxFaults.links },
    ...{ exchange: elsewhere, store: elsewhere },
  });
  await disposables.add(() => faults.stop());
  const control = controlApp(fleet, wireTap(world.trace, world.time), {
    ...{ sims, weather, faults, clouds: share.cars.length === 0 ? [] : [cloud] },
    map: { routes, coverage: options.radio === 'road' ? coverageOf(world.random) : undefined },
    hosts: account === undefined ? 'loopback' : 'any',
  });
  const { host, simulatorPort } = options;
  const { server } = await listenOn(
    {
      port: simulatorPort ?? DEFAULT_PORTS.simulator,
      isGiven: simulatorPort !== undefined,
      option: '--simulator-port',
    },
    (port) =>
      serveHttp({ port, host }, (request) => accountRefusal(request, account) ?? control.fetch(request)),
  );
  await disposables.add(() => server.close());
  noteOtherPort(notices, 'the simulator', DEFAULT_PORTS.simulator, server.port, simulatorPort);
  const consoleUrl =
    options.console === undefined
      ? null
      : await startConsole({
          ...{ world, host, account, notices, disposables, seed: identity.seed, data: directory.path },
          ...options.console,
          sources: { control: (request) => control.fetch(request), service: serviceOf(options, identity) },
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

/** Where there is an API for the fleet, the console shows what that says, too. */
function serviceOf({ api }: FleetPartOptions, identity: Identity): ServiceSource | undefined {
  if (api === undefined) return undefined;
  const ours = { clientId: identity.client_id, clientSecret: identity.client_secret };
  return { baseUrl: api.url, fetch: (request) => fetch(request), ...(api.client ?? ours) };
}

/** What a large fleet may lack here; throws a `CommandError` where it cannot work. A small one is not looked at. */
function noticesOfFleet({ vehicles, shard, link }: FleetPartOptions): readonly string[] {
  const boxes = Math.ceil(vehicles / (shard?.count ?? 1));
  if (boxes < checkLimits.checkedVehicles) return [];
  if (link === 'sockets')
    return refuseTooLargeFleet({ vehicles: boxes, hasBothEnds: false, isDriven: false });
  return refuseTooLargeFleet({ vehicles: boxes, hasBothEnds: false, isDriven: false }, () => [
    judgeMemoryLink(boxes, heapFacts()),
  ]);
}

async function openWorld(
  options: FleetPartOptions,
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
          ...{ seed: identity.seed, mqttUrl: options.mqtt, amqpUrl: undefined, log },
          ...(mqttCa === undefined ? {} : { mqttCa }),
          flash: directory.flashPath(options.shard),
          signingKey: identity.signing_key,
          localAddresses: options.localAddresses,
          subscribeQos: options.subscribeQos,
        });
  await disposables.add(() => world.close());
  return world;
}

/** The boxes of this process: each Nth one of the fleet; the first shard also has those in stock, and the maker's cars. */
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
  { api }: FleetPartOptions,
  { identity }: DataDirectory,
  { vehicles, everyBox }: Share,
  { time }: RealWorld,
): Promise<Share['everyBox']> {
  if (api === undefined) return everyBox;
  const client = api.client ?? { clientId: identity.client_id, clientSecret: identity.client_secret };
  let toldAt = 0;
  const ids = await onboardByApi({
    api: { url: api.url, ...client },
    boxes: vehicles,
    time,
    fetch: (request) => fetch(request, { signal: AbortSignal.timeout(limits.placeTimeoutMs) }),
    progress: (done, of) => {
      if (done < of && done - toldAt < limits.onboardingTold) return;
      toldAt = done;
      process.stderr.write(`boxtwin: ${done} of ${of} vehicles are onboarded.\n`);
    },
  });
  return everyBox.map((plan) => ({ ...plan, vehicleId: ids.get(plan.boxId) ?? plan.vehicleId }));
}

/** The boxes, and what they have sent. */
async function startBoxes(
  { link }: FleetPartOptions,
  world: RealWorld,
  plans: Share['everyBox'],
  settings: Parameters<typeof startFleet>[2],
  disposables: Disposables,
): Promise<{ readonly fleet: Fleet; sent(): Pick<LiveFigures, 'frames' | 'payloads'> }> {
  if (link === 'memory') {
    const memory = await startMemoryFleet(world, plans, settings);
    await disposables.add(() => memory.stop());
    return { fleet: memory.fleet, sent: () => ({ frames: memory.counts().frames }) };
  }
  let payloads = 0;
  // What a box hands to its connection is one payload, of one frame or more.
  const unlisten = world.trace.listen(({ what }) => {
    if (what === 'frame-up') payloads += 1;
  });
  await disposables.add(unlisten);
  const fleet = await startFleet(world, plans, settings);
  await disposables.add(() => fleet.stop());
  return { fleet, sent: () => ({ payloads }) };
}
