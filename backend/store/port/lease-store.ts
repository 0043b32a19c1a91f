/**
 * Which backend serves which partition of the boxes (protocol/partitions.ts). A partition has one holder, by a lease,
 * which expires if its holder no longer renews it. All times are those of the store's own clock, so that the clocks of
 * backends need not agree.
 *
 * Each time a partition is taken, its fencing number rises. The holder names that number in each of its writes, in the
 * transaction (`IngestBatch.leases`): a backend that was paused, and has not noticed a takeover, writes nothing.
 */
export interface LeaseStore {
  /**
   * Registers this backend, renews its leases, and takes free partitions up to its share: the partitions divided evenly
   * by the registered backends. It keeps leases beyond its share until it releases them.
   */
  look(query: { readonly backend: string; readonly leaseMs: number }): Promise<LeaseLook>;
  /**
   * Before the session of a partition is opened: renews the lease, and returns whether the session was last subscribed.
   * From now on it counts as not subscribed. `undefined`: another backend has the partition.
   */
  beginSession(query: {
    readonly backend: string;
    readonly leaseMs: number;
    readonly lease: Lease;
  }): Promise<{ readonly wasSubscribed: boolean } | undefined>;
  /** The session of that lease has its subscriptions at the broker. */
  sessionSubscribed(lease: Lease): Promise<void>;
  /** Releases these: they have no holder. `isSettled`: all that was acknowledged to the broker is committed. */
  release(query: {
    readonly backend: string;
    readonly leases: readonly Lease[];
    readonly isSettled: boolean;
  }): Promise<void>;
  /** Removes this backend; its remaining leases are released. */
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
  /** How many partitions it must hand over so that others have their share. */
  readonly surplus: number;
  /** The registered backends, this one included. */
  readonly backends: number;
}

export interface HeldLease extends Lease {
  /**
   * The previous holder released it with everything committed. False: it may have acknowledged frames to the broker
   * that it never stored, and boxes must resend them.
   */
  readonly isSettled: boolean;
}
