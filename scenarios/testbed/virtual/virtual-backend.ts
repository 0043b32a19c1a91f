import type { QueueAccounts } from '../../../backend/events/accounts.ts';
import { type Service, type ServiceWorld, startService } from '../../../backend/service.ts';
import { delayedStore } from '../../../backend/store/delayed-store.ts';
import type { Store } from '../../../backend/store/port/store.ts';
import type { SqliteStore } from '../../../backend/store/sqlite/store.ts';
import type { AmqpMessage } from '../../../world/amqp/amqp-publisher.ts';
import type { Stream } from '../../../world/random/random.ts';
import type { ProcessInstance, VirtualWorld } from '../../../world/virtual-world.ts';
import { testbedLimits } from '../../limits.ts';
import type { Counting } from '../common/faults/active-fault.ts';
import { BASE_URL, MAKER, SIMS_URL } from '../common/names.ts';
import type { EffectRecording } from '../common/recordings/effect-recording.ts';
import type { OutcomeRecording } from '../common/recordings/outcome-recording.ts';
import { testbedServiceSettings } from '../common/testbed-service-settings.ts';
import { BackendGate } from './backend-gate.ts';

/** Within one process queues of subscriptions need no accounts. */
const ACCOUNTS: QueueAccounts = {
  address: { host: 'exchange.virtual', port: 5672, virtualHost: '/' },
  kind: 'own',
  grant: () => Promise.resolve(),
  revoke: () => Promise.resolve(),
  shared: () => undefined,
};

/** The parts of the service that faults can replace. */
export interface VirtualServiceParts {
  readonly world: VirtualWorld;
  readonly hasMaker: boolean;
  /** How many backends share the store; absent: one, which serves all boxes. */
  readonly backends?: number;
  /** Calls a minute that each client may make; absent: as many as it likes. */
  readonly rateLimit?: number;
  /** The store with its faults, for an instance of a backend (counted from 1). */
  readonly wrapStore: (store: Store, instance: ProcessInstance, backend: number) => Store;
  /** The world, for an instance of a backend. */
  readonly worldOf: (instance: ProcessInstance, backend: number) => ServiceWorld;
  /** Watches the order of causes and effects; absent: nobody asks. */
  readonly effects?: EffectRecording | undefined;
  /** Watches what becomes of settled rows; absent: nobody asks. */
  readonly outcomes?: OutcomeRecording | undefined;
  readonly onStateChange: (state: 'up' | 'down', reason: string) => void;
  /** The box of the vehicle, by the plan of the run; undefined: there is no such vehicle, or no longer. */
  readonly findVehicle: (vehicleId: string) => { readonly boxId?: string | undefined } | undefined;
}

/** One backend, which can crash and start again: one instance after the other. */
export class VirtualBackend {
  readonly #parts: VirtualServiceParts;
  /** From 1. */
  readonly #number: number;
  readonly #name: string;
  readonly #commitDraws: Stream;
  #instance: ProcessInstance;
  #commits: ReturnType<typeof delayedStore> | undefined;
  #service: Service | undefined;
  readonly #gate = new BackendGate();
  /** Settles when the running instance has ended. */
  #stopped = Promise.withResolvers<undefined>();
  #starts = 0;
  /** It has had a session with the MQTT broker, which `/health/ready` reports. */
  #isReady = false;
  /** When it began to stop. */
  #stopsMs: number | undefined;

  constructor(parts: VirtualServiceParts, number: number) {
    this.#parts = parts;
    this.#number = number;
    this.#name = number === 1 ? 'backend' : `backend-${number}`;
    this.#instance = parts.world.instance(this.#name);
    this.#commitDraws = parts.world.random.stream(number === 1 ? 'store' : `store/${number}`);
  }

  get instance(): ProcessInstance {
    return this.#instance;
  }

  get isUp(): boolean {
    return this.#service !== undefined;
  }

  /** It gets requests: it has reported ready, and the balancer has not noticed yet that it is about to stop. */
  takesRequests(nowMs: number): boolean {
    return (
      this.#isReady && (this.#stopsMs === undefined || nowMs < this.#stopsMs + testbedLimits.balancerNoticeMs)
    );
  }

