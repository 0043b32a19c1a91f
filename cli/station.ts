import { queueName, TOPICS } from '../backend/events/topics.ts';
import { type Service, startService } from '../backend/service.ts';
import { openSqliteStore } from '../backend/store/sqlite.ts';
import { type MqttBroker, startMqttBroker } from '../brokers/mqtt/broker.ts';
import { areEqual } from '../brokers/mqtt/sign-in.ts';
import { controlApp } from '../simulator/control/app.ts';
import { type BoxPlan, type Fleet, type FleetBox, startFleet } from '../simulator/fleet.ts';
import { startMakerCloud } from '../simulator/maker-cloud/cloud.ts';
import { planCars } from '../simulator/maker-cloud/plan.ts';
import { planFleet, planShelf } from '../simulator/plan.ts';
import { ROUTES } from '../simulator/routes/routes.ts';
import { SIM_PROVIDER_NAMES, type SimProviderName } from '../simulator/sim-provider/names.ts';
import { simProviders } from '../simulator/sim-provider/providers.ts';
import { type LogLevel, realLog } from '../world/real-log.ts';
import { realMint } from '../world/real-mint.ts';
import { realRandom } from '../world/real-random.ts';
import { makeSealKey, realSeal } from '../world/real-seal.ts';
import { realTime } from '../world/real-time.ts';
import { openRealWorld, type RealWorld } from '../world/real-world.ts';
import { sleep, type Time } from '../world/time.ts';
import type { ReadyFacts } from './banner.ts';
import { refuseFaultyModels } from './checked-models.ts';
import { type DataDirectory, openDataDirectory } from './data-directory.ts';
import { configureDemo } from './demo-configuration.ts';
import { DEMO_MAKER, demoUser, linkCars, onboardFleet } from './demo-fleet.ts';
import { Endings } from './endings.ts';
import { Failure } from './failure.ts';
import { serveHttp } from './http-server.ts';
import { limits } from './limits.ts';
import { listenOn } from './port.ts';
import { referenceAssets } from './reference-assets.ts';
import { readRouteFile } from './route-file.ts';
import { makeSwitchboard } from './service-switches.ts';
import { wireTap } from './wire-tap.ts';

/** Everything that `up` starts, in one process. */
export interface StationOptions {
  readonly vehicles: number;
  readonly seed: number | undefined;
  /** Ports: 0 is any free one; undefined the usual one, or the next that is free. */
  readonly port: number | undefined;
  readonly simulatorPort: number | undefined;
  readonly mqttPort: number | undefined;
  /** A GPX or GeoJSON file along which the vehicles with boxes drive; absent: the routes of their plans. */
  readonly routeFile?: string;
  readonly data: string;
  readonly isFresh: boolean;
  readonly mqtt: string;
  readonly amqp: string;
  /** Where each 500 is told; undefined: nowhere. */
  readonly alertUrl?: string | undefined;
  /** Calls of one client in a minute; absent: the service's own. */
  readonly rateLimit?: number;
  /** How long a box may stay silent on a command, in seconds; absent: 20. */
  readonly answerTimeoutS?: number;
  /** Where else the demo client's code flow may lead back to. */
  readonly redirectUri?: string;
  readonly logLevel: LogLevel;
}

export interface Station {
  readonly ready: Promise<ReadyFacts>;
  /** Ends everything, also while it is still starting, the last started first; what was acknowledged stays. */
  close(): Promise<void>;
}

const DEFAULT_PORTS = { api: 8080, simulator: 8090, mqtt: 1883 } as const;
const DEMO_DISCRIMINATOR = 'demo';
const BACKEND_USER = 'backend';
/** How long a box may stay silent on a command. */
const ANSWER_TIMEOUT_MS = 20_000;

/**
 * Starts it all. `ready` resolves when boxes may connect and requests are answered, and rejects with a `Failure` where
 * something that the user gave cannot be used; whatever had been started is ended again then.
 */
