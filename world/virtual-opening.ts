import type { Life, Pending } from './virtual-life.ts';

/** A promise of one life that an event of the loop will settle. It counts as waited for meanwhile. */
export class Opening<T> implements Pending {
  readonly promise: Promise<T>;
  readonly label: string;
  before: Pending | undefined = undefined;
  after: Pending | undefined = undefined;
  readonly #life: Life;
  readonly #resolve: (value: never) => void;
  readonly #reject: (error: Error) => void;
  #isOpen: boolean = true;

  constructor(life: Life, label: string) {
    this.#life = life;
    this.label = label;
    this.promise = new Promise<T>(hold);
    // `hold` has been called within the line above.
    this.#resolve = held.resolve;
    this.#reject = held.reject;
    if (!life.isSevered) life.openings.add(this);
  }

  /** Whether it waits still: not once it is settled or its life severed. */
  get isOpen(): boolean {
    return this.#isOpen && !this.#life.isSevered;
  }

  /** Does nothing once the promise is settled or its life severed, and so does `reject`. */
  resolve(value: T): void {
    // `hold` got it from a promise of T.
    if (this.#close()) this.#resolve(value as never);
  }

  reject(error: Error): void {
    if (this.#close()) this.#reject(error);
  }

  #close(): boolean {
    if (!this.isOpen) return false;
    this.#isOpen = false;
    this.#life.openings.remove(this);
    return true;
  }
}

/** What the promise that is being made is settled with. One place for all of them spares a closure for each. */
const held: { resolve: (value: never) => void; reject: (error: Error) => void } = {
  resolve: () => undefined,
  reject: () => undefined,
};

function hold(resolve: (value: never) => void, reject: (error: Error) => void): void {
  held.resolve = resolve;
  held.reject = reject;
}
