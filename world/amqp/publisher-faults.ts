/** A fault of a confirm. `swallow-and-cut`: the connection is severed at the same time. */
export type PendingFault =
  | { readonly kind: 'swallow' | 'swallow-and-cut' }
  | { readonly kind: 'delay'; readonly byMs: number };

/** A fault of a publication on its way. `lose-and-cut`: the connection is severed at the same time. */
export type PublicationFault = 'lose' | 'lose-and-cut' | 'double';

/** What lasting faults have met so far. Numbers only grow. */
export interface PublisherFaultCounts {
  /** Publications that were refused because all are. */
  refused: number;
  /** Frames that waited because connections were blocked. */
  held: number;
  /** Connections that ended, or did not come to be, because the broker was down. */
  away: number;
}

/** Faults that strike one after the other, each so many times. */
interface Pending<Fault> {
  readonly fault: Fault;
  /** Called whenever it strikes. */
  readonly struck?: (() => void) | undefined;
  left: number;
}

/**
 * The pending faults that publishers of an AMQP broker will meet: missing or late confirms, refusals, and
 * blocked connections. A virtual or real broker extends this class: here pending faults are kept, there they
 * are applied.
 */
export abstract class PublisherFaults {
  readonly #pendingFaults: Pending<PendingFault>[] = [];
  readonly #publicationFaults: Pending<PublicationFault>[] = [];
  readonly #acceptedListeners = new Set<() => void>();
  readonly #counts: PublisherFaultCounts = { refused: 0, held: 0, away: 0 };
  #refusalsToCome: number = 0;
  #isRefusing: boolean = false;
  #isBlocked: boolean = false;

  /** What lasting faults have met so far: an object that goes on counting. */
  get counts(): PublisherFaultCounts {
    return this.#counts;
  }

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
   * connection is severed with each, so that its publisher knows that the outcome is unknown. `struck` is called with
   * each. The returned function cancels the rest, and returns how many were to come.
   */
  swallowConfirms(
    count: number,
    { isCut = false, struck }: { readonly isCut?: boolean; readonly struck?: () => void } = {},
  ): () => number {
    return addFault(this.#pendingFaults, count, { kind: isCut ? 'swallow-and-cut' : 'swallow' }, struck);
  }

  /**
   * Fault: the confirms of the next `count` publications come that much later, after those of later
   * publications. `struck` is called with each. The returned function cancels the rest, and returns how many were to
   * come.
   */
  delayConfirms(count: number, byMs: number, struck?: () => void): () => number {
    return addFault(this.#pendingFaults, count, { kind: 'delay', byMs }, struck);
  }

  /**
   * Fault: the next `count` publications never reach the broker, and no confirm comes. `isCut`: the connection is lost
   * with each. `struck` is called with each, before its publisher learns of anything. The returned function cancels the
   * rest, and returns how many were to come.
   */
  losePublications(
    count: number,
    { isCut = false, struck }: { readonly isCut?: boolean; readonly struck?: () => void } = {},
  ): () => number {
    return addFault(this.#publicationFaults, count, isCut ? 'lose-and-cut' : 'lose', struck);
  }

  /**
   * Fault: the broker gets the next `count` publications twice, and confirms each once. `struck` is called with each.
   * The returned function cancels the rest, and returns how many were to come.
   */
  doublePublications(count: number, struck?: () => void): () => number {
    return addFault(this.#publicationFaults, count, 'double', struck);
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
    if (this.#isRefusing) {
      this.#counts.refused += 1;
      return true;
    }
    if (this.#refusalsToCome === 0) return false;
    this.#refusalsToCome -= 1;
    return true;
  }

  /** The fault of the current publication's confirm. Each call consumes it. */
  protected nextFault(): PendingFault | undefined {
    return strikeNext(this.#pendingFaults);
  }

  /** The fault of the current publication. Each call consumes it. */
  protected nextPublicationFault(): PublicationFault | undefined {
    return strikeNext(this.#publicationFaults);
  }

  /** To be called when the broker has accepted a publication. */
  protected taken(): void {
    for (const taken of [...this.#acceptedListeners]) taken();
  }
}

/** Adds a fault; the returned function cancels the rest, and returns how many were to come. */
function addFault<Fault>(
  faults: Pending<Fault>[],
  count: number,
  fault: Fault,
  struck?: () => void,
): () => number {
  const pending: Pending<Fault> = { fault, struck, left: count };
  faults.push(pending);
  return () => {
    const { left } = pending;
    pending.left = 0;
    return left;
  };
}

/** The next fault, which has struck once more. */
function strikeNext<Fault>(faults: Pending<Fault>[]): Fault | undefined {
  while (faults[0]?.left === 0) faults.shift();
  const [next] = faults;
  if (next === undefined) return undefined;
  next.left -= 1;
  next.struck?.();
  return next.fault;
}
