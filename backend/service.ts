import type { QueueType } from '../world/exchange.ts';
import type { World } from '../world/world.ts';
import { makeDesk } from './commands/desk.ts';
import { makeTryErrand } from './configuration/bulk-try.ts';
import { startBulkWorker } from './configuration/bulk-worker.ts';
import { makeConfigurator } from './configuration/configurator.ts';
import { makeConnectivity } from './connectivity/connectivity.ts';
import { makeCounters } from './counters.ts';
import type { QueueAccounts } from './events/accounts.ts';
import { startCourier } from './events/courier.ts';
import type { FleetQueue, RefusedQueue } from './events/topology.ts';
import { type DataFiles, watchDataFiles } from './health/data-files.ts';
import { makeMonitor } from './health/monitor.ts';
import { makeWriteProbe } from './health/write-probe.ts';
import { buildBackendApp } from './http/backend-app.ts';
import type { Peer } from './http/environment.ts';
import type { ReferenceAssets } from './http/reference.ts';
import { startIngest } from './ingest/ingest.ts';
import { countedDesk, countedHttp, type Remote } from './metrics/calls.ts';
import { makeMetrics } from './metrics/metrics.ts';
import { watchRequests } from './metrics/routes.ts';
import { makeOperator } from './operator/operator.ts';
import { startSetup } from './setup/setup.ts';
import { severableStore } from './store/severable.ts';
import type { Store } from './store/store.ts';
import { watchedStore } from './store/watched.ts';
import type { KeptSubscription } from './subscriptions/keeper.ts';
import { makeSubscriptions } from './subscriptions/subscriptions.ts';
import { startThirdParty } from './third-party/third-party.ts';
import { modelKnowledge } from './vehicles/capabilities.ts';
import { translateNamed } from './vehicles/translate.ts';

/** Everything that the backend can be told from outside. */
export interface ServiceSettings {
  /** `http://127.0.0.1:8080`, without a slash at the end; the issuer of tokens too. */
  readonly baseUrl: string;
  readonly mqtt: { readonly clientId: string; readonly username: string; readonly password: string };
  /** How long a box may stay silent on a command, in milliseconds. */
  readonly answerTimeoutMs: number;
  /**
   * The MQTT broker has just begun without sessions or retained frames (the embedded one): the connections that the
   * store knows as open ended without their wills, and are not known until their boxes say hello.
   */
  readonly brokerIsNew?: boolean;
  /** Calls of one client in a minute; absent: as backend/limits.ts has it. */
  readonly requestsPerMinute?: number;
  /** How long an access token issued now is valid, in seconds; absent: 3600. Asked at each issue. */
  readonly accessTokenS?: () => number;
  /** The interfaces of the SIM providers, by the names of backend/connectivity/providers.ts. */
  readonly simProviders?: Readonly<Record<string, RemoteInterface>>;
  /** The makers' clouds, by the names of backend/third-party/makers.ts. */
  readonly makers?: Readonly<Record<string, RemoteInterface>>;
  /** What the page at /docs is made with; absent: there is no such page. */
  readonly reference?: ReferenceAssets;
  /** Origins whose web pages may call the API from a browser; absent: none. */
  readonly corsOrigins?: readonly string[];
  /** Where each 500 is told to the operator; absent: by log line and counter alone. */
  readonly alertUrl?: string;
  /** The queues that are declared and bound at start: `VehicleState_v1-demo` for a fleet and its vehicle states. */
  readonly queues: readonly FleetQueue[];
  /** Who makes users at the message broker; absent: nobody can subscribe. */
  readonly accounts?: QueueAccounts;
  /** The files that are looked after while it runs; absent: none. */
  readonly dataFiles?: DataFiles;
  /** What the process tells of itself, as Prometheus reads it; absent: nothing, as in the virtual world. */
  readonly processMetrics?: () => Promise<string>;
  /** Of the queues that are declared; absent: what the broker makes by itself. */
  readonly queueType?: QueueType;
}

/** Somebody else's HTTP interface, and what the service signs in with there. */
export interface RemoteInterface {
  /** Without a slash at the end. */
  readonly baseUrl: string;
  readonly apiKey: string;
}

export type ServiceWorld = Pick<
  World,
  'time' | 'random' | 'mint' | 'seal' | 'link' | 'exchange' | 'http' | 'trace' | 'log'
>;

export interface Service {
  /** Answers one HTTP request. `peer`: who sent it, where that is known. Never rejects. */
  fetch(request: Request, peer?: Peer): Promise<Response>;
  /** Resolves once intake is connected to the broker; messages go out as soon as the exchange can be reached. */
  started: Promise<void>;
  /**
   * Answers everybody who waits for a command and lets no further command begin; all else goes on. For whoever serves
   * `fetch`: called before it stops serving, no answer is cut off. `stop` does it too.
   */
  release(): void;
  /**
   * Makes sure that a subscription of fixed names and credentials is there. Resolves once it can be used, which may be
   * long: the message broker may be away. Rejects where another fleet has its discriminator, or the store fails.
   */
  ensureSubscription(wanted: KeptSubscription): Promise<void>;
  /** A vehicle was written into the store beside the service, to be set up with this box: it is looked at at once. */
  onboarded(boxId: string): void;
  /** The queues that the message broker refused at the last connect, with what to do about each. */
  refusedQueues(): readonly RefusedQueue[];
  /** Takes nothing more, settles what it holds, closes its sessions. The store stays open: it is the caller's. */
  stop(): Promise<void>;
  /** Cuts it off at once as kill -9 would: nothing that it still had in mind acts afterwards. */
  sever(): void;
  /** What happened how often since the start, by name. */
  counters(): Readonly<Record<string, number>>;
}

