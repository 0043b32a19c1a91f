import { queueName, TOPICS } from '../../backend/events/topics.ts';
import {
  type Service,
  type ServiceSettings,
  type ServiceWorld,
  startService,
} from '../../backend/service.ts';
import { openSqliteStore, type SqliteStore } from '../../backend/store/sqlite.ts';
import type { Store } from '../../backend/store/store.ts';
import { SIM_PROVIDER_NAMES } from '../../simulator/sim-provider/names.ts';
import type { Incarnation, VirtualWorld } from '../../world/virtual-world.ts';
import { limits } from '../theatre/limits.ts';
import { BACKEND, BASE_URL, FLEETS, fleetIdOf, MAKER, SIM_KEYS, SIMS_URL } from '../theatre/names.ts';

const QUEUES = FLEETS.flatMap((fleet) =>
  TOPICS.map(({ topic, message }) => ({
    name: queueName(topic, fleet),
    fleetId: fleetIdOf(fleet),
    messages: message,
  })),
);

/** What the office can be made to be other than it should. */
export interface OfficeParts {
  readonly world: VirtualWorld;
  readonly hasMaker: boolean;
  /** The store as an incarnation of the service sees it: with its faults. */
  readonly guard: (store: Store, life: Incarnation) => Store;
  /** The world as an incarnation of the service sees it. */
  readonly ports: (life: Incarnation) => ServiceWorld;
  readonly changed: (state: 'up' | 'down', reason: string) => void;
}

/** The service, which can crash and come back: one incarnation after the other on one store. */
export class Office {
  readonly #parts: OfficeParts;
  #life: Incarnation;
  #store: SqliteStore;
  #service: Service | undefined;
  /** Settled when the incarnation that runs is gone. */
  #gone = Promise.withResolvers<undefined>();

  constructor(parts: OfficeParts) {
    this.#parts = parts;
    this.#life = parts.world.incarnation('backend');
    this.#store = openSqliteStore(':memory:');
  }

  /** The queues that are there from the beginning: of each topic one for each fleet. */
  readonly queues = QUEUES;

  /** What has been committed, without the faults. */
  get store(): SqliteStore {
    return this.#store;
  }

  get life(): Incarnation {
    return this.#life;
  }

  get isUp(): boolean {
    return this.#service !== undefined;
  }

  counters(): Readonly<Record<string, number>> {
    return this.#service?.counters() ?? {};
  }

  async start(reason: string): Promise<void> {
    if (this.#service !== undefined) return;
    if (this.#life.isSevered) this.#life = this.#parts.world.incarnation('backend');
    this.#gone = Promise.withResolvers();
    const service = startService(
      this.#parts.ports(this.#life),
      this.#parts.guard(this.#store, this.#life),
      settingsOf(this.#parts.hasMaker),
    );
    this.#service = service;
    this.#parts.changed('up', reason);
    // A broker that is down lets nobody in, and the service tries on.
    await Promise.race([service.started, this.#gone.promise]);
  }

  /** As kill -9: what the service had in mind is gone, what it had committed stays. */
  crash(reason: string): void {
    if (this.#service === undefined) return;
    const bytes = this.#store.serialize();
    this.#life.sever();
    this.#service.sever();
    this.#service = undefined;
    this.#store = openSqliteStore(bytes);
    this.#gone.resolve(undefined);
    this.#parts.changed('down', reason);
  }

  /** Stops it in good order. */
  async stop(reason: string): Promise<void> {
    const service = this.#service;
    if (service === undefined) return;
    await service.stop();
    // It may have crashed meanwhile.
    if (this.#service !== service) return;
    this.#service = undefined;
    this.#life.sever();
    this.#gone.resolve(undefined);
    this.#parts.changed('down', reason);
  }

  /** Answers a request; undefined: the service is down, or went away before it answered. */
  async fetch(request: Request): Promise<Response | undefined> {
    const service = this.#service;
    if (service === undefined) return undefined;
    return Promise.race([service.fetch(request), this.#gone.promise]);
  }

  async close(): Promise<void> {
    this.#life.sever();
    this.#service?.sever();
    this.#service = undefined;
    this.#gone.resolve(undefined);
    await this.#store.close();
  }
}

function settingsOf(hasMaker: boolean): ServiceSettings {
  return {
    baseUrl: BASE_URL,
    mqtt: { clientId: 'backend-theatre', ...BACKEND },
    answerTimeoutMs: limits.answerTimeoutMs,
    requestsPerMinute: limits.requestsPerMinute,
    simProviders: Object.fromEntries(
      SIM_PROVIDER_NAMES.map((name) => [name, { baseUrl: `${SIMS_URL}/${name}`, apiKey: SIM_KEYS[name] }]),
    ),
    accounts: {
      address: { host: 'exchange.virtual', port: 5672, virtualHost: '/' },
      kind: 'own',
      grant: () => Promise.resolve(),
      revoke: () => Promise.resolve(),
      shared: () => undefined,
    },
    makers: hasMaker ? { [MAKER.name]: { baseUrl: MAKER.url, apiKey: MAKER.apiKey } } : {},
    queues: QUEUES,
  };
}
