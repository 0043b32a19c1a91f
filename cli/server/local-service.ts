import { BULK_PATH } from '../../backend/configuration/bulk-routes.ts';
import { type Service, startService } from '../../backend/service.ts';
import type { ServiceSettings } from '../../backend/settings.ts';
import type { Store } from '../../backend/store/port/store.ts';
import type { DemoBox } from '../../scenarios/testbed/common/demo-configuration.ts';
import type { BoxPlan } from '../../simulator/box/box-plan.ts';
import { controlApp } from '../../simulator/control/app.ts';
import type { Fleet } from '../../simulator/fleet/fleet.ts';
import type { CarPlan } from '../../simulator/maker-cloud/car-plan.ts';
import { startMakerCloud } from '../../simulator/maker-cloud/cloud.ts';
import { coverageOf } from '../../simulator/radio/coverage.ts';
import type { Route } from '../../simulator/routes/route.ts';
import { simProviders } from '../../simulator/sim-provider/providers.ts';
import type { Traffic } from '../../simulator/vehicle/driving/traffic.ts';
import { FleetWeather } from '../../simulator/weather/fleet-weather.ts';
import type { Log } from '../../world/log/log.ts';
import type { RealWorld } from '../../world/real-world.ts';
import { sleep, type Time } from '../../world/time/time.ts';
import { startConsoleOf } from '../console/console-of-service.ts';
import { configureDemo } from '../demo/demo-configuration.ts';
import { DEMO_MAKER, type DemoUser } from '../demo/demo-fleet.ts';
import { subscribeDemo } from '../demo/demo-messages.ts';
import { driveDemo } from '../demo/drivers/demo-drivers.ts';
import type { FleetDrivers } from '../demo/drivers/drivers.ts';
import { answeredRequestOf } from '../demo/drivers/moved-vehicles.ts';
import { registerReferencePage } from '../demo/reference-client.ts';
import { type LiveFaultParts, liveFaults } from '../faults/live-fault-parts.ts';
import { limits } from '../limits.ts';
import type { LiveFigures } from '../live/live-figures.ts';
import { serviceFigures } from '../live/service-figures.ts';
import type { Disposables } from '../shared/disposables.ts';
import { withoutPassword } from '../shared/user-errors.ts';
import type { AmqpEndpoint } from './amqp-addresses.ts';
import type { ReadyFacts } from './banner.ts';
import type { DataDirectory } from './data-directory.ts';
import { demoServiceSettings, simApiKeys } from './demo-service-settings.ts';
import {
  baseUrlOf,
  DEFAULT_PORTS,
  type LocalDeploymentOptions,
  noteOtherPort,
  noteProxiedAddress,
} from './deployment-options.ts';
import { wireTap } from './frame-tap.ts';
import { serveHttp } from './http-server.ts';
import { secretsOf } from './identity-secrets.ts';
import { listenOn } from './port.ts';
import type { ServiceOverrides } from './service-overrides.ts';
import { accountRefusal, isOfTheService, simulatorAccount, simulatorAddress } from './simulator-guard.ts';
import { startedWithNotice } from './started-with-notice.ts';

/** What the service of a local deployment starts on. */
export interface LocalServiceParts {
  readonly options: LocalDeploymentOptions;
  readonly disposables: Disposables;
  readonly notices: string[];
  readonly directory: DataDirectory;
  readonly store: Store;
  /** Of the store (`installationOf`). */
  readonly installationId: string;
  /** Of the store (`openStore`). */
  readonly shared: ServiceSettings['shared'];
  readonly world: RealWorld;
  readonly log: Log;
  /** Undefined: messages are not published. */
  readonly amqp: AmqpEndpoint | undefined;
  readonly overrides: ServiceOverrides;
  readonly user: DemoUser;
  readonly plans: {
    readonly vehicles: readonly BoxPlan[];
    readonly cars: readonly CarPlan[];
    /** Of the vehicles, and of the shelf. */
    readonly everyBox: readonly BoxPlan[];
    readonly example: ReadyFacts['example'];
  };
  readonly routes: ReadonlyMap<string, Route>;
  readonly traffic: Traffic | undefined;
  /** Weather and breaks on what runs here. */
  readonly faultParts: Omit<LiveFaultParts, 'sims' | 'cloud'>;
  /** The store as the service sees it. */
  readonly wrapStore: (store: Store) => Store;
  readonly mqttUrl: string;
  readonly isBrokerEmbedded: boolean;
  /** The boxes, with power; `end` ends them. */
  boxes(): Promise<{ readonly fleet: Fleet; end(): Promise<void> }>;
  /** The service takes what boxes send, and the queues of the demonstration are bound. */
  taken(): void;
  /** From here on these figures can be seen. */
  seen(figures: () => LiveFigures): void;
  /** Requests are answered. */
  reachable(facts: ReadyFacts): void;
}

