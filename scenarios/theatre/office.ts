import type { ServiceSettings } from '../../backend/service.ts';
import type { Store } from '../../backend/store/store.ts';

/** The service, as far as a fault can meet it. */
export interface Backstage {
  start(reason: string): Promise<void>;
  /** As kill -9. */
  crash(reason: string): void;
  /** In good order. */
  stop(reason: string): Promise<void>;
}

/** As much of the office as evidence is read from. */
export interface BackOffice {
  /** What has been committed. */
  readonly store: Store;
  /** The queues that are there from the beginning. */
  readonly queues: ServiceSettings['queues'];
  readonly isUp: boolean;
}
