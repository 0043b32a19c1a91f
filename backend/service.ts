import { sleep } from '../world/time/time.ts';
import type { World } from '../world/world.ts';
import { buildBackendApp } from './backend-app.ts';
import { makeCounters } from './base/counters.ts';
import { commandLimits, lastAnswersMs } from './base/limits.ts';
import { within } from './base/within.ts';
import { type CommandDispatcher, makeCommandDispatcher } from './commands/command-dispatcher.ts';
import { makeAttemptWorkItem } from './configuration/bulk-attempt.ts';
import { type BulkWorker, startBulkWorker } from './configuration/bulk-worker.ts';
import { type Configurator, makeConfigurator } from './configuration/configurator.ts';
import { makeConnectivity } from './connectivity/connectivity.ts';
import { type OutboxPublisher, startOutboxPublisher } from './events/outbox-publisher.ts';
import type { RefusedQueue } from './events/topology.ts';
import type { App } from './http/app.ts';
import type { Peer } from './http/environment.ts';
import { makeOpenRequests } from './http/open-requests.ts';
import { watchRequests } from './http/routes/monitoring-routes.ts';
import { type Ingest, startIngest } from './ingest/ingest.ts';
import { modelKnowledge } from './model-knowledge.ts';
import { countedDispatcher, countedHttp, remoteServices } from './monitoring/calls.ts';
import { type DataFilesWatch, watchDataFiles } from './monitoring/data-files.ts';
import { makeMetrics } from './monitoring/metrics.ts';
import { type Monitor, makeMonitor } from './monitoring/monitor.ts';
import { makeOperator, type Operator } from './monitoring/operator.ts';
import { makeWriteProbe, type WriteProbe } from './monitoring/write-probe.ts';
import { type PartitionKeeper, startPartitionKeeper } from './partitions/partition-keeper.ts';
import type { ServiceSettings } from './settings.ts';
import { type SetupWorker, startSetup } from './setup/setup.ts';
import { severableStore, watchedStore } from './store/intercepted-store.ts';
import type { Store } from './store/port/store.ts';
import type { WakeUpListener } from './store/port/wake-ups.ts';
import { followStoreTime, type StoreTime } from './store-time.ts';
import type { StandingSubscription } from './subscriptions/standing-subscriptions.ts';
import { makeSubscriptions, type Subscriptions } from './subscriptions/subscriptions.ts';
import { startThirdParty, type ThirdParty } from './third-party/third-party.ts';
import { translateNamed } from './vehicles/translation/translate.ts';
import { startDoubtWatch, wakeUpHandler } from './wake-ups.ts';

export type ServiceWorld = Pick<
  World,
  'time' | 'steadyTime' | 'random' | 'ids' | 'crypto' | 'mqtt' | 'amqp' | 'http' | 'trace' | 'log'
>;

export interface Service {
  /** Answers one HTTP request. `peer`: its sender, if known. Never rejects. */
  fetch(request: Request, peer?: Peer): Promise<Response>;
  /** Resolves once ingest is connected to the broker; messages are published as soon as the exchange can be reached. */
  started: Promise<void>;
  /**
   * Answers all requests that wait for a command and starts no further command; everything else continues. The program
   * that serves `fetch` calls it before it stops serving, so that no answer is cut off. `stop` does it too. If other
   * backends continue, requests are answered as before until their senders have had time to notice, and then until none
   * is open, for as long as a box may take to answer: no command fails because a backend ends.
   */
  release(): Promise<void>;
  /**
   * Ensures that a subscription with fixed names and credentials exists. Resolves once it can be used, which may take
   * long: the message broker may be away. Rejects if another fleet has its discriminator, or the store fails.
   */
  ensureSubscription(wanted: StandingSubscription): Promise<void>;
  /** A vehicle to be set up with this box was written into the store directly: it is handled at once. */
  onboarded(boxId: string): void;
  /** The queues that the message broker refused at the last connect, with a remedy for each. */
  refusedQueues(): readonly RefusedQueue[];
  /** Why it does not use its MQTT broker, if another installation has it, and the remedy. */
  mqttRefusal(): string | undefined;
  /** Accepts nothing more, settles its work, closes its sessions. The store stays open: the caller owns it. */
  stop(): Promise<void>;
  /** Cuts it off at once as kill -9 would: no pending work has any effect. */
  sever(): void;
  /** All counts since the start, by name. */
  counters(): Readonly<Record<string, number>>;
}