/**
 * Starts the service and what is around it: the API, the simulator's control API, the maker's cloud, drivers. Resolves
 * when boxes have their connections and configuration, or after a while.
 */
export async function startLocalService(parts: LocalServiceParts): Promise<ReadyFacts> {
  const {
    options,
    disposables,
    notices,
    directory,
    store,
    world,
    log,
    amqp,
    overrides,
    user,
    plans,
    traffic,
  } = parts;
  const { identity } = directory;
  const { crypto } = world;
  /** Vehicles can be changed: boxes are there, and are not being configured. */
  const settled = Promise.withResolvers<void>();

  // The service's address is its issuer, so the port comes first and the service behind it; requests meanwhile wait.
  const gate = Promise.withResolvers<Service>();
  let drivers: Pick<FleetDrivers, 'answered' | 'controlled'> | undefined;
  const answerApi = async (request: Request, peer: { readonly address?: string } = {}) => {
    if (changesVehicle(request)) await settled.promise;
    const answer = await (await gate.promise).fetch(request, peer);
    drivers?.answered(answeredRequestOf(request, answer));
    return answer;
  };
  const api = await listenOn(
    { port: options.port ?? DEFAULT_PORTS.api, isGiven: options.port !== undefined, option: '--port' },
    (port) =>
      serveHttp({ port, host: options.host, trustedProxies: options.trustedProxies }, (request, peer) =>
        options.beforeApi === undefined
          ? answerApi(request, peer)
          : options.beforeApi(request, (passed) => answerApi(passed, peer)),
      ),
  );
  // Until the service stands behind it, it ends by itself: what fails in between must not leave it listening.
  await disposables.add(() => api.server.close());
  noteOtherPort(notices, 'the API', DEFAULT_PORTS.api, api.server.port, options.port);
  const baseUrl = baseUrlOf(options.publicUrl, options.host, api.server.port);
  noteProxiedAddress(notices, options, baseUrl);
  const referenceClientId = await registerReferencePage(store, world, {
    ...{ fleetId: identity.fleet_id, baseUrl, notices },
  });
  // The SIM providers stand below the simulator, and the service must know where.
  const faceGate = Promise.withResolvers<ReturnType<typeof controlApp>>();
  const secrets = secretsOf(crypto, identity);
  const account = simulatorAccount(options.host, secrets.simulatorPassword);
  const answerSimulator = async (request: Request) => {
    if (!isOfTheService(request)) await settled.promise;
    const answer = await (await faceGate.promise).fetch(request);
    drivers?.controlled(answeredRequestOf(request, answer));
    return answer;
  };
  const simulator = await listenOn(simulatorPort(options), (port) =>
    serveHttp(
      { port, host: options.host },
      (request) => accountRefusal(request, account) ?? answerSimulator(request),
    ),
  );
  await disposables.add(() => simulator.server.close());
  noteOtherPort(
    notices,
    'the simulator',
    DEFAULT_PORTS.simulator,
    simulator.server.port,
    options.simulatorPort,
  );
  const simulatorUrl = simulatorAddress(options.host, simulator.server.port, account);
  const settings = demoServiceSettings({
    ...{ options, directory, secrets, baseUrl, referenceClientId, amqp },
    ...{ shared: parts.shared, installationId: parts.installationId },
    simulatorUrl: simulatorAddress(options.host, simulator.server.port, undefined),
    hasMaker: plans.cars.length > 0,
    mqttUrl: parts.mqttUrl,
    brokerIsNew: parts.isBrokerEmbedded,
    accessTokenS: overrides.accessTokenS,
  });
  const service = startService(world, parts.wrapStore(overrides.store), settings);
  gate.resolve(service);
  await disposables.add(() => service.stop());
  await disposables.add(async () => {
    // Who waits for a box is answered while there is still a socket to answer on.
    await service.release();
    await api.server.close();
  });
  await startedWithNotice(service, world.time, withoutPassword(parts.mqttUrl));
  const messages =
    amqp === undefined
      ? null
      : await subscribeDemo({
          ...{ service, endpoint: amqp, identity, time: world.time },
          password: secrets.consumerPassword,
          come: ({ username, password }) =>
            process.stderr.write(`boxtwin: the consumer is there now: ${username}  password ${password}\n`),
        });
  for (const { detail } of service.refusedQueues()) notices.push(detail);

  parts.taken();
  const { fleet, end } = await parts.boxes();
  await disposables.add(end);
  const ofService = serviceFigures({
    ...{ service, store, time: world.time },
    ...{ hasOutbox: amqp !== undefined, countsBoxes: false },
  });
  parts.seen(() => ({ ...ofService(), boxes: fleet.boxes.size, boxesReady: fleet.readyCount() }));
  const cloud = await startMakerCloud(world, {
    ...{ name: DEMO_MAKER, apiKey: secrets.makerKey(DEMO_MAKER), cars: plans.cars },
    ...(traffic === undefined ? {} : { traffic }),
  });
  await disposables.add(() => cloud.stop());
  const sims = simProviders({ time: world.time, fleet: () => fleet, apiKeys: simApiKeys(secrets) });
  const weather = new FleetWeather(world.time, world.random, fleet);
  await disposables.add(() => weather.stop());
  const faults = liveFaults({
    ...parts.faultParts,
    ...{ sims: () => sims, cloud: () => (plans.cars.length === 0 ? undefined : cloud) },
  });
  await disposables.add(() => faults.stop());
  faceGate.resolve(
    controlApp(fleet, wireTap(world.trace, world.time), {
      ...{ service: overrides.switches, sims, weather, clouds: plans.cars.length === 0 ? [] : [cloud] },
      faults,
      map: {
        routes: parts.routes,
        coverage: options.radio === 'road' ? coverageOf(world.random) : undefined,
      },
      boxOfVehicle: async (vehicleId) => (await store.vehicles.find(vehicleId))?.boxId,
      hosts: account === undefined ? 'loopback' : 'any',
    }),
  );

  const consoleUrl =
    options.console === undefined
      ? null
      : await startConsoleOf({
          ...options.console,
          ...{ options, identity, store, world, notices, disposables, account },
          ...{ baseUrl, answerApi, messages, dataPath: directory.path },
          // It waits for nothing: whoever looks while the fleet comes up sees that.
          control: async (request) => (await faceGate.promise).fetch(request),
        });

  // Requests are answered now; what would find no box, or one that is being configured, waits a moment.
  const facts: ReadyFacts = {
    baseUrl,
    simulatorUrl,
    consoleUrl,
    mqttUrl: withoutPassword(parts.mqttUrl),
    messages,
    fleetId: identity.fleet_id,
    clientId: identity.client_id,
    clientSecret: identity.client_secret,
    user,
    vehicles: plans.vehicles.length,
    makerVehicles: plans.cars.length,
    boxes: plans.everyBox.map(({ vehicleId, boxId, model, vin, licensePlate }) => ({
      vehicleId: vehicleId || null,
      boxId,
      model,
      vin,
      licensePlate,
    })),
    example: plans.example,
    dataPath: directory.path,
    storeUrl: options.store && withoutPassword(options.store),
    seed: identity.seed,
    notices,
  };
  parts.reachable(facts);

  await someReady(fleet, world.time);
  await configureDemo({
    service,
    store,
    boxes: demoBoxes(fleet),
    waitMs: limits.demoWaitMs,
    ...{ baseUrl, identity, world, log, disposables },
  });
  if (options.drivers === true) {
    const parkedId = plans.example?.vehicleId;
    const driven = await driveDemo({
      ...{ service, store, baseUrl, identity, world, log, fleet, cloud, parkedId },
      isReplayed: (plan) => parts.routes.get(plan.route)?.drive !== undefined,
    });
    drivers = driven;
    await disposables.add(driven.end);
  }
  weather.change(options.weather ?? 'none');
  settled.resolve();
  return facts;
}

