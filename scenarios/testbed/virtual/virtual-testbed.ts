import type { ServiceWorld } from '../../../backend/service.ts';
import type { Store } from '../../../backend/store/port/store.ts';
import type { Evidence } from '../../../judge/evidence/evidence.ts';
import { isOfJournal } from '../../../judge/ledger/read-flash.ts';
import { ALL_RECORDINGS, type Recordings } from '../../../judge/recordings.ts';
import type { Fleet } from '../../../simulator/fleet/fleet.ts';
import type { MakerCloud } from '../../../simulator/maker-cloud/cloud.ts';
import { type SimProviders, simProviders } from '../../../simulator/sim-provider/providers.ts';
import type { Traffic } from '../../../simulator/vehicle/driving/traffic.ts';
import type { HttpHandler } from '../../../world/http/virtual-http.ts';
import type { Random } from '../../../world/random/random.ts';
import type { Time } from '../../../world/time/time.ts';
import { openVirtualWorld, type ProcessInstance, type VirtualWorld } from '../../../world/virtual-world.ts';
import type { Scenario } from '../../language/document/scenario.ts';
import { ApiClients } from '../common/api-clients.ts';
import { brokerRule } from '../common/broker-rule.ts';
import { CommonTestbed } from '../common/common-testbed.ts';
import { evidenceOf } from '../common/evidence.ts';
import { CrashPoints } from '../common/faults/crash-points.ts';
import type { FaultTargets } from '../common/faults/fault-targets.ts';
import { StoreFaultLayers } from '../common/faults/store-faults.ts';
import { BACKEND, BASE_URL, MAKER, SIM_KEYS, SIMS_URL } from '../common/names.ts';
import { EffectRecording } from '../common/recordings/effect-recording.ts';
import { OutcomeRecording } from '../common/recordings/outcome-recording.ts';
import type { QueueRecording } from '../common/recordings/queue-recording.ts';
import { BoxWatch } from '../common/vehicles/box-watch.ts';
import type { PlannedVehicle } from '../common/vehicles/planned-vehicle.ts';
import { populate } from '../common/vehicles/populate.ts';
import type { Testbed } from '../port/testbed.ts';
import { Levels } from './levels.ts';
import { withoutStoredCheck } from './planted-bug.ts';
import { VirtualServiceRunner } from './virtual-service-runner.ts';

export interface VirtualTestbedOptions {
  /** Replaces the scenario's seed. */
  readonly seed?: number;
  /** Called with each line of the trace. */
  readonly onTraceLine?: (line: string) => void;
  /** Plants a bug (planted-bug.ts): records get lost, for checkers to find. */
  readonly plantedBug?: boolean;
  /** Reads a file next to the scenario, for weather that plays a recorded link; undefined: no such file. */
  readonly readFile?: (file: string) => string | undefined;
  /** Absent: all recordings. */
  readonly recordings?: Recordings;
  /** The traffic in which vehicles keep their distance; absent: each drives as if it were alone. */
  readonly traffic?: Traffic;
}

/**
 * The testbed in one process without a clock. Tests use its parts directly for what the scenario language cannot
 * express.
 */
export interface VirtualTestbed extends Testbed {
  readonly virtualWorld: VirtualWorld;
  readonly vehicles: readonly PlannedVehicle[];
  /** The service, which can crash and be started again. */
  readonly service: VirtualServiceRunner;
  readonly sims: SimProviders;
  /** Undefined before `start`; the cloud also when no vehicle has its maker's telematics. */
  readonly fleet: Fleet | undefined;
  readonly cloud: MakerCloud | undefined;
  readonly queues: QueueRecording;
  /** The hash of the trace so far. */
  hash(): string;
}

/**
 * Plans the vehicles and opens a new world for them; nothing happens before `start`. Testbeds share nothing.
 */
export function openVirtualTestbed(scenario: Scenario, options: VirtualTestbedOptions = {}): VirtualTestbed {
  return new OneProcessTestbed(scenario, options);
}

class OneProcessTestbed extends CommonTestbed implements VirtualTestbed {
  readonly world = 'virtual';
  readonly virtualWorld: VirtualWorld;
  readonly time: Time;
  readonly random: Random;
  readonly evidence: Evidence;
  protected readonly clients: ApiClients;
  protected readonly faultTargets: FaultTargets;
  protected readonly boxWatch: BoxWatch;
  readonly service: VirtualServiceRunner;
  readonly sims: SimProviders;
  readonly #simulator: ProcessInstance;
  readonly #levels: Levels;
  readonly #traffic: Traffic | undefined;