export function startStation(options: StationOptions): Station {
  const endings = new Endings();
  const ready = raise(options, endings).catch(async (error: unknown) => {
    await endings.close();
    throw inUsersTerms(error);
  });
  return { ready, close: () => endings.close() };
}

async function raise(options: StationOptions, endings: Endings): Promise<ReadyFacts> {
  refuseFaultyModels();
  const notices: string[] = [];
  const given = options.routeFile === undefined ? undefined : await readRouteFile(options.routeFile);
  const routes = given === undefined ? ROUTES : new Map([...ROUTES, [given.name, given]]);
  const onRoute = given === undefined ? {} : { route: given.name };
  const directory = await openDirectory(options);
  const { identity } = directory;
  const log = realLog(options.logLevel);
  const seal = await realSeal(identity.signing_key);
  // The seed is no secret; the data directory's own password is.
  const secretOf = (boxId: string) => seal.digest(`${identity.mqtt_password}/${boxId}`);
  const random = realRandom(identity.seed);
  const plans = planFleet(random, options.vehicles).map((plan) => ({
    ...plan,
    ...onRoute,
    secret: secretOf(plan.boxId),
  }));
  const shelf = planShelf(random, plans).map((plan) => ({
    ...plan,
    ...onRoute,
    secret: secretOf(plan.boxId),
  }));
  const everyBox = [...plans, ...shelf];
  // Beside the vehicles with boxes a car and a scooter have their maker's telematics.
  const cars = planCars(random, options.vehicles > 0 ? 2 : 0, ['electric-estate', 'electric-scooter']);

  const store = openSqliteStore(directory.storePath);
  await endings.add(() => store.close());
  const broker =
    options.mqtt === 'embedded' ? await embeddedBroker(options, identity.mqtt_password, everyBox) : undefined;
  if (broker !== undefined) await endings.add(() => broker.close());
  const mqttUrl = broker?.url ?? options.mqtt;
  if (broker !== undefined) noteMoved(notices, 'MQTT', DEFAULT_PORTS.mqtt, broker.port, options.mqttPort);
  const amqpUrl = options.amqp === 'none' ? undefined : options.amqp;
  const world: RealWorld = await openRealWorld({
    seed: identity.seed,
    mqttUrl,
    amqpUrl,
    flashPath: directory.flashPath,
    sealKey: identity.signing_key,
    log,
  });
  await endings.add(() => world.close());
  const user = demoUser(seal, identity);
  await onboardFleet(store, world, identity, plans, shelf, { user, redirectUri: options.redirectUri });
  await linkCars(store, world, identity, cars);
  const switchboard = await makeSwitchboard(store, world, identity.fleet_id);

  // The service's address is its issuer, so the port comes first and the service behind it; requests meanwhile wait.
  const queues = TOPICS.map(({ topic, message }) => ({
    name: queueName(topic, DEMO_DISCRIMINATOR),
    fleetId: identity.fleet_id,
    messages: message,
  }));
  const gate = Promise.withResolvers<Service>();
  const api = await listenOn(
    { port: options.port ?? DEFAULT_PORTS.api, isGiven: options.port !== undefined, option: '--port' },
    (port) => serveHttp(port, async (request, peer) => (await gate.promise).fetch(request, peer)),
  );
  // Until the service stands behind it, it ends by itself: what fails in between must not leave it listening.
  await endings.add(() => api.server.close());
  noteMoved(notices, 'API', DEFAULT_PORTS.api, api.server.port, options.port);
  const baseUrl = `http://127.0.0.1:${api.server.port}`;
  // The SIM providers stand below the simulator, and the service must know where.
  const faceGate = Promise.withResolvers<ReturnType<typeof controlApp>>();
  const simulator = await listenOn(simulatorWish(options), (port) =>
    serveHttp(port, async (request) => (await faceGate.promise).fetch(request)),
  );
  await endings.add(() => simulator.server.close());
  noteMoved(notices, 'simulator', DEFAULT_PORTS.simulator, simulator.server.port, options.simulatorPort);
  const simulatorUrl = `http://127.0.0.1:${simulator.server.port}`;
  const simKeys = simApiKeys((name) => seal.digest(`${identity.mqtt_password}/sim/${name}`));
  const reference = referenceAssets();
  const makerKey = seal.digest(`${identity.mqtt_password}/maker/${DEMO_MAKER}`);
  const service = startService(world, switchboard.store, {
    baseUrl,
    accessTokenS: switchboard.accessTokenS,
    ...(options.rateLimit === undefined ? {} : { requestsPerMinute: options.rateLimit }),
    mqtt: {
      clientId: `backend-${identity.fleet_id}`,
      username: BACKEND_USER,
      password: identity.mqtt_password,
    },
    // The embedded broker forgets its sessions with the process, wills included.
    brokerIsNew: broker !== undefined,
    answerTimeoutMs:
      options.answerTimeoutS === undefined ? ANSWER_TIMEOUT_MS : options.answerTimeoutS * 1_000,
    ...(options.alertUrl === undefined ? {} : { alertUrl: options.alertUrl }),
    ...(reference === undefined ? {} : { reference }),
    simProviders: Object.fromEntries(
      SIM_PROVIDER_NAMES.map((name) => [
        name,
        { baseUrl: `${simulatorUrl}/sim-providers/${name}`, apiKey: simKeys[name] },
      ]),
    ),
    makers:
      cars.length === 0
        ? {}
        : { [DEMO_MAKER]: { baseUrl: `${simulatorUrl}/makers/${DEMO_MAKER}`, apiKey: makerKey } },
    queues: amqpUrl === undefined ? [] : queues,
  });
  gate.resolve(service);
  await endings.add(() => service.stop());
  await endings.add(() => {
    // Who waits for a box is answered while there is still a socket to answer on.
    service.release();
    return api.server.close();
  });
  await startedWithNotice(service, world.time, withoutPassword(mqttUrl));

  const fleet: Fleet = await startFleet(world, everyBox, routes);
  await endings.add(() => fleet.stop());
  const cloud = await startMakerCloud(world, { name: DEMO_MAKER, apiKey: makerKey, cars });
  await endings.add(() => cloud.stop());
  await someReady(fleet, world.time);
  const demo = await configureDemo({
    service,
    store,
    fleet,
    baseUrl,
    identity,
    world,
    log,
  });
  await endings.add(demo.end);
  const sims = simProviders({ time: world.time, fleet: () => fleet, apiKeys: simKeys });
  faceGate.resolve(
    controlApp(
      fleet,
      wireTap(world.trace, world.time),
      switchboard.switches,
      sims,
      cars.length === 0 ? [] : [cloud],
      async (vehicleId) => (await store.vehicles.find(vehicleId))?.boxId,
    ),
  );

  return {
    baseUrl,
    simulatorUrl,
    mqttUrl: withoutPassword(mqttUrl),
    amqpUrl: amqpUrl ?? null,
    queue: amqpUrl === undefined ? null : queueName('VehicleState_v1', DEMO_DISCRIMINATOR),
    fleetId: identity.fleet_id,
    clientId: identity.client_id,
    clientSecret: identity.client_secret,
    user,
    vehicles: plans.length,
    makerVehicles: cars.length,
    boxes: everyBox.map(({ vehicleId, boxId, model, vin, licensePlate }) => ({
      vehicleId: vehicleId || null,
      boxId,
      model,
      vin,
      licensePlate,
    })),
    example: exampleCommand(plans),
    dataPath: directory.path,
    seed: identity.seed,
    notices,
  };
}

