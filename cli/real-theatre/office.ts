import { queueName, TOPICS } from '../../backend/events/topics.ts';
import {
  type Service,
  type ServiceSettings,
  type ServiceWorld,
  startService,
} from '../../backend/service.ts';
import type { SqliteStore } from '../../backend/store/sqlite.ts';
import type { Store } from '../../backend/store/store.ts';
import { within } from '../../backend/within.ts';
import { FLEETS, fleetIdOf } from '../../scenarios/theatre/names.ts';
import { limits } from './limits.ts';

const QUEUES = FLEETS.flatMap((fleet) =>
  TOPICS.map(({ topic, message }) => ({
    name: queueName(topic, fleet),
    fleetId: fleetIdOf(fleet),
    messages: message,
  })),
);

export interface RealOfficeParts {
  /** Closed by whoever has opened it. */
  readonly store: SqliteStore;
  readonly world: ServiceWorld;
  readonly settings: Omit<ServiceSettings, 'queues'>;
  /** The store as an incarnation of the service sees it: with its faults. */
  readonly guard: (store: Store) => Store;
  /** Breaks the connections of the service, as its death does. */
  readonly severLines: () => void;
  readonly changed: (state: 'up' | 'down', reason: string) => void;
}

/**
 * The service over sockets, which can crash and come back on its database. A crash is what an incarnation's death is to
 * everybody else: its connections break, and nothing that it had in mind acts any more; what was committed stays.
 */
export class RealOffice {
  readonly queues = QUEUES;
  readonly store: SqliteStore;
  readonly #parts: RealOfficeParts;
  #service: Service | undefined;
  #isFirst = true;
  #gone = Promise.withResolvers<undefined>();

  constructor(parts: RealOfficeParts) {
    this.#parts = parts;
    this.store = parts.store;
  }

  get isUp(): boolean {
    return this.#service !== undefined;
  }

  async start(reason: string): Promise<void> {
    if (this.#service !== undefined) return;
    const { world, settings, guard, changed } = this.#parts;
    this.#gone = Promise.withResolvers();
    const service = startService(world, guard(this.store), {
      ...settings,
      brokerIsNew: this.#isFirst,
      queues: QUEUES,
    });
    this.#isFirst = false;
    this.#service = service;
    changed('up', reason);
    // A broker that is down lets nobody in, and the service tries on.
    await Promise.race([service.started, this.#gone.promise]);
  }

  crash(reason: string): void {
    const service = this.#service;
    if (service === undefined) return;
    service.sever();
    this.#parts.severLines();
    this.#leave(reason);
  }

  async stop(reason: string): Promise<void> {
    const service = this.#service;
    if (service === undefined) return;
    await service.stop();
    // It may have crashed meanwhile.
    if (this.#service === service) this.#leave(reason);
  }

  /** Stops it for good; one that does not come to an end, as on a database that hangs, dies. */
  async end(reason: string): Promise<void> {
    await within(this.#parts.world.time, limits.stopMs, this.stop(reason));
    this.crash(reason);
  }

  /** Answers a request; undefined: the service is down, or went away before it answered. */
  async fetch(request: Request): Promise<Response | undefined> {
    const service = this.#service;
    return service === undefined ? undefined : Promise.race([service.fetch(request), this.#gone.promise]);
  }

  #leave(reason: string): void {
    this.#service = undefined;
    this.#gone.resolve(undefined);
    this.#parts.changed('down', reason);
  }
}
