import { lastAnswersMs } from '../../backend/base/limits.ts';
import { signingKeyId } from '../../backend/installation.ts';
import type { ServiceSettings } from '../../backend/settings.ts';
import type { Store } from '../../backend/store/port/store.ts';
import { LIMITS } from '../../contract/limits.ts';
import { StoreFaultLayers } from '../../scenarios/testbed/common/faults/store-faults.ts';
import { controlApp } from '../../simulator/control/app.ts';
import { isLoopback } from '../../world/http/loopback.ts';
import { flashlessWorld } from '../../world/real-world.ts';
import { realTime } from '../../world/time/real-time.ts';
import type { World } from '../../world/world.ts';
import { brokersNow, runningBrokers } from '../brokers/running-brokers.ts';
import { consoleClientOf, registerConsole } from '../console/console-client.ts';
import { configureDemo } from '../demo/demo-configuration.ts';
import { exampleCommand, planDemo } from '../demo/demo-plans.ts';
import { refuseStoreOptions } from '../directory/open-store.ts';
import { refuseOtherInstallation } from '../directory/running-addresses.ts';
import { openServiceIdentity } from '../directory/service-directory.ts';
import { serveHttp } from '../http/http-server.ts';
import { misdirectedRefusal } from '../http/installation.ts';
import { noteOpenHost } from '../http/public-address.ts';
import { mqttAuthority } from '../input/authority-file.ts';
import { refuseFaultyModels } from '../models/checked-models.ts';
import { CommandError } from '../shared/command-error.ts';
import type { LocalDeploymentOptions } from '../shared/deployment-options.ts';
import { Disposables } from '../shared/disposables.ts';
import { limits } from '../shared/limits.ts';
import { FiguresSource } from '../shared/live-figures.ts';
import type { BackendFacts } from '../shared/ready-facts.ts';
import type { StartedPart } from '../shared/started-part.ts';
import { asUserError } from '../shared/user-errors.ts';
import type { ServedServiceParts } from './serve-service.ts';
import { serveService, serviceFacts } from './serve-service.ts';
import { openAmqpAndOnboard, openServiceBase, serviceWorldOptions } from './service-base.ts';
import { serviceFigures } from './service-figures.ts';
import { makeServiceOverrides } from './service-overrides.ts';
import { httpWithSimulator, SIMULATOR_OF_DATA } from './simulator-http.ts';

/** What the service is started with where boxes and brokers run elsewhere. */
export interface BackendPartOptions
  extends Pick<
    LocalDeploymentOptions,
    | 'seed'
    | 'port'
    | 'host'
    | 'data'
    | 'store'
    | 'storeCa'
    | 'mqttCa'
    | 'givenAmqp'
    | 'publicUrl'
    | 'trustedProxies'
    | 'alertUrl'
    | 'rateLimit'
    | 'answerTimeoutS'
    | 'client'
    | 'redirectUri'
    | 'corsOrigins'
    | 'logLevel'
  > {
  /** Absent: that of the brokers on the data directory, for which the start waits. */
  readonly mqtt: string | undefined;
  /** Absent: that of those brokers, where they run; or none. */
  readonly amqp: string | undefined;
  /** Vehicles of the seed's fleet that are set up from the start. */
  readonly vehicles: number;
  /** Boxes of the seed's fleet, behind those vehicles, that are in stock: `fleet --url` sets them up. */
  readonly stock: number;
  /** Of the simulator, below which SIM providers and makers are. Absent: that of the fleet on the data directory. */
  readonly simulatorUrl: string | undefined;
  /** `simulatorUrl` is used even if it is the simulator of another installation. */
  readonly force?: boolean | undefined;
  /**
   * Where clients and faults of the service are created, on loopback: `/service` of the control API. Absent: nowhere.
   */
  readonly controlPort?: number | undefined;
}

/** Starts the service alone, on its store and with brokers that run elsewhere. */
export function startBackendPart(options: BackendPartOptions): StartedPart<BackendFacts> {
  const disposables = new Disposables();
  const figures = new FiguresSource();
  const ready = start(options, disposables, figures).catch(async (error: unknown) => {
    await disposables.close();
    throw asUserError(error, options.store);
  });
  return {
    ready,
    reachable: ready,
    figures: figures.read,
    close: () => disposables.close(),
    ...patienceOf(options),
  };
}

/** The service overrides of a certification, where a port is given for them. */
async function openControls(
  { controlPort, host }: BackendPartOptions,
  store: Store,
  world: Pick<World, 'crypto' | 'ids' | 'time'>,
  fleetId: string,
  disposables: Disposables,
): Promise<{ readonly store: Store; readonly settings: Pick<ServiceSettings, 'accessTokenS'> }> {
  if (controlPort === undefined) return { store, settings: {} };
  if (host !== undefined && !isLoopback(host))
    throw new CommandError('--control-port has no sign-in, so it is opened on loopback alone: omit --host.');
  const storeFaults = new StoreFaultLayers();
  const { accessTokenS, switches } = await makeServiceOverrides(store, world, fleetId, storeFaults);
  const installation = signingKeyId(world.crypto);
  const control = controlApp(
    { boxes: new Map() },
    { listen: () => () => undefined },
    { service: switches, installation },
  );
  const server = await serveHttp(
    { port: controlPort, host },
    (request) => misdirectedRefusal(request, installation) ?? control.fetch(request),
  );
  await disposables.add(() => server.close());
  return { store: storeFaults.wrap(store, world.time), settings: { accessTokenS } };
}

