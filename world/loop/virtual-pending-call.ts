import type { Pending, ProcessScope } from './virtual-process-scope.ts';

/** A promise of one scope that an event of the loop will settle. Until then it counts as pending. */
export class PendingCall<T> implements Pending {
  readonly promise: Promise<T>;
  readonly label: string;
  before: Pending | undefined = undefined;
  after: Pending | undefined = undefined;
  readonly #scope: ProcessScope;
  readonly #resolve: (value: never) => void;
  readonly #reject: (error: Error) => void;
  #isPending: boolean = true;

  constructor(scope: ProcessScope, label: string) {
    this.#scope = scope;
    this.label = label;
    this.promise = new Promise<T>(captureSettlers);
    // `hold` has been called within the line above.
    this.#resolve = settlers.resolve;
    this.#reject = settlers.reject;
    if (!scope.isKilled) scope.pendingCalls.add(this);
  }

  /** False once it is settled or its scope is killed. */
  get isPending(): boolean {
    return this.#isPending && !this.#scope.isKilled;
  }

  /** Like `reject`, does nothing once the promise is settled or its scope is killed. */
  resolve(value: T): void {
    // `hold` got it from a promise of T.
    if (this.#settle()) this.#resolve(value as never);
  }

  reject(error: Error): void {
    if (this.#settle()) this.#reject(error);
  }

  #settle(): boolean {
    if (!this.isPending) return false;
    this.#isPending = false;
    this.#scope.pendingCalls.remove(this);
    return true;
  }
}

/** The functions that settle the promise being created. Sharing one object avoids a closure for each call. */
const settlers: { resolve: (value: never) => void; reject: (error: Error) => void } = {
  resolve: () => undefined,
  reject: () => undefined,
};

function captureSettlers(resolve: (value: never) => void, reject: (error: Error) => void): void {
  settlers.resolve = resolve;
  settlers.reject = reject;
}
