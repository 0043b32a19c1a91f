import { sleep } from '../world/time/time.ts';
import type { World } from '../world/world.ts';
import { makeCommandDispatcher } from './commands/command-dispatcher.ts';
import { commandLimits, lastAnswersMs } from './commands/limits.ts';
import { makeAttemptWorkItem } from './configuration/bulk-attempt.ts';
import { startBulkWorker } from './configuration/bulk-worker.ts';
import { makeConfigurator } from './configuration/configurator.ts';
import { makeConnectivity } from './connectivity/connectivity.ts';
import { makeCounters } from './counters.ts';
import { startOutboxPublisher } from './events/outbox-publisher.ts';
import type { RefusedQueue } from './events/topology.ts';
import { watchDataFiles } from './health/data-files.ts';
import { makeMonitor } from './health/monitor.ts';
import { makeWriteProbe } from './health/write-probe.ts';
import { buildBackendApp } from './http/backend-app.ts';
import type { Peer } from './http/environment.ts';
import { makeOpenRequests } from './http/open-requests.ts';
import { startIngest } from './ingest/ingest.ts';
import { countedDispatcher, countedHttp, type RemoteService } from './metrics/calls.ts';
import { makeMetrics } from './metrics/metrics.ts';
import { watchRequests } from './metrics/routes.ts';
import { makeOperator } from './operator/operator.ts';
import { startPartitionKeeper } from './partitions/partition-keeper.ts';
import type { ServiceSettings } from './settings.ts';
import { startSetup } from './setup/setup.ts';
import { severableStore, watchedStore } from './store/intercepted-store.ts';
import type { Store } from './store/port/store.ts';
import { followStoreTime } from './store-time.ts';
import type { StandingSubscription } from './subscriptions/standing-subscriptions.ts';
import { makeSubscriptions } from './subscriptions/subscriptions.ts';
import { startThirdParty } from './third-party/third-party.ts';
import { modelKnowledge } from './vehicles/model-knowledge.ts';
import { translateNamed } from './vehicles/translation/translate.ts';
import { startDoubtWatch, wakeUpHandler } from './wake-ups.ts';
import { within } from './within.ts';

export type ServiceWorld = Pick<
  World,
  'time' | 'steadyTime' | 'random' | 'ids' | 'crypto' | 'mqtt' | 'amqp' | 'http' | 'trace' | 'log'
>;

