import { lastAnswersMs } from '../../backend/commands/limits.ts';
import { type Service, startService } from '../../backend/service.ts';
import type { ServiceSettings } from '../../backend/settings.ts';
import type { Store } from '../../backend/store/port/store.ts';
import { ANSWER_TIMEOUT_MS } from '../../scenarios/service-settings.ts';
import { controlApp } from '../../simulator/control/app.ts';
import { realCrypto } from '../../world/crypto/real-crypto.ts';
import { realHttp } from '../../world/http/real-http.ts';
import { realIds } from '../../world/ids/real-ids.ts';
import { realLog } from '../../world/log/real-log.ts';
import { realRandom } from '../../world/random/real-random.ts';
import { flashlessWorld } from '../../world/real-world.ts';
import { realTime } from '../../world/time/real-time.ts';
import type { World } from '../../world/world.ts';
import { consoleClientOf, registerConsole } from '../console/console-client.ts';
import { configureDemo } from '../demo/demo-configuration.ts';
import { demoUser, linkCars, onboardFleet } from '../demo/demo-fleet.ts';
import { subscribeDemo } from '../demo/demo-messages.ts';
import { exampleCommand, planDemo } from '../demo/demo-plans.ts';
import { registerReferencePage } from '../demo/reference-client.ts';
import { limits } from '../limits.ts';
import { FiguresSource } from '../live/live-figures.ts';
import { serviceFigures } from '../live/service-figures.ts';
import type { ReadyFacts } from '../server/banner.ts';
import { refuseFaultyModels } from '../server/checked-models.ts';
import { demoServiceSettings } from '../server/demo-service-settings.ts';
import {
  baseUrlOf,
  DEFAULT_PORTS,
  type LocalDeploymentOptions,
  noteOpenHost,
  noteOtherPort,
  noteProxiedAddress,
} from '../server/deployment-options.ts';
import { isLoopback, serveHttp } from '../server/http-server.ts';
import { secretsOf } from '../server/identity-secrets.ts';
import { openAmqp } from '../server/local-amqp.ts';
import { installationOf, openIdentity } from '../server/open-identity.ts';
import { listenOn } from '../server/port.ts';
import { makeServiceOverrides } from '../server/service-overrides.ts';
import { startedWithNotice } from '../server/started-with-notice.ts';
import { mqttAuthority } from '../shared/authority-file.ts';
import { CommandError } from '../shared/command-error.ts';
import { Disposables } from '../shared/disposables.ts';
import { asUserError, withoutPassword } from '../shared/user-errors.ts';
import { openStore, refuseStoreOptions } from '../store/open-store.ts';
import type { StartedPart } from './run-part.ts';

/** What the service is started with where boxes and brokers are elsewhere. */
export interface BackendPartOptions
  extends Pick<
    LocalDeploymentOptions,
    | 'seed'
    | 'port'
    | 'host'
    | 'data'
    | 'store'
    | 'storeCa'
    | 'mqtt'
    | 'mqttCa'
    | 'amqp'
    | 'givenAmqp'
    | 'publicUrl'
    | 'trustedProxies'
    | 'alertUrl'
    | 'rateLimit'
    | 'answerTimeoutS'
    | 'redirectUri'
    | 'corsOrigins'
    | 'logLevel'
  > {
  /** Vehicles of the seed's fleet that are set up from the start. */
  readonly vehicles: number;
  /** Boxes of the seed's fleet, behind those vehicles, that are in stock: `fleet --api` sets them up. */
  readonly stock: number;
  /** Of the simulator, below which SIM providers and makers are. */
  readonly simulatorUrl: string;
  /** Where clients and faults of the service are made, on loopback: `/service` of the control API. Absent: nowhere. */
  readonly controlPort?: number | undefined;
}

/** Starts the service alone, on its store and against brokers that are elsewhere. */
export function startBackendPart(options: BackendPartOptions): StartedPart<ReadyFacts> {
  const disposables = new Disposables();
  const figures = new FiguresSource();
  const ready = start(options, disposables, figures).catch(async (error: unknown) => {
    await disposables.close();
    throw asUserError(error, options.store);
  });
  return {
    ...{ ready, reachable: ready, figures: figures.read, close: () => disposables.close() },
    ...patienceOf(options),
  };
}

/** What the service of a certification is interfered with by, where a port is given for it. */
async function openControls(
  { controlPort, host }: BackendPartOptions,
  store: Store,
  world: Pick<World, 'crypto' | 'ids' | 'time'>,
  fleetId: string,
  disposables: Disposables,
): Promise<{ readonly store: Store; readonly settings: Pick<ServiceSettings, 'accessTokenS'> }> {
  if (controlPort === undefined) return { store, settings: {} };
  if (host !== undefined && !isLoopback(host))
    throw new CommandError(
      '--control-port has no sign-in, so it is opened on loopback alone: leave --host away.',
    );
  const { store: failing, accessTokenS, switches } = await makeServiceOverrides(store, world, fleetId);
  const control = controlApp({ boxes: new Map() }, { listen: () => () => undefined }, { service: switches });
  const server = await serveHttp({ port: controlPort }, (request) => control.fetch(request));
  await disposables.add(() => server.close());
  return { store: failing, settings: { accessTokenS } };
}

/** Where others go on, commands under way are answered first, and partitions passed on; a supervised part has no time for that. */
function patienceOf({ store, answerTimeoutS }: BackendPartOptions): { readonly patienceMs?: number } {
  if (store === undefined || process.send !== undefined) return {};
  const answerTimeoutMs = answerTimeoutS === undefined ? ANSWER_TIMEOUT_MS : answerTimeoutS * 1_000;
  return { patienceMs: lastAnswersMs(answerTimeoutMs) + limits.handoverMs };
}