/** Builds the backend from its parts and starts it. The only place that knows them all. */
export function startService(given: ServiceWorld, store: Store, settings: ServiceSettings): Service {
  const metrics = makeMetrics();
  const counters = makeCounters(metrics.observe);
  const world = { ...given, http: countedHttp(given.http, remotesOf(settings), counters) };
  const writeProbe = makeWriteProbe(world.time, () => gate.store.census);
  const watched = watchedStore(store, () => {
    counters.add('writes.failed');
    writeProbe.failed();
  });
  const gate = severableStore(watched);
  const { exchange } = world;
  const courier =
    exchange === undefined
      ? undefined
      : startCourier({
          world,
          exchange,
          outbox: gate.store.outbox,
          queues: settings.queues,
          subscribed: () => subscriptions.queues(),
          queueType: settings.queueType,
          connected: () => subscriptions.connected(),
          counters,
        });
  const subscriptions = makeSubscriptions({
    world,
    store: gate.store.subscriptions,
    accounts: settings.accounts,
    outlet: courier?.outlet,
    queueType: settings.queueType,
    counters,
  });
  const ingest = startIngest({
    world,
    store: gate.store.ingest,
    account: settings.mqtt,
    translate: translateNamed,
    hasExchange: exchange !== undefined,
    counters,
    brokerIsNew: settings.brokerIsNew === true,
    settled: (requestIds) => desk.settled(requestIds),
    ready: (boxIds) => {
      bulk.ready(boxIds);
      setup.ready(boxIds);
    },
    written: (rows) => courier?.wake(rows),
  });
  const desk = countedDesk(
    makeDesk({
      world,
      store: gate.store.commands,
      answerTimeoutMs: settings.answerTimeoutMs,
      send: ingest.send,
    }),
    'box',
    counters,
  );
  const configurator = makeConfigurator({
    world,
    store: gate.store.configuration,
    desk,
    models: modelKnowledge,
  });
  const bulk = startBulkWorker({
    world,
    store: gate.store.bulk,
    tryErrand: makeTryErrand({ world, vehicles: gate.store.vehicles, configurator }),
    counters,
    answerTimeoutMs: settings.answerTimeoutMs,
    // Of two with one client id the broker puts one out, so no two backends have the same.
    holder: settings.mqtt.clientId,
  });
  const thirdParty = startThirdParty({
    world,
    store: gate.store,
    remotes: settings.makers ?? {},
    baseUrl: settings.baseUrl,
    answerTimeoutMs: settings.answerTimeoutMs,
    hasExchange: exchange !== undefined,
    counters,
    written: () => courier?.wake(),
  });
  const operator = makeOperator({ world, counters, alertUrl: settings.alertUrl });
  let isStopping = false;
  const dataFiles = settings.dataFiles === undefined ? undefined : watchDataFiles(world, settings.dataFiles);
  const monitor = makeMonitor({
    world,
    store: gate.store,
    writeProbe,
    ingest,
    courier,
    counters,
    metrics,
    processMetrics: settings.processMetrics,
    areFilesGone: () => dataFiles?.areGone() ?? false,
    accounts: () => subscriptions.accountsCondition(),
    isStopping: () => isStopping,
  });
  const app = buildBackendApp({
    world,
    store: gate.store,
    settings,
    operator,
    desk,
    makerDesk: countedDesk(thirdParty.desk, 'maker', counters),
    thirdParty,
    connectivity: makeConnectivity(world, settings.simProviders ?? {}),
    bulk,
    configurator,
    models: modelKnowledge,
    subscriptions,
    messages: courier === undefined ? undefined : { written: () => courier.wake() },
    onboarded: (boxId) => setup.ready([boxId]),
    monitor,
    around: watchRequests(world.time, metrics),
  });
  const setup = startSetup({ world, store: gate.store.setup, desk, counters });
  let isSevered = false;

  return {
    fetch: async (request, peer = {}) => {
      const response = await app.fetch(request, peer);
      // Nobody hears from a process that is gone.
      return isSevered ? new Promise<Response>(() => undefined) : response;
    },
    started: ingest.started,
    release() {
      isStopping = true;
      desk.stop();
      thirdParty.release();
    },
    ensureSubscription: (wanted) => subscriptions.ensure(wanted),
    onboarded: (boxId) => setup.ready([boxId]),
    refusedQueues: () => courier?.outlet.refused() ?? [],
    async stop() {
      isStopping = true;
      dataFiles?.stop();
      setup.stop();
      subscriptions.stop();
      desk.stop();
      await thirdParty.stop();
      await bulk.stop();
      await ingest.stop();
      await courier?.stop();
      operator.stop();
    },
    sever() {
      isSevered = true;
      dataFiles?.stop();
      setup.stop();
      subscriptions.stop();
      bulk.sever();
      thirdParty.sever();
      gate.sever();
      operator.stop();
      ingest.sever();
      courier?.sever();
    },
    counters: () => counters.read(),
  };
}

/** Whom the service calls, by the names of the settings. */
function remotesOf({ simProviders = {}, makers = {}, alertUrl }: ServiceSettings): readonly Remote[] {
  const remotes = Object.entries({ ...simProviders, ...makers }).map(([name, { baseUrl }]) => ({
    name,
    baseUrl,
  }));
  return alertUrl === undefined ? remotes : [...remotes, { name: 'alerts', baseUrl: alertUrl }];
}
