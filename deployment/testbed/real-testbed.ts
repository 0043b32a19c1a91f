import { HEALTH_PATH } from '../../backend/http/routes/monitoring-routes.ts';
import type { ServiceReadiness } from '../../backend/monitoring/health.ts';
import type { Evidence } from '../../judge/evidence/evidence.ts';
import type { Recordings } from '../../judge/recordings.ts';
import type { Scenario } from '../../scenarios/language/document/scenario.ts';
import { ApiClients } from '../../scenarios/testbed/common/api-clients.ts';
import { CommonTestbed } from '../../scenarios/testbed/common/common-testbed.ts';
import { evidenceOf } from '../../scenarios/testbed/common/evidence.ts';
import { CrashPoints } from '../../scenarios/testbed/common/faults/crash-points.ts';
import type { FaultTargets } from '../../scenarios/testbed/common/faults/fault-targets.ts';
import { StoreFaultLayers } from '../../scenarios/testbed/common/faults/store-faults.ts';
import { SIM_KEYS } from '../../scenarios/testbed/common/names.ts';
import {
  CLIENT_ID,
  testbedServiceSettings,
} from '../../scenarios/testbed/common/testbed-service-settings.ts';
import { BoxWatch } from '../../scenarios/testbed/common/vehicles/box-watch.ts';
import { populate } from '../../scenarios/testbed/common/vehicles/populate.ts';
import type { Testbed } from '../../scenarios/testbed/port/testbed.ts';
import { type SimProviders, simProviders } from '../../simulator/sim-provider/providers.ts';
import { realAmqpConsumer } from '../../world/amqp/real-amqp-consumer.ts';
import type { Random } from '../../world/random/random.ts';
import { sleep, type Time } from '../../world/time/time.ts';
import { type HttpServer, serveHttp } from '../http/http-server.ts';
import { RealLevels } from './levels.ts';
import { limits } from './limits.ts';
import { QueueTap } from './queue-tap.ts';
import { openRealInfrastructure, type RealInfrastructure } from './real-infrastructure.ts';
import { RealServiceRunner } from './real-service-runner.ts';

export interface RealTestbedOptions {
  /** Reads a file next to the scenario, for weather that plays a recorded link; undefined: it does not exist. */
  readonly readFile?: (file: string) => string | undefined;
  /** The recording of the run. */
  readonly recordings: Recordings;
}

/** On the answer of the gateway before a service that is down. */
const AWAY_HEADER = 'x-service-away';

/** Opens brokers, servers and a database for it; nothing happens before `start`. Rejects where no port is available. */
export async function openRealTestbed(scenario: Scenario, options: RealTestbedOptions): Promise<Testbed> {
  let testbed: RealTestbed | undefined;
  const infrastructure = await openRealInfrastructure({
    seed: scenario.seed,
    secretOf: (boxId) => testbed?.secretOf(boxId),
  });
  try {
    const served = await serve(infrastructure, () => testbed);
    testbed = new RealTestbed(scenario, options, infrastructure, served);
    return testbed;
  } catch (error) {
    await infrastructure.close();
    throw error;
  }
}

interface ServedUrls {
  readonly serviceUrl: string;
  readonly simsUrl: string;
  readonly makerUrl: string;
}

async function serve(
  infrastructure: RealInfrastructure,
  testbed: () => RealTestbed | undefined,
): Promise<ServedUrls> {
  const listen = async (answer: (testbed: RealTestbed, request: Request) => Response | Promise<Response>) => {
    const server: HttpServer = await serveHttp({ port: 0 }, (request) => {
      const there = testbed();
      return there === undefined ? away() : answer(there, request);
    });
    await infrastructure.disposables.add(() => server.close());
    return `http://127.0.0.1:${server.port}`;
  };
  return {
    serviceUrl: await listen((there, request) => there.fetch(request)),
    simsUrl: await listen((there, request) => there.sims.app.fetch(request)),
    makerUrl: await listen((there, request) => there.askMaker(request)),
  };
}

function away(): Response {
  return new Response(null, { status: 503, headers: { [AWAY_HEADER]: 'yes' } });
}

/** The testbed over sockets, with the wall clock. */
class RealTestbed extends CommonTestbed {
  readonly world = 'real';
  readonly time: Time;
  readonly random: Random;
  readonly evidence: Evidence;
  readonly sims: SimProviders;
  protected readonly clients: ApiClients;
  protected readonly faultTargets: FaultTargets;
  protected readonly boxWatch: BoxWatch;
  readonly #infrastructure: RealInfrastructure;
  readonly #serviceRunner: RealServiceRunner;
  readonly #levels: RealLevels;
  readonly #tap: QueueTap;

