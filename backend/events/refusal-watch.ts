import { limits } from '../base/limits.ts';

/**
 * Decides when a connection over which messages are refused is replaced. A node of a cluster that is cut off from the
 * others refuses every message for a replicated queue. A channel of RabbitMQ 3.10 that first publishes to a quorum
 * queue before the dead leader has a successor refuses for as long as the dead node is away. A queue that is full
 * refuses over every connection, so that the wait doubles.
 */
export class RefusalWatch {
  #renewals = 0;

  /**
   * A message was refused for the `times`th time, now over a connection that is open since `openedMs`. Whether to open
   * another one.
   */
  refused(times: number, nowMs: number, openedMs: number): boolean {
    // A single refusal is normal: the leader of a queue has changed.
    if (times < limits.refusalsBeforeRenewal) return false;
    const waitMs = Math.min(limits.firstRefusedRenewalMs * 2 ** this.#renewals, limits.lastRefusedRenewalMs);
    if (nowMs - openedMs < waitMs) return false;
    this.#renewals += 1;
    return true;
  }

  /** A message that had been refused was confirmed. */
  confirmed(): void {
    this.#renewals = 0;
  }
}
