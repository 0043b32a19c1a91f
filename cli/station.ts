import { processMetrics } from '../backend/metrics/process-metrics.ts';
import { type Service, startService } from '../backend/service.ts';
import { openSqliteStore } from '../backend/store/sqlite.ts';
import { controlApp } from '../simulator/control/app.ts';
import { type Fleet, type FleetBox, startFleet } from '../simulator/fleet.ts';
import { startMakerCloud } from '../simulator/maker-cloud/cloud.ts';
import { SIM_PROVIDER_NAMES, type SimProviderName } from '../simulator/sim-provider/names.ts';
import { simProviders } from '../simulator/sim-provider/providers.ts';
import { Road } from '../simulator/vehicle/road.ts';
import { realFiles } from '../world/real-files.ts';
import { realHttp } from '../world/real-http.ts';
import { realLog } from '../world/real-log.ts';
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
import {
  DEMO_MAKER,
  demoUser,
  linkCars,
  onboardFleet,
  REFERENCE_CLIENT,
  registerReferencePage,
} from './demo-fleet.ts';
import { subscribeDemo } from './demo-messages.ts';
import { demoRoutes, exampleCommand, parked, planDemo } from './demo-plans.ts';
import { driveDemo } from './drivers/demo-drivers.ts';
import type { Drivers } from './drivers/drivers.ts';
import { askedOf } from './drivers/touch.ts';
import { BACKEND_USER, startEmbeddedMqtt } from './embedded-mqtt.ts';
import { Endings } from './endings.ts';
import { Failure } from './failure.ts';
import { serveHttp } from './http-server.ts';
import { limits } from './limits.ts';
import { listenOn } from './port.ts';
import { referenceAssets } from './reference-assets.ts';
import { makeSwitchboard } from './service-switches.ts';
import { openAmqp } from './station-amqp.ts';
import { DEFAULT_PORTS, noteMoved, type StationOptions } from './station-options.ts';
import { inUsersTerms, withoutPassword } from './users-terms.ts';
import { wireTap } from './wire-tap.ts';

export interface Station {
  readonly ready: Promise<ReadyFacts>;
  /** Ends everything, also while it is still starting, the last started first; what was acknowledged stays. */
  close(): Promise<void>;
}

/** How long a box may stay silent on a command. */
const ANSWER_TIMEOUT_MS = 20_000;
/** Of the password with which the messages of the demo fleet are read. */
const PASSWORD_DIGITS = 32;

/**
 * Starts it all. `ready` resolves when boxes may connect and requests are answered, and rejects with a `Failure` where
 * something that the user gave cannot be used; whatever had been started is ended again then, and a data directory that
 * was not there before is gone again.
 */
export function startStation(options: StationOptions): Station {
  const endings = new Endings();
  let isClosed = false;
  let directory: DataDirectory | undefined;
  const ready = raise(options, endings, (opened) => {
    directory = opened;
  }).catch(async (error: unknown) => {
    await endings.close();
    const told = inUsersTerms(error);
    // What was refused has done nothing; whoever ends a start, or a start that breaks, may have.
    if (told instanceof Failure && !isClosed) directory?.takeBack();
    throw told;
  });
  const close = (): Promise<void> => {
    isClosed = true;
    return endings.close();
  };
  return { ready, close };
}

