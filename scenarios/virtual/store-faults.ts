import { faultyStore, type StoreFault } from '../../backend/store/faulty.ts';
import type { Store } from '../../backend/store/store.ts';
import type { Time } from '../../world/time.ts';
import { Layers } from './layers.ts';

/** What is wrong with the database: the worst of all that is laid over it. */
export class StoreFaults {
  readonly #layers = new Layers<StoreFault>(() => undefined);

  lay(fault: StoreFault): () => void {
    return this.#layers.lay([''], fault);
  }

  /** The store as one incarnation of the service has it. */
  guard(store: Store, time: Time): Store {
    return faultyStore(store, time, () => this.#now());
  }

  #now(): StoreFault {
    const laid = this.#layers.over('');
    const failing = (['everything', 'writes'] as const).find((one) =>
      laid.some((fault) => fault.failing === one),
    );
    return {
      failing: failing ?? 'nothing',
      slowMs: laid.reduce((most, { slowMs }) => Math.max(most, slowMs), 0),
    };
  }
}
