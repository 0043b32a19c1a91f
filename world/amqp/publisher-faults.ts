/** A fault of a confirm. `swallow-and-cut`: the connection is severed at the same time. */
export type PendingFault =
  | { readonly kind: 'swallow' | 'swallow-and-cut' }
  | { readonly kind: 'delay'; readonly byMs: number };

/**
 * The pending faults that publishers of an AMQP broker will meet: missing or late confirms, refusals, and
 * blocked connections. A virtual or real broker extends this class: here pending faults are kept, there they
 * are applied.
 */
export abstract class PublisherFaults {
  readonly #pendingFaults: { readonly fault: PendingFault; left: number }[] = [];
  readonly #acceptedListeners = new Set<() => void>();
  #refusalsToCome: number = 0;
  #isRefusing: boolean = false;
  #isBlocked: boolean = false;

  get isBlocked(): boolean {
    return this.#isBlocked;
  }

  /** Fault: connections are blocked (RabbitMQ's memory or disk alarm): publications wait. */
  setBlocked(isBlocked: boolean): void {
    if (this.#isBlocked === isBlocked) return;
    this.#isBlocked = isBlocked;
    this.blockedChanged(isBlocked);
  }

  /** Fault: the next `count` publications are refused (basic.nack). */
  refuseNext(count: number): void {
    this.#refusalsToCome += count;
  }

  /** Fault: every publication is refused (basic.nack) while it is set. */
  setRefusing(isRefusing: boolean): void {
    if (this.#isRefusing === isRefusing) return;
    this.#isRefusing = isRefusing;
    this.refusingChanged(isRefusing);
  }

  /**
   * Fault: the confirms of the next `count` publications never come; the messages are kept. `isCut`: the
   * connection is severed with each, so that its publisher knows that the outcome is unknown. The returned
   * function cancels the rest, and returns how many were to come.
   */
  swallowConfirms(count: number, { isCut = false }: { readonly isCut?: boolean } = {}): () => number {
    return this.#addFault(count, { kind: isCut ? 'swallow-and-cut' : 'swallow' });
  }

  /**
   * Fault: the confirms of the next `count` publications come that much later, after those of later
   * publications. The returned function cancels the rest, and returns how many were to come.
   */
  delayConfirms(count: number, byMs: number): () => number {
    return this.#addFault(count, { kind: 'delay', byMs });
  }

  /**
   * Calls `taken` with each publication that the broker has accepted, before its publisher is told. The
   * returned function removes the callback.
   */
  onAccepted(taken: () => void): () => void {
    this.#acceptedListeners.add(taken);
    return () => this.#acceptedListeners.delete(taken);
  }

  /** Called when connections become blocked or unblocked. */
  protected abstract blockedChanged(isBlocked: boolean): void;

  /** Called when the refusal of all publications begins or ends. */
  protected refusingChanged(_isRefusing: boolean): void {}

  /** Whether the current publication is refused. Each call consumes one of `refuseNext`. */
  protected isRefused(): boolean {
    if (this.#isRefusing) return true;
    if (this.#refusalsToCome === 0) return false;
    this.#refusalsToCome -= 1;
    return true;
  }

  /** The fault of the current publication's confirm. Each call consumes it. */
  protected nextFault(): PendingFault | undefined {
    while (this.#pendingFaults[0]?.left === 0) this.#pendingFaults.shift();
    const [next] = this.#pendingFaults;
    if (next !== undefined) next.left -= 1;
    return next?.fault;
  }

  /** To be called when the broker has accepted a publication. */
  protected taken(): void {
    for (const taken of [...this.#acceptedListeners]) taken();
  }

  #addFault(count: number, fault: PendingFault): () => number {
    const pendingFault = { fault, left: count };
    this.#pendingFaults.push(pendingFault);
    return () => {
      const { left } = pendingFault;
      pendingFault.left = 0;
      return left;
    };
  }
}