/** Builds the backend from its parts and starts it. */
export function startService(given: ServiceWorld, store: Store, settings: ServiceSettings): Service {
  return new RunningService(given, store, settings);
}

/** The parts of a service. The constructor starts them in order; each has a method that connects it to the others. */
class RunningService implements Service {
  readonly started: Promise<void>;
  readonly #given: ServiceWorld;
  readonly #settings: ServiceSettings;
  readonly #metrics = makeMetrics();
  readonly #counters = makeCounters(this.#metrics.observe);
  readonly #writeProbe: WriteProbe;
  readonly #doubtWatch: ReturnType<typeof startDoubtWatch>;
  readonly #severable: ReturnType<typeof severableStore>;
  readonly #storeTime: StoreTime | undefined;
  readonly #world: ServiceWorld;
  /** Absent: there is no message broker. */
  readonly #outboxPublisher: OutboxPublisher | undefined;
  readonly #subscriptions: Subscriptions;
  /** Absent: this backend serves all boxes. */
  readonly #keeper: PartitionKeeper | undefined;
  readonly #ingest: Ingest;
  readonly #dispatcher: CommandDispatcher;
  readonly #configurator: Configurator;
  readonly #bulk: BulkWorker;
  readonly #thirdParty: ThirdParty;
  readonly #operator: Operator;
  readonly #dataFiles: DataFilesWatch | undefined;
  readonly #app: App;
  readonly #setup: SetupWorker;
  readonly #woken: WakeUpListener;
  readonly #stopListening: () => void;
  readonly #requests = makeOpenRequests();
  #isStopping = false;
  #isSevered = false;
  #released: Promise<void> | undefined;

