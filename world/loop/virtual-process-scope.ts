import { LinkedList, type ListMember } from './virtual-linked-list.ts';

/** A call that is pending for a scope. */
export interface Pending extends ListMember<Pending> {
  readonly label: string;
}

/**
 * Everything that one instance of a program has pending in the virtual world. Once killed, as by `kill -9`,
 * none of it happens: its promises never settle, its alarms and callbacks are cancelled.
 */
export class ProcessScope {
  readonly name: string;
  /** Its pending calls, in order. */
  readonly pendingCalls = new LinkedList<Pending>();
  #isKilled: boolean = false;
  readonly #killListeners = new Set<() => void>();

  constructor(name: string) {
    this.name = name;
  }

  get isKilled(): boolean {
    return this.#isKilled;
  }

  /** Calls `end` when the instance is killed; the returned function removes the callback. */
  onKill(end: () => void): () => void {
    if (this.#isKilled) return () => undefined;
    this.#killListeners.add(end);
    return () => {
      this.#killListeners.delete(end);
    };
  }

  kill(): void {
    if (this.#isKilled) return;
    this.#isKilled = true;
    for (const end of this.#killListeners) end();
    this.#killListeners.clear();
    this.pendingCalls.clear();
  }
}