export interface Service {
  /** Answers one HTTP request. `peer`: who sent it, where that is known. Never rejects. */
  fetch(request: Request, peer?: Peer): Promise<Response>;
  /** Resolves once intake is connected to the broker; messages go out as soon as the exchange can be reached. */
  started: Promise<void>;
  /**
   * Answers all requests that wait for a command and starts no further command; everything else continues. The program
   * that serves `fetch` calls it before it stops serving, so that no answer is cut off. `stop` does it too. Where other
   * backends go on, requests are answered as before until whoever sends them has had the time to notice, and then until
   * none is under way, for as long as a box may take to answer: no vehicle is missed because a backend ends.
   */
  release(): Promise<void>;
  /**
   * Makes sure that a subscription of fixed names and credentials is there. Resolves once it can be used, which may be
   * long: the message broker may be away. Rejects where another fleet has its discriminator, or the store fails.
   */
  ensureSubscription(wanted: StandingSubscription): Promise<void>;
  /** A vehicle was written into the store beside the service, to be set up with this box: it is looked at at once. */
  onboarded(boxId: string): void;
  /** The queues that the message broker refused at the last connect, with what to do about each. */
  refusedQueues(): readonly RefusedQueue[];
  /** Why it does not use its MQTT broker, where that is another installation's: whose, which one this is, what to do. */
  mqttRefusal(): string | undefined;
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
  const writeProbe = makeWriteProbe(given.steadyTime, () => severable.store.census);
  const doubtWatch = startDoubtWatch(given.steadyTime, (wakeUp) => woken(wakeUp));
  const watched = watchedStore(store, () => {
    counters.add('writes.failed');
    writeProbe.failed();
    doubtWatch.failed();
  });
  const severable = severableStore(watched);
  const storeTime =
    settings.shared === undefined
      ? undefined
      : followStoreTime({ world: given, clock: severable.store.clock });
  const world = {
    ...given,
    time: storeTime?.time ?? given.time,
    http: countedHttp(given.http, remotesOf(settings), counters),
  };
  const { amqp } = world;
  const outboxPublisher =
    amqp === undefined
      ? undefined
      : startOutboxPublisher({
          world,
          amqp,
          outbox: severable.store.outbox,
          ...(settings.shared === undefined
            ? {}
            : { partitions: [], mayPublish: () => keeper?.areInForce() === true }),
          queues: settings.queues,
          subscribed: () => subscriptions.queues(),
          queueType: settings.queueType,
          claimed: () => severable.store.subscriptions.queueNames(),
          connected: () => subscriptions.connected(),
          counters,
        });
  const subscriptions = makeSubscriptions({
    world,
    store: severable.store.subscriptions,
    accounts: settings.accounts,
    amqpConnection: outboxPublisher?.amqpConnection,
    queueType: settings.queueType,
    counters,
  });
  const keeper =
    settings.shared === undefined
      ? undefined
      : startPartitionKeeper({
          ...{ counters, backend: settings.shared.backend },
          // It compares lengths of time: the machine's clock may be set, and a time that follows the store's may jump.
          world: { ...given, time: given.steadyTime },
          store: severable.store.leases,
          isConnected: () => ingest.condition().isConnected,
          gained: (leases) => {
            ingest.gained(leases);
            outboxPublisher?.gained(leases.map(({ partition }) => partition));
            // Who served these boxes may have ended between their ready and what waited for it.
            bulk.lookAgain();
            setup.lookAgain();
          },
          lost: (partitions) => {
            ingest.lost(partitions);
            outboxPublisher?.lost(partitions);
          },
          drain: async (partitions) => {
            await ingest.drain(partitions);
            await outboxPublisher?.drain(partitions);
          },
        });
  const ingest = startIngest({
    world,
    store: severable.store.ingest,
    account: settings.mqtt,
    installationId: settings.installationId,
    translate: translateNamed,
    hasMessageBroker: amqp !== undefined,
    shared: keeper && settings.shared && { ...settings.shared, keeper },
    counters,
    brokerIsNew: settings.brokerIsNew === true,
    requestsSettled: (requestIds) => dispatcher.settled(requestIds),
    boxesReady: (boxIds) => {
      bulk.ready(boxIds);
      setup.ready(boxIds);
    },
    messagesWritten: (rows) => outboxPublisher?.wake(rows),
  });
  const dispatcher = countedDispatcher(
    makeCommandDispatcher({
      world,
      store: severable.store.commands,
      answerTimeoutMs: settings.answerTimeoutMs,
      send: ingest.send,
    }),
    'box',
    counters,
  );
  const configurator = makeConfigurator({
    world,
    store: severable.store.configuration,
    dispatcher,
    models: modelKnowledge,
  });
  const bulk = startBulkWorker({
    world,
    store: severable.store.bulk,
    attemptWorkItem: makeAttemptWorkItem({ world, vehicles: severable.store.vehicles, configurator }),
    counters,
    answerTimeoutMs: settings.answerTimeoutMs,
    // Of two with one client id the broker puts one out: only those that share its sessions have the same.
    holder: settings.shared?.backend ?? settings.mqtt.clientId,
  });
  const thirdParty = startThirdParty({
    world,
    store: severable.store,
    remotes: settings.makers ?? {},
    baseUrl: settings.baseUrl,
    answerTimeoutMs: settings.answerTimeoutMs,
    hasMessageBroker: amqp !== undefined,
    counters,
    messagesWritten: () => outboxPublisher?.wake(),
  });
  const operator = makeOperator({ world, counters, alertUrl: settings.alertUrl });
  let isStopping = false;
  const dataFiles = settings.dataFiles === undefined ? undefined : watchDataFiles(world, settings.dataFiles);
  const monitor = makeMonitor({
    world,
    store: severable.store,
    writeProbe,
    ingest,
    outboxPublisher,
    counters,
    metrics,
    processMetrics: settings.processMetrics,
    partitions: keeper?.condition,
    areFilesGone: () => dataFiles?.areGone() ?? false,
    accounts: () => subscriptions.accountsCondition(),
    isStopping: () => isStopping,
  });
  const app = buildBackendApp({
    world,
    store: severable.store,
    settings,
    operator,
    dispatcher,
    makerCommands: countedDispatcher(thirdParty.makerCommands, 'maker', counters),
    thirdParty,
    connectivity: makeConnectivity(world, settings.simProviders ?? {}),
    bulk,
    configurator,
    models: modelKnowledge,
    subscriptions,
    messages: outboxPublisher === undefined ? undefined : { written: () => outboxPublisher.wake() },
    onboarded: (boxId) => setup.ready([boxId]),
    monitor,
    around: watchRequests(world.time, metrics),
  });
  const setup = startSetup({ world, store: severable.store.setup, dispatcher, counters });
  const woken = wakeUpHandler({ dispatcher, bulk, setup, outboxPublisher, subscriptions, keeper });
  const stopListening = severable.store.listen(woken);
  const requests = makeOpenRequests();
  let isSevered = false;
  let released: Promise<void> | undefined;

