import { type Service, startService } from '../backend/service.ts';
import { openSqliteStore } from '../backend/store/sqlite.ts';
import { type MqttBroker, startMqttBroker } from '../brokers/mqtt/broker.ts';
import { areEqual } from '../brokers/mqtt/sign-in.ts';
import { controlApp } from '../simulator/control/app.ts';
import { DEMO_SETTINGS } from '../simulator/demo-settings.ts';
import { type BoxPlan, type Fleet, type FleetBox, startFleet } from '../simulator/fleet.ts';
import { planFleet } from '../simulator/plan.ts';
import { type LogLevel, realLog } from '../world/real-log.ts';
import { realMint } from '../world/real-mint.ts';
import { realRandom } from '../world/real-random.ts';
import { makeSealKey, realSeal } from '../world/real-seal.ts';
import { realTime } from '../world/real-time.ts';
import { openRealWorld, type RealWorld } from '../world/real-world.ts';
import { sleep, type Time } from '../world/time.ts';
import type { ReadyFacts } from './banner.ts';
import { type DataDirectory, openDataDirectory } from './data-directory.ts';
import { onboardFleet } from './demo-fleet.ts';
import { Endings } from './endings.ts';
import { Failure } from './failure.ts';
import { serveHttp } from './http-server.ts';
import { limits } from './limits.ts';
import { listenOn } from './port.ts';
import { wireTap } from './wire-tap.ts';

/** Everything that `up` starts, in one process. */
export interface StationOptions {
  readonly vehicles: number;
  readonly seed: number | undefined;
  readonly port: number | undefined;
  readonly simulatorPort: number | undefined;
  readonly mqttPort: number | undefined;
  readonly data: string;
  readonly isFresh: boolean;
  readonly mqtt: string;
  readonly amqp: string;
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
  const notices: string[] = [];
  const directory = await openDirectory(options);
  const { identity } = directory;
  const log = realLog(options.logLevel);
  const seal = await realSeal(identity.signing_key);
  const plans = planFleet(realRandom(identity.seed), options.vehicles).map((plan) => ({
    ...plan,
    factorySettings: DEMO_SETTINGS,
    // The seed is no secret; the data directory's own password is.
    secret: seal.digest(`${identity.mqtt_password}/${plan.boxId}`),
  }));

  const store = openSqliteStore(directory.storePath);
  await endings.add(() => store.close());
  const broker =
    options.mqtt === 'embedded' ? await embeddedBroker(options, identity.mqtt_password, plans) : undefined;
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
  await onboardFleet(store, world, identity, plans);

  // The service's address is its issuer, so the port comes first and the service behind it; requests meanwhile wait.
  const queue = `VehicleState_v1-${DEMO_DISCRIMINATOR}`;
  const gate = Promise.withResolvers<Service>();
  const api = await listenOn(
    { port: options.port ?? DEFAULT_PORTS.api, isGiven: options.port !== undefined, option: '--port' },
    (port) => serveHttp(port, async (request) => (await gate.promise).fetch(request)),
  );
  noteMoved(notices, 'API', DEFAULT_PORTS.api, api.port, options.port);
  const baseUrl = `http://127.0.0.1:${api.port}`;
  const service = startService(world, store, {
    baseUrl,
    mqtt: {
      clientId: `backend-${identity.fleet_id}`,
      username: BACKEND_USER,
      password: identity.mqtt_password,
    },
    // The embedded broker forgets its sessions with the process, wills included.
    brokerIsNew: broker !== undefined,
    answerTimeoutMs: ANSWER_TIMEOUT_MS,
    queues: amqpUrl === undefined ? [] : [{ name: queue, fleetId: identity.fleet_id }],
  });
  gate.resolve(service);
  await endings.add(() => service.stop());
  await endings.add(() => {
    // Who waits for a box is answered while there is still a socket to answer on.
    service.release();
    return api.server.close();
  });
  await startedWithNotice(service, world.time, withoutPassword(mqttUrl));

  const fleet: Fleet = await startFleet(world, plans);
  await endings.add(() => fleet.stop());
  await someReady(fleet, world.time);
  const simulator = await startSimulator(options, fleet, world);
  await endings.add(() => simulator.server.close());
  noteMoved(notices, 'simulator', DEFAULT_PORTS.simulator, simulator.port, options.simulatorPort);

  return {
    baseUrl,
    simulatorUrl: `http://127.0.0.1:${simulator.port}`,
    mqttUrl: withoutPassword(mqttUrl),
    amqpUrl: amqpUrl ?? null,
    queue: amqpUrl === undefined ? null : queue,
    fleetId: identity.fleet_id,
    clientId: identity.client_id,
    clientSecret: identity.client_secret,
    vehicles: plans.length,
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

function startSimulator(options: StationOptions, fleet: Fleet, world: RealWorld) {
  const app = controlApp(fleet, wireTap(world.trace, world.time));
  const wish = {
    port: options.simulatorPort ?? DEFAULT_PORTS.simulator,
    isGiven: options.simulatorPort !== undefined,
    option: '--simulator-port',
  };
  return listenOn(wish, (port) => serveHttp(port, (request) => app.fetch(request)));
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
