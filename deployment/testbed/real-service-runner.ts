import { within } from '../../backend/base/within.ts';
import { type Service, type ServiceWorld, startService } from '../../backend/service.ts';
import type { ServiceSettings } from '../../backend/settings.ts';
import type { Store } from '../../backend/store/port/store.ts';
import { QUEUES } from '../../scenarios/testbed/common/testbed-service-settings.ts';
import { limits } from './limits.ts';

export interface RealServiceParts {
  /** Closed by the caller, which has opened it. */
  readonly store: Store;
  readonly world: ServiceWorld;
  readonly settings: ServiceSettings;
  /** The store as an incarnation of the service sees it: with its faults. */
  readonly wrapStore: (store: Store) => Store;
  /** Breaks the connections of the service, as its death does. */
  readonly cutConnections: () => void;
  readonly onStateChange: (state: 'up' | 'down', reason: string) => void;
}

/**
 * The service over sockets, which can crash and restart on its database. A crash has the observable effects of a death
 * of the process: its connections break, and no pending work has any effect; committed data stays.
 */
export class RealServiceRunner {
  readonly backends = 1;
  readonly queues = QUEUES;
  readonly store: Store;
  readonly #parts: RealServiceParts;
  #service: Service | undefined;
  #isFirst = true;
  #stopped = Promise.withResolvers<undefined>();

  constructor(parts: RealServiceParts) {
    this.#parts = parts;
    this.store = parts.store;
  }

  get isUp(): boolean {
    return this.#service !== undefined;
  }

  async start(reason: string): Promise<void> {
    if (this.#service !== undefined) return;
    const { world, settings, wrapStore: guard, onStateChange: changed } = this.#parts;
    this.#stopped = Promise.withResolvers();
    const service = startService(world, guard(this.store), {
      ...settings,
      brokerIsNew: this.#isFirst,
    });
    this.#isFirst = false;
    this.#service = service;
    changed('up', reason);
    // A broker that is down accepts no connection, and the service keeps trying.
    await Promise.race([service.started, this.#stopped.promise]);
  }

  /** How many messages wait for the exchange. */
  readonly waitingMessages = async (): Promise<number> => (await this.store.outbox.size()).messages;

  crash(reason: string): boolean {
    const service = this.#service;
    if (service === undefined) return false;
    service.sever();
    this.#parts.cutConnections();
    this.#markDown(reason);
    return true;
  }

  async stop(reason: string): Promise<boolean> {
    const service = this.#service;
    if (service === undefined) return false;
    await service.stop();
    // It may have crashed meanwhile.
    if (this.#service === service) this.#markDown(reason);
    return true;
  }

  /** Stops it permanently; one that does not end, as on a database that hangs, is killed. */
  async end(reason: string): Promise<void> {
    await within(this.#parts.world.time, limits.stopMs, this.stop(reason));
    this.crash(reason);
  }

  /** Answers a request; undefined: the service is down, or crashed before it answered. */
  async fetch(request: Request): Promise<Response | undefined> {
    const service = this.#service;
    return service === undefined ? undefined : Promise.race([service.fetch(request), this.#stopped.promise]);
  }

  #markDown(reason: string): void {
    this.#service = undefined;
    this.#stopped.resolve(undefined);
    this.#parts.onStateChange('down', reason);
  }
}
