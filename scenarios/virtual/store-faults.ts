import { failingStore } from '../../backend/store/failing.ts';
import type { Store } from '../../backend/store/store.ts';
import { Layers } from './layers.ts';

/** What is wrong with the database. */
export class StoreFaults {
  #isDown = false;
  readonly down = new Layers<true>((_, values) => {
    this.#isDown = values.length > 0;
  });

  /** The store as the service has it. */
  guard(store: Store): Store {
    return failingStore(store, () => this.#isDown);
  }
}