  constructor(
    scenario: Scenario,
    options: RealTestbedOptions,
    infrastructure: RealInfrastructure,
    served: ServedUrls,
  ) {
    super(scenario, {
      seed: scenario.seed,
      recordings: options.recordings,
      readFile: options.readFile,
    });
    const { world, store, mqtt, amqp, exchange } = infrastructure;
    this.#infrastructure = infrastructure;
    this.time = world.time;
    this.random = world.random;
    this.boxWatch = new BoxWatch(this.time, (fact) => this.noteFact(fact), this.clockErrors, this.boxHistory);
    const storeFaults = new StoreFaultLayers();
    const crashPoints = new CrashPoints(
      (taken) => exchange.onAccepted(taken),
      (lost) => exchange.losePublications(1, { isCut: true, onEffect: lost }),
    );
    this.#serviceRunner = new RealServiceRunner({
      store,
      world: crashPoints.wrapWorld(world),
      settings: testbedServiceSettings({
        ...served,
        accounts: amqp.accounts,
        hasMaker: this.vehicles.some(({ carPlan }) => carPlan !== undefined),
        rateLimit: scenario.rateLimit,
      }),
      wrapStore: (guarded) => crashPoints.wrapStore(storeFaults.wrap(guarded, this.time)),
      cutConnections: () => {
        mqtt.proxy.cut(CLIENT_ID);
        exchange.cut();
      },
      onStateChange: (state, reason) => this.noteFact({ kind: 'service', state, reason }),
    });
    this.clients = new ApiClients(scenario.clients, this.time, send, served.serviceUrl);
    this.#levels = new RealLevels(store, mqtt.proxy, this.vehicles.length);
    this.sims = simProviders({ time: this.time, fleet: () => this.fleet, apiKeys: SIM_KEYS });
    this.faultTargets = this.targetsOf(
      {
        world: { networkFaults: mqtt.networkFaults, mqttBroker: mqtt.broker, amqpBroker: exchange },
        service: this.#serviceRunner,
        simProviders: this.sims,
        storeFaults,
        crashPoints,
        waitingMessages: this.#serviceRunner.waitingMessages,
      },
      () => store,
    );
    this.evidence = evidenceOf({
      time: this.time,
      vehicles: this.vehicles,
      service: this.#serviceRunner,
      frames: this.frames,
      queues: this.queues,
      calls: this.calls,
      notifications: this.notifications,
      boxWatch: this.boxWatch,
      clockErrors: this.clockErrors,
      boxHistory: this.boxHistory,
      levels: this.#levels,
      flashPagesOf: (boxId) => world.flash.load(boxId),
      ask: (request) => this.clients.askAgain(request),
      // Its log is discarded.
      warnings: [],
    });
    this.#tap = new QueueTap(
      realAmqpConsumer({ url: amqp.url }),
      this.time,
      async () => (await this.evidence.queues()).map(({ name }) => name),
      (queue, message) => this.recordMessage(queue, message),
    );
  }

  secretOf(boxId: string): string | undefined {
    return this.vehiclesByBox.get(boxId)?.boxPlan?.secret;
  }

  /** A gateway before the service: it reports where the service is down. */
  async fetch(request: Request): Promise<Response> {
    return (await this.#serviceRunner.fetch(request)) ?? away();
  }

  askMaker(request: Request): Response | Promise<Response> {
    return this.cloud?.app.fetch(request) ?? away();
  }

  async start(): Promise<void> {
    const { world, store, disposables } = this.#infrastructure;
    await this.clients.register(store.access, world);
    await populate(this.vehicles, store.vehicles, world);
    await this.startCars(world);
    await disposables.add(() => this.cloud?.stop());
    await disposables.add(() => this.#serviceRunner.end('the run is over'));
    await this.#serviceRunner.start('the run begins');
    const reading = this.#tap.begin();
    reading.catch(() => undefined);
    await disposables.add(() => this.#tap.close());
    await disposables.add(() => this.fleet?.stop());
    await this.startBoxes(world);
    await waitUntilReady((request) => this.#serviceRunner.fetch(request), this.time);
    this.#levels.begin(this.time);
  }

  protected tearLastWrite(): never {
    throw new Error('A write of this flash is whole or not at all.');
  }

  close(): Promise<void> {
    // Its shutdown is no part of the run.
    this.observe(
      () => undefined,
      () => undefined,
    );
    return this.#infrastructure.close();
  }
}

/** Sends one request over a separate or a kept-alive socket; undefined: nothing answers. */
async function send(request: Request): Promise<Response | undefined> {
  try {
    const response = await fetch(request);
    return response.headers.has(AWAY_HEADER) ? undefined : response;
  } catch {
    return undefined;
  }
}

const READY_URL = `http://127.0.0.1${HEALTH_PATH}/ready`;

/**
 * Resolves once a service has all its connections. The connection to the exchange is the last: a scenario that begins
 * before it would meet a service that is still starting. Rejects with what is missing after `comeUpMs`.
 */
export async function waitUntilReady(
  ask: (request: Request) => Promise<Response | undefined>,
  time: Time,
): Promise<void> {
  const untilMs = time.nowMs() + limits.comeUpMs;
  for (;;) {
    const answer = await ask(new Request(READY_URL));
    const readiness = (await answer?.json()) as ServiceReadiness | undefined;
    if (readiness?.status === 'ready') return;
    if (time.nowMs() >= untilMs) {
      const reasons = readiness?.checks.map(({ reason }) => reason).filter((reason) => reason !== '');
      throw new Error(`The service did not come up: ${reasons?.join(' ') ?? 'it is away'}`);
    }
    await sleep(time, limits.comeUpLookMs);
  }
}