/** Those in vehicles that are set up. */
function demoBoxes(fleet: Fleet): readonly DemoBox[] {
  return [...fleet.boxes.values()]
    .filter(({ plan }) => plan.vehicleId !== '')
    .map((box) => ({
      boxId: box.plan.boxId,
      vehicleId: box.plan.vehicleId,
      isUp: () => box.isReady(),
    }));
}

/** Whether a request needs a box that is there and has time: a command, a change, a bulk job. */
function changesVehicle({ method, url }: Request): boolean {
  if (method === 'GET' || method === 'HEAD' || method === 'OPTIONS') return false;
  const { pathname } = new URL(url);
  return pathname.startsWith('/vehicles') || pathname.startsWith(BULK_PATH);
}

function simulatorPort(options: LocalDeploymentOptions) {
  return {
    port: options.simulatorPort ?? DEFAULT_PORTS.simulator,
    isGiven: options.simulatorPort !== undefined,
    option: '--simulator-port',
  };
}

/**
 * Whoever pastes the banner's lines at once should meet a box: waits for all of a small fleet, a little for a large
 * one.
 */
async function someReady(fleet: Fleet, time: Time): Promise<void> {
  const untilMs = time.nowMs() + limits.readyWaitMs;
  const looked = [...fleet.boxes.values()].slice(0, limits.readyBoxes);
  while (time.nowMs() < untilMs && !looked.every((box) => box.isReady())) await sleep(time, 50);
}