/** A command that works as it stands: a moving vehicle refuses to be unlocked. */
function exampleCommand(plans: readonly BoxPlan[]): ReadyFacts['example'] {
  const parked = plans.find((plan) => !plan.driving);
  if (parked !== undefined) return { vehicleId: parked.vehicleId, command: 'unlock-central-lock' };
  const [first] = plans;
  return first === undefined ? undefined : { vehicleId: first.vehicleId, command: 'request-vehicle-state' };
}

/** A broker of somebody else's may not be there yet: says so once, and waits. */
async function startedWithNotice(service: Service, time: Time, mqttUrl: string): Promise<void> {
  const takeBack = time.alarm(time.nowMs() + limits.brokerNoticeMs, () => {
    process.stderr.write(`boxtwin: waiting for the MQTT broker at ${mqttUrl}; Ctrl-C ends it.\n`);
  });
  await service.started;
  takeBack();
}

function openDirectory(options: StationOptions): Promise<DataDirectory> {
  const mint = realMint(realTime());
  return openDataDirectory({
    path: options.data,
    isFresh: options.isFresh,
    seed: options.seed,
    create: async () => ({
      fleet_id: mint.code(6),
      client_id: `demo-${mint.code(6).toLowerCase()}`,
      client_secret: mint.secret(24),
      mqtt_password: mint.secret(24),
      signing_key: { ...(await makeSealKey()) },
    }),
  });
}

