import type { QueueAccounts } from '../../../backend/events/accounts.ts';
import { type Service, type ServiceWorld, startService } from '../../../backend/service.ts';
import { delayedStore } from '../../../backend/store/delayed-store.ts';
import type { Store } from '../../../backend/store/port/store.ts';
import { openSqliteStore, type SqliteStore } from '../../../backend/store/sqlite/sqlite-store.ts';
import type { Stream } from '../../../world/random/random.ts';
import type { ProcessInstance, VirtualWorld } from '../../../world/virtual-world.ts';
import { BASE_URL, MAKER, SIMS_URL } from '../common/names.ts';
import { QUEUES, testbedServiceSettings } from '../common/testbed-service-settings.ts';

/** In one process queues of subscriptions need no accounts. */
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
  /** The store as an instance of the service sees it, with its faults. */
  readonly wrapStore: (store: Store, instance: ProcessInstance) => Store;
  /** The world as an instance of the service sees it. */
  readonly worldOf: (instance: ProcessInstance) => ServiceWorld;
  readonly onStateChange: (state: 'up' | 'down', reason: string) => void;
}

/** Runs the service, which can crash and start again: one instance after the other on the same store. */
export class VirtualServiceRunner {
  readonly #parts: VirtualServiceParts;
  #instance: ProcessInstance;
  #store: SqliteStore;
  readonly #commitDraws: Stream;
  #commits: ReturnType<typeof delayedStore> | undefined;
  #service: Service | undefined;
  /** Settles when the running instance has ended. */
  #stopped = Promise.withResolvers<undefined>();

  constructor(parts: VirtualServiceParts) {
    this.#parts = parts;
    this.#instance = parts.world.instance('backend');
    this.#store = openSqliteStore(':memory:');
    this.#commitDraws = parts.world.random.stream('store');
  }

  /** The queues of the beginning: one for each topic and fleet. */
  readonly queues = QUEUES;

  /** The store with what was committed, without faults. */
  get store(): SqliteStore {
    return this.#store;
  }

  get instance(): ProcessInstance {
    return this.#instance;
  }

  get isUp(): boolean {
    return this.#service !== undefined;
  }

  counters(): Readonly<Record<string, number>> {
    return this.#service?.counters() ?? {};
  }

  async start(reason: string): Promise<void> {
    if (this.#service !== undefined) return;
    if (this.#instance.isKilled) this.#instance = this.#parts.world.instance('backend');
    this.#stopped = Promise.withResolvers();
    const commits = delayedStore(this.#store, this.#instance.time, this.#commitDraws);
    this.#commits = commits;
    const service = startService(
      this.#parts.worldOf(this.#instance),
      this.#parts.wrapStore(commits.store, this.#instance),
      testbedServiceSettings({
        ...{ serviceUrl: BASE_URL, simsUrl: SIMS_URL, makerUrl: MAKER.url, accounts: ACCOUNTS },
        hasMaker: this.#parts.hasMaker,
      }),
    );
    this.#service = service;
    this.#parts.onStateChange('up', reason);
    // While a broker is down the service keeps trying to connect.
    await Promise.race([service.started, this.#stopped.promise]);
  }

  /** Like kill -9: what the service had in memory is lost, what it had committed stays. */
  crash(reason: string): void {
    if (this.#service === undefined) return;
    this.#commits?.crash();
    const bytes = this.#store.serialize();
    this.#instance.kill();
    this.#service.sever();
    this.#service = undefined;
    this.#store = openSqliteStore(bytes);
    this.#stopped.resolve(undefined);
    this.#parts.onStateChange('down', reason);
  }

  /** Stops the service gracefully. */
  async stop(reason: string): Promise<void> {
    const service = this.#service;
    if (service === undefined) return;
    // It may crash meanwhile, or be stopped by another step: then this call of a dead instance never ends.
    await Promise.race([service.stop(), this.#stopped.promise]);
    if (this.#service !== service) return;
    this.#service = undefined;
    this.#instance.kill();
    this.#stopped.resolve(undefined);
    this.#parts.onStateChange('down', reason);
  }

  /** Answers a request; undefined: the service is down, or went down before it answered. */
  async fetch(request: Request): Promise<Response | undefined> {
    const service = this.#service;
    if (service === undefined) return undefined;
    return Promise.race([service.fetch(request), this.#stopped.promise]);
  }

  async close(): Promise<void> {
    this.#instance.kill();
    this.#service?.sever();
    this.#service = undefined;
    this.#stopped.resolve(undefined);
    await this.#store.close();
  }
}