  constructor(given: ServiceWorld, store: Store, settings: ServiceSettings) {
    this.#given = given;
    this.#settings = settings;
    this.#writeProbe = makeWriteProbe(given.steadyTime, () => this.#severable.store.census);
    this.#doubtWatch = startDoubtWatch(given.steadyTime, (wakeUp) => this.#woken(wakeUp));
    this.#severable = severableStore(this.#watched(store));
    const parts = this.#severable.store;
    this.#storeTime =
      settings.shared === undefined ? undefined : followStoreTime({ world: given, clock: parts.clock });
    const counters = this.#counters;
    const world = {
      ...given,
      time: this.#storeTime?.time ?? given.time,
      http: countedHttp(given.http, remoteServices(settings), counters),
    };
    this.#world = world;
    this.#outboxPublisher = this.#startPublisher();
    this.#subscriptions = makeSubscriptions({
      world,
      store: parts.subscriptions,
      accounts: settings.accounts,
      amqpConnection: this.#outboxPublisher?.amqpConnection,
      queueType: settings.queueType,
      counters,
    });
    this.#keeper = settings.shared === undefined ? undefined : this.#startKeeper(settings.shared.backend);
    this.#ingest = this.#startIngest();
    this.#dispatcher = countedDispatcher(
      makeCommandDispatcher({
        world,
        store: parts.commands,
        answerTimeoutMs: settings.answerTimeoutMs,
        send: (topic, bytes) => this.#ingest.send(topic, bytes),
      }),
      'box',
      counters,
    );
    this.#configurator = makeConfigurator({
      world,
      store: parts.configuration,
      dispatcher: this.#dispatcher,
      models: modelKnowledge,
    });
    this.#bulk = this.#startBulk();
    this.#thirdParty = this.#startThirdParty();
    this.#operator = makeOperator({ world, counters, alertUrl: settings.alertUrl });
    this.#dataFiles =
      settings.dataFiles === undefined ? undefined : watchDataFiles(world, settings.dataFiles);
    this.#app = this.#buildApp();
    this.#setup = startSetup({ world, store: parts.setup, dispatcher: this.#dispatcher, counters });
    this.#woken = wakeUpHandler({
      dispatcher: this.#dispatcher,
      bulk: this.#bulk,
      setup: this.#setup,
      outboxPublisher: this.#outboxPublisher,
      subscriptions: this.#subscriptions,
      keeper: this.#keeper,
    });
    this.#stopListening = parts.listen(this.#woken);
    this.started = this.#ingest.started;
  }

  async fetch(request: Request, peer: Peer = {}): Promise<Response> {
    const response = await this.#requests.during(Promise.resolve(this.#app.fetch(request, peer)));
    // A killed process notifies nobody.
    return this.#isSevered ? new Promise<Response>(() => undefined) : response;
  }

  release(): Promise<void> {
    this.#released ??= this.#endRequests();
    return this.#released;
  }

  ensureSubscription(wanted: StandingSubscription): Promise<void> {
    return this.#subscriptions.ensure(wanted);
  }

  onboarded(boxId: string): void {
    this.#setup.ready([boxId]);
  }

  refusedQueues(): readonly RefusedQueue[] {
    return this.#outboxPublisher?.amqpConnection.refused() ?? [];
  }

  mqttRefusal(): string | undefined {
    return this.#ingest.condition().mqttRefusal;
  }

  async stop(): Promise<void> {
    await this.release();
    this.#stopWatching();
    await this.#thirdParty.stop();
    await this.#bulk.stop();
    // Other backends take over its partitions.
    await this.#keeper?.stop();
    await this.#ingest.stop();
    await this.#outboxPublisher?.stop();
    this.#operator.stop();
  }

  sever(): void {
    this.#isSevered = true;
    this.#stopWatching();
    this.#bulk.sever();
    this.#keeper?.sever();
    this.#thirdParty.sever();
    this.#severable.sever();
    this.#operator.stop();
    this.#ingest.sever();
    this.#outboxPublisher?.sever();
  }

  counters(): Readonly<Record<string, number>> {
    return this.#counters.read();
  }

  #stopWatching(): void {
    this.#stopListening();
    this.#doubtWatch.stop();
    this.#storeTime?.stop();
    this.#dataFiles?.stop();
    this.#setup.stop();
    this.#subscriptions.stop();
  }

  async #endRequests(): Promise<void> {
    this.#isStopping = true;
    if (this.#settings.shared !== undefined) {
      // For a single backend a balancer has no alternative meanwhile.
      const isAlone = this.#keeper?.condition().backends === 1;
      const noticed = isAlone ? Promise.resolve() : sleep(this.#given.time, commandLimits.noticeMs);
      const answered = noticed.then(() => this.#requests.idle());
      await within(this.#world.time, lastAnswersMs(this.#settings.answerTimeoutMs), answered);
    }
    this.#dispatcher.stop();
    this.#thirdParty.release();
  }

  /** The store, whose failed writes are counted. */
  #watched(store: Store): Store {
    return watchedStore(store, () => {
      this.#counters.add('writes.failed');
      this.#writeProbe.failed();
      this.#doubtWatch.failed();
    });
  }

  #startPublisher(): OutboxPublisher | undefined {
    const { amqp } = this.#world;
    if (amqp === undefined) return undefined;
    const { shared, queues, queueType } = this.#settings;
    return startOutboxPublisher({
      world: this.#world,
      amqp,
      outbox: this.#severable.store.outbox,
      ...(shared === undefined
        ? {}
        : { partitions: [], mayPublish: () => this.#keeper?.areInForce() === true }),
      queues,
      subscribed: () => this.#subscriptions.queues(),
      queueType,
      claimed: () => this.#severable.store.subscriptions.queueNames(),
      connected: () => this.#subscriptions.connected(),
      counters: this.#counters,
    });
  }

  #startKeeper(backend: string): PartitionKeeper {
    return startPartitionKeeper({
      counters: this.#counters,
      backend,
      // It compares durations: the machine's clock may be set, and a time that follows the store's may jump.
      world: { ...this.#given, time: this.#given.steadyTime },
      store: this.#severable.store.leases,
      isConnected: () => this.#ingest.condition().isConnected,
      gained: (leases) => {
        this.#ingest.gained(leases);
        this.#outboxPublisher?.gained(leases.map(({ partition }) => partition));
        // The previous holder may have ended between a box's ready and the work that waited for it.
        this.#bulk.recheck();
        this.#setup.recheck();
      },
      lost: (partitions) => {
        this.#ingest.lost(partitions);
        this.#outboxPublisher?.lost(partitions);
      },
      drain: async (partitions) => {
        await this.#ingest.drain(partitions);
        await this.#outboxPublisher?.drain(partitions);
      },
    });
  }

  #startIngest(): Ingest {
    const { mqtt, installationId, shared, brokerIsNew } = this.#settings;
    const keeper = this.#keeper;
    return startIngest({
      world: this.#world,
      store: this.#severable.store.ingest,
      account: mqtt,
      installationId,
      translate: translateNamed,
      hasMessageBroker: this.#world.amqp !== undefined,
      shared: keeper && shared && { ...shared, keeper },
      counters: this.#counters,
      brokerIsNew: brokerIsNew === true,
      requestsSettled: (requestIds) => this.#dispatcher.settled(requestIds),
      boxesReady: (boxIds) => {
        this.#bulk.ready(boxIds);
        this.#setup.ready(boxIds);
      },
      messagesWritten: (rows) => this.#outboxPublisher?.wake(rows),
    });
  }

  #startBulk(): BulkWorker {
    const { store } = this.#severable;
    const { answerTimeoutMs, shared, mqtt } = this.#settings;
    const attempts = { world: this.#world, vehicles: store.vehicles, configurator: this.#configurator };
    return startBulkWorker({
      world: this.#world,
      store: store.bulk,
      attemptWorkItem: makeAttemptWorkItem(attempts),
      counters: this.#counters,
      answerTimeoutMs,
      // Of two connections with one client id the broker closes one: only those that share sessions have the same.
      holder: shared?.backend ?? mqtt.clientId,
    });
  }

  #startThirdParty(): ThirdParty {
    const { makers, baseUrl, answerTimeoutMs } = this.#settings;
    return startThirdParty({
      world: this.#world,
      store: this.#severable.store,
      remotes: makers ?? {},
      baseUrl,
      answerTimeoutMs,
      hasMessageBroker: this.#world.amqp !== undefined,
      counters: this.#counters,
      messagesWritten: () => this.#outboxPublisher?.wake(),
    });
  }

  #makeMonitor(): Monitor {
    const keeper = this.#keeper;
    return makeMonitor({
      world: this.#world,
      store: this.#severable.store,
      writeProbe: this.#writeProbe,
      ingest: this.#ingest,
      outboxPublisher: this.#outboxPublisher,
      counters: this.#counters,
      metrics: this.#metrics,
      processMetrics: this.#settings.processMetrics,
      partitions: keeper && (() => keeper.condition()),
      areFilesGone: () => this.#dataFiles?.areGone() ?? false,
      accounts: () => this.#subscriptions.accountsCondition(),
      isStopping: () => this.#isStopping,
    });
  }

  #buildApp(): App {
    const publisher = this.#outboxPublisher;
    return buildBackendApp({
      world: this.#world,
      store: this.#severable.store,
      settings: this.#settings,
      operator: this.#operator,
      dispatcher: this.#dispatcher,
      makerCommands: countedDispatcher(this.#thirdParty.makerCommands, 'maker', this.#counters),
      thirdParty: this.#thirdParty,
      connectivity: makeConnectivity(this.#world, this.#settings.simProviders ?? {}),
      bulk: this.#bulk,
      configurator: this.#configurator,
      models: modelKnowledge,
      subscriptions: this.#subscriptions,
      messages: publisher && { written: () => publisher.wake() },
      onboarded: (boxId) => this.onboarded(boxId),
      monitor: this.#makeMonitor(),
      around: watchRequests(this.#world.time, this.#metrics),
    });
  }
}