async function embeddedBroker(
  options: StationOptions,
  password: string,
  plans: readonly BoxPlan[],
): Promise<MqttBroker> {
  const secrets = new Map(plans.map((plan) => [plan.boxId, plan.secret]));
  const wish = {
    port: options.mqttPort ?? DEFAULT_PORTS.mqtt,
    isGiven: options.mqttPort !== undefined,
    option: '--mqtt-port',
  };
  const { server } = await listenOn(wish, (port) =>
    startMqttBroker({
      host: '127.0.0.1',
      port,
      backend: { username: BACKEND_USER, password },
      authenticate: async (boxId, secret) => {
        const expected = secrets.get(boxId);
        return expected !== undefined && areEqual(secret, expected);
      },
      log: realLog(options.logLevel),
    }),
  );
  return server;
}

function simulatorWish(options: StationOptions) {
  return {
    port: options.simulatorPort ?? DEFAULT_PORTS.simulator,
    isGiven: options.simulatorPort !== undefined,
    option: '--simulator-port',
  };
}

function simApiKeys(make: (name: string) => string): Readonly<Record<SimProviderName, string>> {
  return { meridian: make('meridian'), harbour: make('harbour'), tundra: make('tundra') };
}

/** Whoever pastes the banner's lines at once should meet a box: waits for all of a small fleet, a little for a large one. */
async function someReady(fleet: Fleet, time: Time): Promise<void> {
  const untilMs = time.nowMs() + limits.readyWaitMs;
  const isReady = (box: FleetBox) => box.belief()['session'] === 'ready';
  const looked = [...fleet.boxes.values()].slice(0, limits.readyBoxes);
  while (time.nowMs() < untilMs && !looked.every(isReady)) await sleep(time, 50);
}

function noteMoved(
  notices: string[],
  name: string,
  usual: number,
  port: number,
  given: number | undefined,
): void {
  if (given === undefined && port !== usual)
    notices.push(`port ${usual} is taken, so the ${name} listens on ${port}`);
}

function withoutPassword(address: string): string {
  const url = new URL(address);
  url.password = '';
  return url.username === '' ? address : url.href;
}

/** Errors of opening that tell the user what to do; all others stay what they are. */
function inUsersTerms(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const advice: Record<string, string> = {
    StoreInUse: 'Is another "boxtwin up" running on it? Give another directory with --data.',
    StoreTooNew: 'Use that version, or another directory with --data.',
    FlashInUse: 'Is another "boxtwin up" running on it? Give another directory with --data.',
    FlashTooNew: 'Use that version, or another directory with --data.',
    FlashBroken: 'Mend the file, or use --fresh to start anew.',
    StoreFailed: 'Free space or mend the file, or use --fresh to start anew.',
  };
  const hint = advice[error.name];
  return hint === undefined ? error : new Failure(`${error.message} ${hint}`);
}
