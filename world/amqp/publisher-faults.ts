/** A fault of a confirm. `swallow-and-cut`: the connection is severed at the same time. */
export type PendingFault =
  | { readonly kind: 'swallow' | 'swallow-and-cut' }
  | { readonly kind: 'delay'; readonly byMs: number };

/** A fault of a publication on its way. `lose-and-cut`: the connection is severed at the same time. */
export type PublicationFault = 'lose' | 'lose-and-cut' | 'double';

/** The effects of lasting faults so far. Numbers only grow. */
export interface PublisherFaultCounts {
  /** Publications that were refused because all are. */
  refused: number;
  /** Frames that waited because connections were blocked. */
  held: number;
  /** Connections that ended, or were refused, because the broker was down. */
  away: number;
}

/** Faults that take effect in order, each this many times. */
interface Pending<Fault> {
  readonly fault: Fault;
  /** Called with each effect. */
  readonly onEffect?: (() => void) | undefined;
  left: number;
}

/**
 * The pending faults of an AMQP broker's publishers: missing or late confirms, refusals, and blocked
 * connections. This class stores them; the virtual or real broker that extends it applies them.
 */
export abstract class PublisherFaults {
  readonly #pendingFaults: Pending<PendingFault>[] = [];
  readonly #publicationFaults: Pending<PublicationFault>[] = [];
  readonly #acceptedListeners = new Set<() => void>();
  readonly #counts: PublisherFaultCounts = { refused: 0, held: 0, away: 0 };
  #refusalsToCome: number = 0;
  #isRefusing: boolean = false;
  #isBlocked: boolean = false;

  /** The effects of lasting faults so far: an object that keeps counting. */
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
   * connection is severed with each, so that its publisher knows that the outcome is unknown. `onEffect` is called with
   * each. The returned function cancels the rest, and returns how many were to come.
   */
  swallowConfirms(
    count: number,
    { isCut = false, onEffect }: { readonly isCut?: boolean; readonly onEffect?: () => void } = {},
  ): () => number {
    return addFault(this.#pendingFaults, count, { kind: isCut ? 'swallow-and-cut' : 'swallow' }, onEffect);
  }

  /**
   * Fault: the confirms of the next `count` publications come later by `byMs`, after those of later publications.
   * `onEffect` is called with each. The returned function cancels the rest, and returns how many were to come.
   */
  delayConfirms(count: number, byMs: number, onEffect?: () => void): () => number {
    return addFault(this.#pendingFaults, count, { kind: 'delay', byMs }, onEffect);
  }

  /**
   * Fault: the next `count` publications never reach the broker, and no confirm comes. `isCut`: the connection is lost
   * with each. `onEffect` is called with each, before its publisher is notified. The returned function cancels the rest,
   * and returns how many were to come.
   */
  losePublications(
    count: number,
    { isCut = false, onEffect }: { readonly isCut?: boolean; readonly onEffect?: () => void } = {},
  ): () => number {
    return addFault(this.#publicationFaults, count, isCut ? 'lose-and-cut' : 'lose', onEffect);
  }

  /**
   * Fault: the broker gets the next `count` publications twice, and confirms each once. `onEffect` is called with each.
   * The returned function cancels the rest, and returns how many were to come.
   */
  doublePublications(count: number, onEffect?: () => void): () => number {
    return addFault(this.#publicationFaults, count, 'double', onEffect);
  }

  /**
   * Calls `taken` with each publication that the broker has accepted, before its publisher is notified. The
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
    return takeNext(this.#pendingFaults);
  }

  /** The fault of the current publication. Each call consumes it. */
  protected nextPublicationFault(): PublicationFault | undefined {
    return takeNext(this.#publicationFaults);
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
  onEffect?: () => void,
): () => number {
  const pending: Pending<Fault> = { fault, onEffect, left: count };
  faults.push(pending);
  return () => {
    const { left } = pending;
    pending.left = 0;
    return left;
  };
}

/** The next fault, which takes effect once more. */
function takeNext<Fault>(faults: Pending<Fault>[]): Fault | undefined {
  while (faults[0]?.left === 0) faults.shift();
  const [next] = faults;
  if (next === undefined) return undefined;
  next.left -= 1;
  next.onEffect?.();
  return next.fault;
}
