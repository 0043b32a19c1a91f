import { faultyStore, NO_FAULT, type StoreFault } from '../../../../backend/store/intercepted-store.ts';
import type { Store } from '../../../../backend/store/port/store.ts';
import type { Time } from '../../../../world/time/time.ts';
import type { Counting } from './active-fault.ts';
import { FaultLayers } from './fault-layers.ts';

/** The fault of the database: the worst of all that are active. */
export class StoreFaultLayers {
  /** Read at every call of the store. */
  #fault: StoreFault = NO_FAULT;
  readonly #layers = new FaultLayers<StoreFault>((_, faults) => {
    this.#fault = worstFault(faults);
  });

  /** Counts the calls that it affects: writes only, where only they fail. */
  add(fault: Pick<StoreFault, 'failing' | 'slowMs'>): Counting {
    let count = 0;
    const met = (isRead: boolean): void => {
      if (fault.failing !== 'writes' || !isRead) count += 1;
    };
    const remove = this.#layers.add([''], { ...fault, met });
    return { count: () => count, remove };
  }

  /** The next `count` writes commit, and answer with an error. */
  loseAnswers(count: number): Counting {
    let left = count;
    let isOver = false;
    const remove = this.#layers.add([''], {
      ...NO_FAULT,
      losesAnswer: () => {
        if (left === 0 || isOver) return false;
        left -= 1;
        return true;
      },
    });
    return {
      count: () => count - left,
      remove: () => {
        isOver = true;
        remove();
      },
    };
  }

  /** The store as one instance of the service sees it. */
  wrap(store: Store, time: Time): Store {
    return faultyStore(store, time, () => this.#fault);
  }
}

function tellAll(told: readonly NonNullable<StoreFault['met']>[], isRead: boolean): void {
  for (const met of told) met(isRead);
}

function worstFault(faults: readonly StoreFault[]): StoreFault {
  const failing = (['everything', 'writes'] as const).find((one) =>
    faults.some((fault) => fault.failing === one),
  );
  const losing = faults.flatMap(({ losesAnswer }) => losesAnswer ?? []);
  const told = faults.flatMap(({ met }) => met ?? []);
  return {
    ...(told.length === 0 ? {} : { met: (isRead) => tellAll(told, isRead) }),
    ...(losing.length === 0 ? {} : { losesAnswer: () => losing.some((loses) => loses()) }),
    failing: failing ?? 'nothing',
    slowMs: faults.reduce((most, { slowMs }) => Math.max(most, slowMs), 0),
  };
}