  async function endRequests(): Promise<void> {
    isStopping = true;
    if (settings.shared !== undefined) {
      // A backend that is alone has nobody to whom a balancer could turn meanwhile.
      const isAlone = keeper?.condition().backends === 1;
      const noticed = isAlone ? Promise.resolve() : sleep(given.time, commandLimits.noticeMs);
      const answered = noticed.then(() => requests.idle());
      await within(world.time, lastAnswersMs(settings.answerTimeoutMs), answered);
    }
    dispatcher.stop();
    thirdParty.release();
  }

  function release(): Promise<void> {
    released ??= endRequests();
    return released;
  }

  return {
    fetch: async (request, peer = {}) => {
      const response = await requests.during(Promise.resolve(app.fetch(request, peer)));
      // Nobody hears from a process that is gone.
      return isSevered ? new Promise<Response>(() => undefined) : response;
    },
    started: ingest.started,
    release,
    ensureSubscription: (wanted) => subscriptions.ensure(wanted),
    onboarded: (boxId) => setup.ready([boxId]),
    refusedQueues: () => outboxPublisher?.amqpConnection.refused() ?? [],
    mqttRefusal: () => ingest.condition().mqttRefusal,
    async stop() {
      await release();
      stopListening();
      doubtWatch.stop();
      storeTime?.stop();
      dataFiles?.stop();
      setup.stop();
      subscriptions.stop();
      await thirdParty.stop();
      await bulk.stop();
      // Others take over what it served.
      await keeper?.stop();
      await ingest.stop();
      await outboxPublisher?.stop();
      operator.stop();
    },
    sever() {
      isSevered = true;
      stopListening();
      doubtWatch.stop();
      storeTime?.stop();
      dataFiles?.stop();
      setup.stop();
      subscriptions.stop();
      bulk.sever();
      keeper?.sever();
      thirdParty.sever();
      severable.sever();
      operator.stop();
      ingest.sever();
      outboxPublisher?.sever();
    },
    counters: () => counters.read(),
  };
}

/** Whom the service calls, by the names of the settings. */
function remotesOf({ simProviders = {}, makers = {}, alertUrl }: ServiceSettings): readonly RemoteService[] {
  const remotes = Object.entries({ ...simProviders, ...makers }).map(([name, { baseUrl }]) => ({
    name,
    baseUrl,
  }));
  return alertUrl === undefined ? remotes : [...remotes, { name: 'alerts', baseUrl: alertUrl }];
}
