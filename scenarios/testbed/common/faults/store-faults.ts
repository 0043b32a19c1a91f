import { faultyStore, NO_FAULT, type StoreFault } from '../../../../backend/store/intercepted-store.ts';
import type { Store } from '../../../../backend/store/port/store.ts';
import type { Time } from '../../../../world/time/time.ts';
import { FaultLayers } from './fault-layers.ts';

/** The fault of the database: the worst of all that are active. */
export class StoreFaultLayers {
  /** Read at every call of the store. */
  #fault: StoreFault = NO_FAULT;
  readonly #layers = new FaultLayers<StoreFault>((_, faults) => {
    this.#fault = worstFault(faults);
  });

  add(fault: StoreFault): () => void {
    return this.#layers.add([''], fault);
  }

  /**
   * The next `count` writes commit, and answer with an error. The returned function takes back the rest, and returns how
   * many were to come.
   */
  loseAnswers(count: number): () => number {
    let left = count;
    const remove = this.add({
      ...NO_FAULT,
      losesAnswer: () => {
        if (left === 0) return false;
        left -= 1;
        return true;
      },
    });
    return () => {
      remove();
      const rest = left;
      left = 0;
      return rest;
    };
  }

  /** The store as one instance of the service sees it. */
  wrap(store: Store, time: Time): Store {
    return faultyStore(store, time, () => this.#fault);
  }
}

function worstFault(faults: readonly StoreFault[]): StoreFault {
  const failing = (['everything', 'writes'] as const).find((one) =>
    faults.some((fault) => fault.failing === one),
  );
  const losing = faults.flatMap(({ losesAnswer }) => losesAnswer ?? []);
  return {
    ...(losing.length === 0 ? {} : { losesAnswer: () => losing.some((loses) => loses()) }),
    failing: failing ?? 'nothing',
    slowMs: faults.reduce((most, { slowMs }) => Math.max(most, slowMs), 0),
  };
}
