import { signingKeyId } from '../../backend/installation.ts';
import type { ServiceSettings } from '../../backend/settings.ts';
import type { Store } from '../../backend/store/port/store.ts';
import type { DemoBox } from '../../scenarios/testbed/common/demo-configuration.ts';
import type { BoxPlan } from '../../simulator/box-plan.ts';
import type { Fleet } from '../../simulator/fleet/fleet.ts';
import type { CarPlan } from '../../simulator/maker-cloud/car-plan.ts';
import type { MakerCloud } from '../../simulator/maker-cloud/cloud.ts';
import type { Route } from '../../simulator/routes/route.ts';
import type { Traffic } from '../../simulator/vehicle/driving/traffic.ts';
import type { Log } from '../../world/log/log.ts';
import type { RealWorld } from '../../world/real-world.ts';
import type { AmqpEndpoint } from '../brokers/amqp-addresses.ts';
import { startConsoleOf } from '../console/console-of-service.ts';
import { configureDemo } from '../demo/demo-configuration.ts';
import type { DemoUser } from '../demo/demo-fleet.ts';
import { driveDemo } from '../demo/drivers/demo-drivers.ts';
import type { FleetDrivers } from '../demo/drivers/drivers.ts';
import { answeredRequestOf } from '../demo/drivers/moved-vehicles.ts';
import { VehicleTurns } from '../demo/drivers/vehicle-turns.ts';
import { sendToApi, sendToSimulator } from '../demo/held-requests.ts';
import { fleetSettled } from '../demo/settled-fleet.ts';
import type { DataDirectory } from '../directory/data-directory.ts';
import { secretsOf } from '../directory/identity-secrets.ts';
import type { LiveFaultParts } from '../faults/live-fault-parts.ts';
import { heldControl, serveControl, startFleetCloud, startFleetControl } from '../fleet/fleet-control.ts';
import { hostsOf, simulatorAccount, simulatorAddress } from '../http/simulator-guard.ts';
import type { LocalDeploymentOptions } from '../shared/deployment-options.ts';
import type { Disposables } from '../shared/disposables.ts';
import { limits } from '../shared/limits.ts';
import type { LiveFigures } from '../shared/live-figures.ts';
import type { ReadyFacts } from '../shared/ready-facts.ts';
import { type ServedService, type ServedServiceParts, serveService, serviceFacts } from './serve-service.ts';
import { serviceFigures } from './service-figures.ts';
import type { ServiceOverrides } from './service-overrides.ts';

/** What the service of a local deployment needs. */
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
  readonly faultParts: Omit<LiveFaultParts, 'time' | 'sims' | 'cloud'>;
  /** The store as the service sees it. */
  readonly storeOfService: Store;
  readonly mqttUrl: string;
  readonly isBrokerEmbedded: boolean;
  /** The boxes, powered; `end` ends them. */
  boxes(): Promise<{ readonly fleet: Fleet; end(): Promise<void> }>;
  /** The service accepts payloads of boxes, and the queues of the demo fleet are bound. */
  taken(): void;
  /** From here on these figures are available. */
  seen(figures: () => LiveFigures): void;
  /** Requests are answered. */
  reachable(facts: ReadyFacts): void;
}

/**
 * Starts the service and its surroundings: the API, the simulator's control API, the maker's cloud, drivers. Resolves
 * when every box accepts commands, or after a while (`fleetSettled`).
 */