async function raise(
  options: StationOptions,
  endings: Endings,
  opened: (directory: DataDirectory) => void,
): Promise<ReadyFacts> {
  refuseFaultyModels();
  const notices: string[] = [];
  const { routes, onRoute } = await demoRoutes(options.routeFile);
  const directory = await openDirectory(options);
  opened(directory);
  const { identity } = directory;
  const log = realLog(options.logLevel);
  const seal = await realSeal(identity.signing_key);
  // The seed is no secret; the data directory's own password is.
  const secretOf = (boxId: string) => seal.digest(`${identity.mqtt_password}/${boxId}`);
  const random = realRandom(identity.seed);
  const planned = planDemo(
    random,
    options.vehicles,
    { ...onRoute, radio: options.radio ?? 'ideal' },
    secretOf,
  );
  const isDriven = options.drivers === true;
  const vehicles = isDriven ? parked(planned.vehicles) : planned.vehicles;
  const cars = isDriven ? parked(planned.cars) : planned.cars;
  const { shelf } = planned;
  const everyBox = [...vehicles, ...shelf];

  const store = openSqliteStore(directory.storePath);
  await endings.add(() => store.close());
  const broker =
    options.mqtt === 'embedded'
      ? await startEmbeddedMqtt({ options, password: identity.mqtt_password, boxes: everyBox, log, notices })
      : undefined;
  if (broker !== undefined) await endings.add(() => broker.close());
  const mqttUrl = broker?.url ?? options.mqtt;
  const amqp = await openAmqp({
    ...{ options, directory, store, seal, log, notices },
    http: realHttp(),
    nowMs: realTime().nowMs(),
  });
  if (amqp !== undefined) await endings.add(() => amqp.close());
  const world: RealWorld = await openRealWorld({
    seed: identity.seed,
    mqttUrl,
    amqpUrl: amqp?.url,
    ...(amqp?.ca === undefined ? {} : { amqpCa: amqp.ca }),
    flashPath: directory.flashPath,
    sealKey: identity.signing_key,
    log,
  });
  await endings.add(() => world.close());
  const user = demoUser(seal, identity);
  await onboardFleet(store, world, identity, vehicles, shelf, { user, redirectUri: options.redirectUri });
  await linkCars(store, world, identity, cars);
  const switchboard = await makeSwitchboard(store, world, identity.fleet_id);

  // The service's address is its issuer, so the port comes first and the service behind it; requests meanwhile wait.
  const gate = Promise.withResolvers<Service>();
  let drivers: Pick<Drivers, 'answered' | 'pulled'> | undefined;
  const api = await listenOn(
    { port: options.port ?? DEFAULT_PORTS.api, isGiven: options.port !== undefined, option: '--port' },
    (port) =>
      serveHttp(port, async (request, peer) => {
        const answer = await (await gate.promise).fetch(request, peer);
        drivers?.answered(askedOf(request, answer));
        return answer;
      }),
  );
  // Until the service stands behind it, it ends by itself: what fails in between must not leave it listening.
  await endings.add(() => api.server.close());
  noteMoved(notices, 'the API', DEFAULT_PORTS.api, api.server.port, options.port);
  const baseUrl = `http://127.0.0.1:${api.server.port}`;
  await registerReferencePage(store, world, identity.fleet_id, baseUrl);
  // The SIM providers stand below the simulator, and the service must know where.
  const faceGate = Promise.withResolvers<ReturnType<typeof controlApp>>();
  const simulator = await listenOn(simulatorWish(options), (port) =>
    serveHttp(port, async (request) => {
      const answer = await (await faceGate.promise).fetch(request);
      drivers?.pulled(askedOf(request, answer));
      return answer;
    }),
  );
  await endings.add(() => simulator.server.close());
  noteMoved(notices, 'the simulator', DEFAULT_PORTS.simulator, simulator.server.port, options.simulatorPort);
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
    ...(reference === undefined ? {} : { reference: { ...reference, clientId: REFERENCE_CLIENT } }),
    ...(options.corsOrigins === undefined ? {} : { corsOrigins: options.corsOrigins }),
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
    queues: [],
    processMetrics,
    dataFiles: { files: realFiles(), paths: directory.watchedPaths(options.amqp === 'embedded') },
    ...(amqp?.accounts === undefined ? {} : { accounts: amqp.accounts }),
    ...(amqp?.queueType === undefined ? {} : { queueType: amqp.queueType }),
  });
  gate.resolve(service);
  await endings.add(() => service.stop());
  await endings.add(() => {
    // Who waits for a box is answered while there is still a socket to answer on.
    service.release();
    return api.server.close();
  });
  await startedWithNotice(service, world.time, withoutPassword(mqttUrl));
  const messages =
    amqp === undefined
      ? null
      : await subscribeDemo({
          ...{ service, place: amqp, identity, time: world.time },
          password: seal.digest(`${identity.mqtt_password}/messages`).slice(0, PASSWORD_DIGITS),
          come: ({ username, password }) =>
            process.stderr.write(`boxtwin: the consumer is there now: ${username}  password ${password}\n`),
        });
  for (const { detail } of service.refusedQueues()) notices.push(detail);

  const road = isDriven ? new Road() : undefined;
  const fleet: Fleet = await startFleet(world, everyBox, routes, road);
  await endings.add(() => fleet.stop());
  const cloud = await startMakerCloud(world, {
    ...{ name: DEMO_MAKER, apiKey: makerKey, cars },
    ...(road === undefined ? {} : { road }),
  });
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
  const example = exampleCommand(planned.vehicles);
  if (isDriven) {
    const parkedId = example?.vehicleId;
    const driven = await driveDemo({ service, store, baseUrl, identity, world, log, fleet, cloud, parkedId });
    drivers = driven;
    await endings.add(driven.end);
  }
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
    messages,
    fleetId: identity.fleet_id,
    clientId: identity.client_id,
    clientSecret: identity.client_secret,
    user,
    vehicles: vehicles.length,
    makerVehicles: cars.length,
    boxes: everyBox.map(({ vehicleId, boxId, model, vin, licensePlate }) => ({
      vehicleId: vehicleId || null,
      boxId,
      model,
      vin,
      licensePlate,
    })),
    example,
    dataPath: directory.path,
    seed: identity.seed,
    notices,
  };
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