async function start(
  options: BackendPartOptions,
  disposables: Disposables,
  figures: FiguresSource,
): Promise<ReadyFacts> {
  refuseFaultyModels();
  refuseStoreOptions(options);
  const mqttCa = mqttAuthority(options.mqtt, options.mqttCa);
  const notices: string[] = [];
  noteOpenHost(notices, options.host, ['api']);
  const directory = await openIdentity(options);
  const { identity } = directory;
  const log = realLog(options.logLevel);
  const crypto = await realCrypto(identity.signing_key);
  const secrets = secretsOf(crypto, identity);
  const time = realTime();
  const onboarding = { crypto, time, ids: realIds(time) };
  const random = realRandom(identity.seed);
  const opened = await openStore(options, directory, { ...onboarding, random });
  await disposables.add(() => opened.close());
  const { store, shared } = opened;
  const installationId = await installationOf(store.installation, onboarding, shared !== undefined);
  const amqp = await openAmqp({
    ...{ options: { ...options, amqpPort: undefined, amqpsPort: undefined } },
    ...{ directory, store, crypto, log, notices },
    ...{ http: realHttp(), nowMs: time.nowMs() },
  });
  if (amqp !== undefined) await disposables.add(() => amqp.close());

  const count = options.vehicles + options.stock;
  const planned = planDemo(random, count, { radio: 'ideal' }, secrets.boxSecret);
  const vehicles = planned.vehicles.slice(0, options.vehicles);
  const inStock = [...planned.vehicles.slice(options.vehicles), ...planned.shelf];
  const user = demoUser(crypto, identity);
  await onboardFleet(store, onboarding, identity, vehicles, inStock, {
    user,
    redirectUri: options.redirectUri,
  });
  await registerConsole(store, onboarding, identity, consoleClientOf(identity, secrets));
  await linkCars(store, onboarding, identity, planned.cars);

  const world = await flashlessWorld({
    ...{
      seed: identity.seed,
      mqttUrl: options.mqtt,
      amqpUrl: amqp?.url,
      signingKey: identity.signing_key,
      log,
    },
    ...(amqp?.ca === undefined ? {} : { amqpCa: amqp.ca }),
    ...(mqttCa === undefined ? {} : { mqttCa }),
  });
  // The service's address is its issuer, so the port comes first and the service behind it; requests meanwhile wait.
  const gate = Promise.withResolvers<Service>();
  const { host } = options;
  const api = await listenOn(
    { port: options.port ?? DEFAULT_PORTS.api, isGiven: options.port !== undefined, option: '--port' },
    (port) =>
      serveHttp({ port, host, trustedProxies: options.trustedProxies }, async (request, peer) =>
        (await gate.promise).fetch(request, peer),
      ),
  );
  await disposables.add(() => api.server.close());
  noteOtherPort(notices, 'the API', DEFAULT_PORTS.api, api.server.port, options.port);
  const baseUrl = baseUrlOf(options.publicUrl, host, api.server.port);
  noteProxiedAddress(notices, options, baseUrl);
  const referenceClientId = await registerReferencePage(store, world, {
    ...{ fleetId: identity.fleet_id, baseUrl, notices },
  });
  const settings = demoServiceSettings({
    ...{ options, directory, shared, secrets, installationId, baseUrl, referenceClientId, amqp },
    simulatorUrl: options.simulatorUrl,
    hasMaker: planned.cars.length > 0,
    mqttUrl: options.mqtt,
    // Boxes and broker went on while no service was there, or began anew: their frames tell.
    brokerIsNew: false,
  });
  const controls = await openControls(options, store, world, identity.fleet_id, disposables);
  const service = startService(world, controls.store, { ...settings, ...controls.settings });
  gate.resolve(service);
  figures.readFrom(
    serviceFigures({ service, store, time, hasOutbox: amqp !== undefined, countsBoxes: true }),
  );
  await disposables.add(() => service.stop());
  await disposables.add(async () => {
    // Who waits for a box is answered while there is still a socket to answer on.
    await service.release();
    await api.server.close();
  });
  await startedWithNotice(service, time, withoutPassword(options.mqtt));
  const messages =
    amqp === undefined
      ? null
      : await subscribeDemo({
          ...{ service, endpoint: amqp, identity, time, password: secrets.consumerPassword },
          come: ({ username, password }) =>
            process.stderr.write(`boxtwin: the consumer is there now: ${username}  password ${password}\n`),
        });
  for (const { detail } of service.refusedQueues()) notices.push(detail);
  const boxes = vehicles.map(({ boxId, vehicleId }) => ({ boxId, vehicleId, isUp: () => false }));
  await configureDemo({
    ...{ service, store, boxes, waitMs: 0, baseUrl, identity, world, log, disposables },
    isStoreShared: options.store !== undefined,
  });
  return {
    part: 'backend',
    consoleUrl: null,
    ...{ baseUrl, simulatorUrl: options.simulatorUrl, mqttUrl: withoutPassword(options.mqtt), messages },
    ...{
      fleetId: identity.fleet_id,
      clientId: identity.client_id,
      clientSecret: identity.client_secret,
      user,
    },
    vehicles: vehicles.length,
    makerVehicles: planned.cars.length,
    boxes: [...vehicles, ...inStock].map(({ vehicleId, boxId, model, vin, licensePlate }, index) => ({
      vehicleId: index < vehicles.length ? vehicleId : null,
      ...{ boxId, model, vin, licensePlate },
    })),
    example: exampleCommand(vehicles),
    dataPath: directory.path,
    storeUrl: options.store && withoutPassword(options.store),
    seed: identity.seed,
    notices,
  };
}
