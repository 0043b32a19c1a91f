import { faultyStore, NO_FAULT, type StoreFault } from '../../backend/store/faulty.ts';
import type { Store } from '../../backend/store/store.ts';
import type { Time } from '../../world/time.ts';
import { Layers } from './layers.ts';

/** What is wrong with the database: the worst of all that is laid over it. */
export class StoreFaults {
  /** Every call to the store asks for it. */
  #fault: StoreFault = NO_FAULT;
  readonly #layers = new Layers<StoreFault>((_, laid) => {
    this.#fault = worst(laid);
  });

  lay(fault: StoreFault): () => void {
    return this.#layers.lay([''], fault);
  }

  /** The store as one incarnation of the service has it. */
  guard(store: Store, time: Time): Store {
    return faultyStore(store, time, () => this.#fault);
  }
}

function worst(laid: readonly StoreFault[]): StoreFault {
  const failing = (['everything', 'writes'] as const).find((one) =>
    laid.some((fault) => fault.failing === one),
  );
  return {
    failing: failing ?? 'nothing',
    slowMs: laid.reduce((most, { slowMs }) => Math.max(most, slowMs), 0),
  };
}
