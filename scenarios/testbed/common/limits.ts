/** The bounds of a testbed. */
export const limits = {
  /** Frames of all boxes together that are kept as evidence, in bytes. */
  framesBytes: 512 * 1024 * 1024,
  /** Changes of all vehicles together that are kept as evidence, and of each at least and at most. */
  pastChanges: 400_000,
  pastChangesLeast: 32,
  pastChangesMost: 4_096,
  /** A clock error is recorded when it changed by so much; and the number of values kept for each box. */
  clockStepMs: 100,
  clockFacts: 2_048,
  /** Entries of each list of what one box did and remembered that are kept. */
  boxEntries: 4_096,
  /** Moves of partitions, and times in which one was not served, that are kept; and from how long on it counts as one. */
  partitionEntries: 100_000,
  partitionGapMs: 10_000,
  /** How long a lease of a partition lasts (docs/decisions/0033-partitions-are-held-by-leases.md). */
  partitionLeaseMs: 6_000,
  /** Answered calls that are kept as evidence, and the bytes of their bodies. */
  calls: 200_000,
  callsBytes: 128 * 1024 * 1024,
  /** Notifications of makers that are kept as evidence. */
  notifications: 100_000,
  /**
   * How long boxes may take to come up before their features are configured, in addition to the staggered
   * start of a large fleet.
   */
  comeUpMs: 60_000,
  /** How long the configuration of features may take. */
  configureMs: 600_000,
  /** How often it is checked whether boxes are up, or configured. */
  lookMs: 500,
  /** Vehicles in one bulk job. */
  bulkVehicles: 10_000,
  /** Calls of one client per minute: higher than usual, since judging expectations makes calls too. */
  requestsPerMinute: 10_000_000,
  /** How often the testbed asks again where its client has used its quota. */
  looksAgain: 10,
  /** A token is renewed this long before its expiry. */
  tokenSpareMs: 60_000,
  /** How often the levels of queues are sampled. */
  levelsMs: 60_000,
  /** The bound of scheduled events of the virtual loop: a base, and an addition for each vehicle. */
  scheduled: 10_000,
  scheduledPerVehicle: 64,
  /**
   * A change of a journal's depth becomes a fact from so many records on, or from this share of the last
   * noted depth.
   */
  journalStep: 2,
  journalShare: 1 / 8,
  /** The tombstones that a journal has room for beside its records (docs/wire.md, A connection). */
  tombstoneRoom: 1_000,
  /** Rows of one page read from the store. */
  pageRows: 1_000,
  /** How much longer than its steps a run may take before it counts as stuck. */
  slackMs: 24 * 3_600_000,
  /** How long a hang is requested for; the box's watchdog ends it sooner. */
  hangMs: 3_600_000,
  /** The name of the phone for which a Bluetooth token is issued. */
  phoneTokenMs: 3_600_000,
  /** A balancer that asks every half a second, and believes the second no, sends requests for so long. */
  balancerNoticeMs: 1_000,
} as const;
