import type { ServiceSettings } from '../../../backend/settings.ts';
import type { Store } from '../../../backend/store/port/store.ts';

/** The service, as faults can act on it. */
export interface ServiceLifecycle {
  start(reason: string): Promise<void>;
  /** Like kill -9. */
  crash(reason: string): void;
  /** Stops gracefully. */
  stop(reason: string): Promise<void>;
}

/** The part of a service runner that evidence is read from. */
export interface ServiceView {
  /** The store with what was committed. */
  readonly store: Store;
  /** The queues of the beginning, without those of subscriptions. */
  readonly queues: ServiceSettings['queues'];
  readonly isUp: boolean;
}