/**
 * Where other backends continue, pending commands are answered first, and partitions handed over; a supervised part has
 * no time for that.
 */
function patienceOf({ store, answerTimeoutS }: BackendPartOptions): { readonly patienceMs?: number } {
  if (store === undefined || process.send !== undefined) return {};
  const answerTimeoutMs = answerTimeoutS === undefined ? LIMITS.answer.vehicleMs : answerTimeoutS * 1_000;
  return { patienceMs: lastAnswersMs(answerTimeoutMs) + limits.handoverMs };
}

/** The same options with brokers: the given ones, or those on the data directory. */
async function withBrokers(options: BackendPartOptions, path: string, notices: string[]) {
  const { mqtt, amqp, givenAmqp } = options;
  const brokers =
    mqtt === undefined
      ? await runningBrokers(path, realTime())
      : amqp === undefined
        ? await brokersOfAmqp(path, notices)
        : undefined;
  const ofBrokers = amqp === undefined ? brokers : undefined;
  return {
    ...options,
    mqtt: mqtt ?? brokers?.mqtt_url ?? '',
    amqp: amqp ?? ofBrokers?.amqp_url ?? 'none',
    givenAmqp: { ...givenAmqp, adminUrl: givenAmqp.adminUrl ?? ofBrokers?.amqp_admin_url },
  };
}

/**
 * Those on the data directory, where the MQTT broker is another one: the start does not wait for them, and a notice
 * says so.
 */
async function brokersOfAmqp(path: string, notices: string[]) {
  const { brokers, trouble } = await brokersNow(path);
  if (trouble !== undefined)
    notices.push(
      `${trouble} No messages are published. Start "boxtwin brokers" on it before the service, or give the address of a broker with --amqp.`,
    );
  return brokers;
}

async function start(
  wanted: BackendPartOptions,
  disposables: Disposables,
  figures: FiguresSource,
): Promise<BackendFacts> {
  refuseFaultyModels();
  refuseStoreOptions(wanted);
  const notices: string[] = [];
  noteOpenHost(notices, wanted.host, ['api']);
  const directory = await openServiceIdentity(wanted);
  if (wanted.simulatorUrl !== undefined && wanted.force !== true)
    await refuseOtherInstallation(wanted.simulatorUrl, '--simulator', directory.path);
  const options = await withBrokers(wanted, directory.path, notices);
  const mqttCa = mqttAuthority(options.mqtt, options.mqttCa);
  const { identity } = directory;
  const base = await openServiceBase({
    options: { ...options, amqpPort: undefined, amqpsPort: undefined },
    directory,
    notices,
    disposables,
  });
  const { log, secrets, user } = base;
  const { crypto, time, random } = base.world;
  const count = options.vehicles + options.stock;
  const planned = planDemo(random, count, { radio: 'ideal' }, secrets.boxSecret);
  const vehicles = planned.vehicles.slice(0, options.vehicles);
  const inStock = [...planned.vehicles.slice(options.vehicles), ...planned.shelf];
  const { store, shared, installationId } = await base.opening;
  const amqp = await openAmqpAndOnboard(base, store, { vehicles, stock: inStock, cars: planned.cars });
  await registerConsole(store, base.world, identity, consoleClientOf(identity, secrets));

  const flashless = await flashlessWorld(serviceWorldOptions(base, { mqttUrl: options.mqtt, mqttCa, amqp }));
  const installation = signingKeyId(crypto);
  const simulatorUrl = options.simulatorUrl ?? SIMULATOR_OF_DATA;
  const world = {
    ...flashless,
    http: httpWithSimulator(flashless.http, {
      url: simulatorUrl,
      data: directory.path,
      installation: options.force === true ? undefined : installation,
      time,
    }),
  };
  const controls = await openControls(options, store, world, identity.fleet_id, disposables);
  const serviceParts: ServedServiceParts = {
    options,
    directory,
    world,
    store,
    storeOfService: controls.store,
    ...controls.settings,
    shared,
    installationId,
    secrets,
    amqp,
    notices,
    disposables,
    hasMaker: planned.cars.length > 0,
    mqttUrl: options.mqtt,
    // Boxes and broker may have been running before this service started.
    brokerIsNew: false,
    simulatorUrl: () => simulatorUrl,
    started: (service) =>
      figures.readFrom(
        serviceFigures({ service, store, time, hasOutbox: amqp !== undefined, countsBoxes: true }),
      ),
  };
  const served = await serveService(serviceParts);
  const { service, baseUrl } = served;
  const boxes = vehicles.map(({ boxId, vehicleId }) => ({ boxId, vehicleId, isUp: () => false }));
  await configureDemo({
    service,
    store,
    boxes,
    waitMs: 0,
    baseUrl,
    identity,
    world,
    log,
    disposables,
    isStoreShared: options.store !== undefined,
  });
  return {
    ...serviceFacts(serviceParts, served, user),
    part: 'backend',
    consoleUrl: null,
    simulatorUrl: options.simulatorUrl ?? null,
    vehicles: vehicles.length,
    makerVehicles: planned.cars.length,
    boxes: [...vehicles, ...inStock].map(({ vehicleId, boxId, model, vin, licensePlate }, index) => ({
      vehicleId: index < vehicles.length ? vehicleId : null,
      boxId,
      model,
      vin,
      licensePlate,
    })),
    example: exampleCommand(vehicles),
  };
}