export async function startLocalService(parts: LocalServiceParts): Promise<ReadyFacts> {
  const { options, disposables, notices, directory, store, world, amqp, overrides, plans, traffic } = parts;
  const { identity } = directory;
  const installation = signingKeyId(world.crypto);
  const secrets = secretsOf(world.crypto, identity);
  const account = simulatorAccount(options.host, secrets.simulatorPassword);
  const requests = heldRequests();
  const cloud = await startFleetCloud({ world, secrets, cars: plans.cars, traffic, disposables });
  // SIM providers and the maker are below the simulator's address, so its port opens before the service starts.
  const control = heldControl(cloud, hostsOf(account));
  let simulatorUrl = '';
  const openSimulator = async (): Promise<string> => {
    const { port } = await serveControl(
      { world, account, installation, disposables },
      { port: options.simulatorPort, host: options.host, notices },
      (request) => requests.toSimulator(request, () => control.fetch(request)),
    );
    simulatorUrl = simulatorAddress(options.host, port, account);
    return simulatorAddress(options.host, port, undefined);
  };
  const serviceParts: ServedServiceParts = {
    options,
    directory,
    world,
    store,
    storeOfService: parts.storeOfService,
    shared: parts.shared,
    installationId: parts.installationId,
    secrets,
    amqp,
    hasMaker: plans.cars.length > 0,
    mqttUrl: parts.mqttUrl,
    brokerIsNew: parts.isBrokerEmbedded,
    accessTokenS: overrides.accessTokenS,
    notices,
    disposables,
    simulatorUrl: openSimulator,
    answer: requests.toApi,
    started: () => undefined,
  };
  const served = await serveService(serviceParts);
  const { service, baseUrl, messages } = served;

  parts.taken();
  const { fleet, end } = await parts.boxes();
  await disposables.add(end);
  // Before the service, which would wait for the answers of a silent maker.
  await disposables.add(() => cloud.stop());
  parts.seen(localFigures(parts, service, fleet));
  const { app, weather } = await startFleetControl({
    world,
    fleet,
    secrets,
    cloud,
    account,
    installation,
    disposables,
    routes: parts.routes,
    radio: options.radio,
    faultParts: parts.faultParts,
    service: overrides.switches,
    boxOfVehicle: async (vehicleId) => (await store.vehicles.find(vehicleId))?.boxId,
  });
  control.open(app);

  const consoleUrl =
    options.console === undefined
      ? null
      : await startConsoleOf({
          ...options.console,
          options,
          identity,
          store,
          world,
          notices,
          disposables,
          account,
          baseUrl,
          answerApi: served.fetch,
          messages,
          dataPath: directory.path,
          // It waits for nothing, so that clients can watch the fleet start.
          control: control.fetch,
        });

  // Requests are answered now; those that need a missing or busy box wait for a moment.
  const facts: ReadyFacts = {
    ...serviceFacts(serviceParts, served, parts.user),
    ...fleetFacts(plans),
    simulatorUrl,
    consoleUrl,
  };
  parts.reachable(facts);

  await settle(parts, { service, baseUrl, fleet, cloud }, requests);
  weather.change(options.weather ?? 'none');
  requests.settled();
  return facts;
}

function localFigures(
  { store, world, amqp }: LocalServiceParts,
  service: ServedService['service'],
  fleet: Fleet,
): () => LiveFigures {
  const hasOutbox = amqp !== undefined;
  const ofService = serviceFigures({ service, store, time: world.time, hasOutbox, countsBoxes: false });
  return () => ({
    ...ofService(),
    boxes: fleet.boxes.size,
    boxesReady: fleet.readyCount(),
    boxesUncovered: fleet.uncoveredCount(),
  });
}

function fleetFacts({ vehicles, cars, everyBox, example }: LocalServiceParts['plans']) {
  return {
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
  };
}

/** Requests to API and simulator. Those that change vehicles wait until `settled`; the fleet's drivers observe all. */
function heldRequests() {
  const settled = Promise.withResolvers<void>();
  const turns = new VehicleTurns();
  let isSettled = false;
  const holds = { settled: settled.promise, isSettled: () => isSettled, turns };
  let drivers: Pick<FleetDrivers, 'answered' | 'controlled'> | undefined;
  return {
    turns,
    settled: () => {
      isSettled = true;
      settled.resolve();
    },
    drivenBy: (those: Pick<FleetDrivers, 'answered' | 'controlled'>) => {
      drivers = those;
    },
    async toApi(request: Request, toService: () => Promise<Response>): Promise<Response> {
      const answer = await sendToApi(request, holds, toService);
      drivers?.answered(answeredRequestOf(request, answer));
      return answer;
    },
    async toSimulator(request: Request, toControl: () => Promise<Response>): Promise<Response> {
      const answer = await sendToSimulator(request, holds, toControl);
      drivers?.controlled(answeredRequestOf(request, answer));
      return answer;
    },
  };
}

/** Configures the fleet, waits until its boxes accept commands (`fleetSettled`), and starts its drivers. */
async function settle(
  { options, store, directory, world, log, disposables, plans, routes }: LocalServiceParts,
  running: Pick<ServedService, 'service' | 'baseUrl'> & { readonly fleet: Fleet; readonly cloud: MakerCloud },
  { turns, drivenBy }: Pick<ReturnType<typeof heldRequests>, 'turns' | 'drivenBy'>,
): Promise<void> {
  const { service, baseUrl, fleet, cloud } = running;
  const { identity } = directory;
  const boxes = demoBoxes(fleet);
  await configureDemo({
    service,
    store,
    boxes,
    waitMs: limits.demoWaitMs,
    baseUrl,
    identity,
    world,
    log,
    disposables,
  });
  let isEnded = false;
  await disposables.add(() => {
    isEnded = true;
  });
  await fleetSettled({ store, time: world.time, boxes, isEnded: () => isEnded });
  if (options.drivers !== true) return;
  const parkedId = plans.example?.vehicleId;
  const driven = await driveDemo({
    service,
    store,
    baseUrl,
    identity,
    world,
    log,
    fleet,
    cloud,
    parkedId,
    turns,
    isReplayed: (plan) => routes.get(plan.route)?.drive !== undefined,
  });
  drivenBy(driven);
  await disposables.add(driven.end);
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
