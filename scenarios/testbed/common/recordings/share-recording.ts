import type { Lease } from '../../../../backend/store/port/lease-store.ts';
import type { ShareEvent } from '../../../../judge/evidence/partition-history.ts';
import { testbedLimits } from '../../../limits.ts';

/**
 * The backends that share the partitions, the number of each, and what they hand over, by its own account of the
 * calls that the store has executed. A backend is present from its first poll until it leaves or has not polled for
 * the duration of a lease.
 */
export class ShareRecording {
  /** By partition. */
  readonly #leases = new Map<number, { readonly backend: string; readonly fence: number }>();
  /** When each polled last. */
  readonly #lookedMs = new Map<string, number>();
  #events: ShareEvent[] = [];
  #isWhole = true;

  get isWhole(): boolean {
    return this.#isWhole;
  }

  looked(backend: string, held: readonly Lease[], atMs: number): void {
    this.#endLapsed(atMs);
    if (!this.#lookedMs.has(backend)) this.#add('joined', backend, atMs);
    this.#lookedMs.set(backend, atMs);
    const losers = new Set<string>();
    for (const { partition, fence } of held) {
      const before = this.#leases.get(partition);
      if (before !== undefined && before.backend !== backend) losers.add(before.backend);
      this.#leases.set(partition, { backend, fence });
    }
    for (const loser of losers) this.#add('lost', loser, atMs);
  }

  released(backend: string, leases: readonly Lease[], atMs: number): void {
    this.#endLapsed(atMs);
    const own = leases.filter(({ partition, fence }) => {
      const lease = this.#leases.get(partition);
      return lease?.backend === backend && lease.fence === fence;
    });
    for (const { partition } of own) this.#leases.delete(partition);
    if (own.length > 0) this.#add('passed', backend, atMs);
  }

  left(backend: string, atMs: number): void {
    this.#endLapsed(atMs);
    for (const [partition, lease] of this.#leases)
      if (lease.backend === backend) this.#leases.delete(partition);
    if (this.#lookedMs.delete(backend)) this.#add('left', backend, atMs);
  }

  events(nowMs: number): readonly ShareEvent[] {
    this.#endLapsed(nowMs);
    return this.#events;
  }

  #endLapsed(nowMs: number): void {
    for (const [backend, lookedMs] of this.#lookedMs) {
      if (nowMs - lookedMs < testbedLimits.partitionLeaseMs) continue;
      this.#lookedMs.delete(backend);
      this.#add('lapsed', backend, nowMs);
    }
  }

  #add(what: ShareEvent['what'], backend: string, atMs: number): void {
    let held = 0;
    for (const lease of this.#leases.values()) if (lease.backend === backend) held += 1;
    this.#events.push({ what, atMs, backend, held });
    if (this.#events.length <= testbedLimits.partitionEntries) return;
    this.#events = this.#events.slice(testbedLimits.partitionEntries / 2);
    this.#isWhole = false;
  }
}
