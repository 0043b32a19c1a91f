/**
 * Which backend serves which partition of the boxes (protocol/partitions.ts). A partition has one holder, by a lease: it
 * ends by itself where its holder no longer renews it. All times are those of the store's own clock, so that the clocks of
 * backends need not agree.
 *
 * Each time a partition is taken, its fencing number rises. Whoever writes as the holder names that number in the
 * transaction (`IngestBatch.leases`): a backend that was paused, and does not know yet that another one has taken over,
 * writes nothing.
 */
export interface LeaseStore {
  /**
   * Shows that this backend is there, renews what it holds, and takes what nobody holds, as far as that is its share: the
   * partitions divided by the backends that are there, as evenly as it goes. What it holds beyond its share it keeps
   * until it passes it on.
   */
  look(query: { readonly backend: string; readonly leaseMs: number }): Promise<LeaseLook>;
  /**
   * Before the session of a partition is opened: renews the lease, and answers whether the session was subscribed the last
   * time. From here on it counts as not subscribed. `undefined`: another backend has the partition.
   */
  beginSession(query: {
    readonly backend: string;
    readonly leaseMs: number;
    readonly lease: Lease;
  }): Promise<{ readonly wasSubscribed: boolean } | undefined>;
  /** The session of that lease has its subscriptions at the broker. */
  sessionSubscribed(lease: Lease): Promise<void>;
  /** Passes these on: nobody holds them any more. `isSettled`: all that was acknowledged to the broker is committed. */
  release(query: {
    readonly backend: string;
    readonly leases: readonly Lease[];
    readonly isSettled: boolean;
  }): Promise<void>;
  /** This backend is no longer there; what it still holds is free. */
  leave(backend: string): Promise<void>;
}

/** A partition, and the fencing number under which it is held. */
export interface Lease {
  readonly partition: number;
  readonly fence: number;
}

export interface LeaseLook {
  /** What this backend holds now, by partition, rising. */
  readonly held: readonly HeldLease[];
  /** How many partitions it has to pass on for others to have their share. */
  readonly surplus: number;
  /** The backends that are there, this one included. */
  readonly backends: number;
}

export interface HeldLease extends Lease {
  /**
   * The holder before passed it on with everything committed. False: it may have acknowledged frames to the broker that it
   * never stored, and boxes have to send them again.
   */
  readonly isSettled: boolean;
}