  /** The gate of its instances. */
  get gate(): BackendGate {
    return this.#gate;
  }

  /**
   * Pauses it. It wakes without knowing that time has passed once this is removed, if it has not died. Counts what is
   * withheld from it.
   */
  pause(): Counting {
    const paused = this.#starts;
    const { keptCount: before } = this.#gate;
    this.#gate.pause();
    let atEnd: number | undefined;
    const count = (): number => atEnd ?? this.#gate.keptCount - before;
    const remove = (): void => {
      if (this.#starts === paused) this.#gate.resume();
      atEnd ??= count();
    };
    return { count, remove };
  }

  counters(): Readonly<Record<string, number>> {
    return this.#service?.counters() ?? {};
  }

  /**
   * Starts on that store, unless it is up. Resolves once it accepts frames; while a broker is down that is not soon.
   * `published`: it hands a message to the exchange, under this name in the store's leases; for one of several.
   */
  async start(store: SqliteStore, published: (backend: string, message: AmqpMessage) => void): Promise<void> {
    if (this.#service !== undefined) return;
    const { world, wrapStore, worldOf, hasMaker, backends = 1, rateLimit } = this.#parts;
    if (this.#instance.isKilled) this.#instance = world.instance(this.#name);
    this.#stopped = Promise.withResolvers();
    this.#starts += 1;
    const commits = delayedStore(store, this.#instance.time, this.#commitDraws);
    this.#commits = commits;
    const ofInstance = worldOf(this.#instance, this.#number);
    const storeOfInstance = wrapStore(commits.store, this.#instance, this.#number);
    const settings = testbedServiceSettings({
      serviceUrl: BASE_URL,
      simsUrl: SIMS_URL,
      makerUrl: MAKER.url,
      accounts: ACCOUNTS,
      hasMaker,
      rateLimit,
    });
    this.#gate.renew();
    const name = `${this.#name}-${this.#starts}`;
    const service =
      backends === 1
        ? startService(ofInstance, storeOfInstance, settings)
        : startService(
            this.#gate.wrapWorld(ofInstance, (message) => published(name, message)),
            this.#gate.wrapStore(storeOfInstance, this.#instance.time),
            {
              ...settings,
              shared: { backend: name },
            },
          );
    this.#service = service;
    await Promise.race([service.started, this.#stopped.promise]);
    if (this.#service === service) this.#isReady = true;
  }

  /** Like kill -9: what it had in memory is lost; a commit under way happens, or does not. False: it was down. */
  crash(): boolean {
    if (this.#service === undefined) return false;
    this.#commits?.crash();
    this.#instance.kill();
    this.#service.sever();
    this.#end();
    return true;
  }

  /** Stops it gracefully. False: it was down, or another step has ended it meanwhile. */
  async stop(): Promise<boolean> {
    const service = this.#service;
    if (service === undefined) return false;
    this.#stopsMs ??= this.#parts.world.time.nowMs();
    // It may crash meanwhile, or be stopped by another step: then this call of a dead instance never ends.
    await Promise.race([service.stop(), this.#stopped.promise]);
    if (this.#service !== service) return false;
    this.#instance.kill();
    this.#end();
    return true;
  }

  /** Answers a request; undefined: it is down, or went down before it answered. */
  fetch(request: Request): Promise<Response | undefined> {
    const service = this.#service;
    if (service === undefined) return Promise.resolve(undefined);
    const { backends = 1 } = this.#parts;
    const answer =
      backends === 1
        ? service.fetch(request)
        : new Promise<Response>((resolve, reject) => {
            this.#gate.pass(() => {
              service.fetch(request).then(resolve, reject);
            });
          });
    return Promise.race([answer, this.#stopped.promise]);
  }

  /** Ends it immediately, at the end of a run. */
  close(): void {
    this.#instance.kill();
    this.#service?.sever();
    this.#end();
  }

  #end(): void {
    this.#service = undefined;
    this.#gate.ended();
    this.#isReady = false;
    this.#stopsMs = undefined;
    this.#stopped.resolve(undefined);
  }
}