  constructor(scenario: Scenario, options: VirtualTestbedOptions) {
    const { seed = scenario.seed, onTraceLine, plantedBug, recordings = ALL_RECORDINGS } = options;
    super(scenario, { seed, recordings, readFile: options.readFile });
    this.#traffic = options.traffic;
    this.virtualWorld = openVirtualWorld({
      seed,
      mqttAccess: brokerRule(BACKEND, (boxId) => this.vehiclesByBox.get(boxId)?.boxPlan?.secret),
      trace: onTraceLine === undefined ? {} : { sink: onTraceLine },
    });
    const world = this.virtualWorld;
    this.time = world.time;
    this.random = world.random;
    this.#simulator = world.instance('simulator');
    this.boxWatch = new BoxWatch(this.time, (fact) => this.noteFact(fact), this.clockErrors, this.boxHistory);
    const storeFaults = new StoreFaultLayers();
    const crashPoints = new CrashPoints(
      (taken) => world.amqpBroker.onAccepted(taken),
      (lost) => world.amqpBroker.losePublications(1, { isCut: true, onEffect: lost }),
    );
    const effects = recordings.effects ? new EffectRecording(() => this.time.nowMs()) : undefined;
    const outcomes = recordings.outcomes ? new OutcomeRecording(() => this.time.nowMs()) : undefined;
    const watchedStore = (store: Store): Store => effects?.wrapStore(store) ?? store;
    const watchedWorld = (instance: ServiceWorld): ServiceWorld => effects?.wrapWorld(instance) ?? instance;
    this.service = new VirtualServiceRunner({
      world,
      effects,
      outcomes,
      hasMaker: this.vehicles.some(({ carPlan }) => carPlan !== undefined),
      ...(scenario.backends === undefined ? {} : { backends: scenario.backends }),
      ...(scenario.rateLimit === undefined ? {} : { rateLimit: scenario.rateLimit }),
      wrapStore: (store, instance, backend) =>
        watchedStore(crashPoints.wrapStore(storeFaults.wrap(store, instance.time), backend)),
      worldOf: (instance, backend) => {
        const watched = watchedWorld(instance);
        return crashPoints.wrapWorld(
          plantedBug === true ? { ...watched, mqtt: withoutStoredCheck(watched.mqtt) } : watched,
          backend,
        );
      },
      onStateChange: (state, reason) => this.noteFact({ kind: 'service', state, reason }),
      findVehicle: (vehicleId) => this.vehicles.find((vehicle) => vehicle.vehicleId === vehicleId),
    });
    this.clients = new ApiClients(scenario.clients, this.time, (request) => this.service.fetch(request));
    this.#levels = new Levels(world, this.service, this.vehicles.length);
    this.sims = simProviders({
      time: this.#simulator.time,
      fleet: () => this.fleet,
      apiKeys: SIM_KEYS,
    });
    this.faultTargets = this.targetsOf(
      {
        world,
        service: this.service,
        simProviders: this.sims,
        storeFaults,
        crashPoints,
        waitingMessages: this.service.waitingMessages,
      },
      () => this.service.store,
    );
    this.evidence = evidenceOf({
      time: this.time,
      vehicles: this.vehicles,
      service: this.service,
      frames: this.frames,
      queues: this.queues,
      calls: this.calls,
      notifications: this.notifications,
      boxWatch: this.boxWatch,
      clockErrors: this.clockErrors,
      boxHistory: this.boxHistory,
      levels: this.#levels,
      effects,
      outcomes,
      flashPagesOf: (boxId) => Promise.resolve(world.flashImages.image(boxId).pages(isOfJournal)),
      ask: (request) => this.clients.askAgain(request),
      warnings: world.warnings,
    });
    this.#serveOrigins();
    const { amqpBroker } = this.virtualWorld;
    amqpBroker.listen((queue, stored) => {
      this.recordMessage(queue, stored);
      // Consumes the queues; what must be kept is in the recordings.
      amqpBroker.drain(queue);
    });
  }

  async start(): Promise<void> {
    const { store, instance } = this.service;
    await this.clients.register(store.access, instance);
    await populate(this.vehicles, store.vehicles, instance);
    await this.startCars(this.#simulator, this.#traffic);
    await this.service.start('the run begins');
    await this.startBoxes(this.#simulator, this.#traffic);
    this.#levels.begin(this.time);
  }

  hash(): string {
    return this.virtualWorld.hash();
  }

  protected tearLastWrite(boxId: string): void {
    this.virtualWorld.flashImages.tearLastWrite(boxId);
  }

  /** Closes immediately: no further event of the world runs. */
  async close(): Promise<void> {
    this.#simulator.kill();
    await this.service.close();
  }

  #serveOrigins(): void {
    const { origins } = this.virtualWorld;
    origins.serve(
      SIMS_URL,
      httpHandler((request) => this.sims.app.fetch(request)),
    );
    origins.serve(
      BASE_URL,
      // While the service is down the connection ends without an answer, as a proxy's does.
      httpHandler(async (request) => {
        const response = await this.service.fetch(request);
        if (response === undefined) throw new Error('The service is down.');
        return response;
      }),
    );
    origins.serve(
      MAKER.url,
      httpHandler((request) => {
        if (this.cloud === undefined) throw new Error('There is no maker.');
        return this.cloud.app.fetch(request);
      }),
    );
  }
}

/** Serves an application at an origin of the virtual world. */
function httpHandler(fetch: (request: Request) => Response | Promise<Response>): HttpHandler {
  return async ({ method, url, headers, body }) => {
    const request = new Request(url, { method, headers, ...(body === undefined ? {} : { body }) });
    const response = await fetch(request);
    return {
      status: response.status,
      headers: Object.fromEntries(response.headers),
      body: await response.text(),
    };
  };
}
