/** How backends share the partitions. test/unit/backend/partitions tests the relations between these. */
export const partitionLimits = {
  /** How long a lease lasts without being renewed: after that time the partitions of a backend that died are taken. */
  leaseMs: 6_000,
  /** How often a backend renews its leases, and looks for what it should take or pass on. */
  beatMs: 2_000,
  /** After a look that failed. */
  beatAfterFailureMs: 500,
  /** After this long without a session with the MQTT broker a backend leaves its partitions to others. */
  unreachableMs: 4_000,
  /** How long a partition that is to be passed on may take to settle; after that its boxes send again. */
  drainMs: 3_000,
} as const;
