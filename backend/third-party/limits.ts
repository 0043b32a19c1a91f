/** The bounds of calls to and from makers' clouds. */
export const makerLimits = {
  /** One answer of a maker; a state has some hundred bytes. */
  answerBytes: 65_536,
  /** Time-out of a poll and of the registration for notifications. Commands have the answer time-out. */
  pollTimeoutMs: 10_000,
  /** If the maker's Retry-After is this short, a command waits and retries once instead of failing. */
  briefWaitMs: 3_000,
  /** The longest accepted Retry-After of a maker. */
  longestRetryAfterMs: 60 * 60_000,

  /** Between two polls of one vehicle: most changes are pushed, and a poll finds the rest. */
  pollMs: 60_000,
  /** Waits after polls that failed, doubled from the first to the last, with jitter. */
  firstBackoffMs: 60_000,
  lastBackoffMs: 15 * 60_000,
  /** The wait of a poll that met an open command. */
  busyMs: 2_000,
  /** How long a poll may take before another backend may try the vehicle: longer than its time-out. */
  leaseMs: 30_000,
  pollsInFlight: 8,
  /** How often the poller looks for newly linked vehicles. */
  lookMs: 5_000,
  /** How often the registration is renewed: a cloud that has lost it would be silent for ever. */
  subscriptionMs: 10 * 60_000,

  /** How far a maker's clock may be ahead of ours; a state further ahead would block all later ones. */
  aheadMs: 5 * 60_000,
  /** The largest age of a notification's signature, or how far it may be ahead. */
  signatureAgeMs: 5 * 60_000,
  /** How often a state is decided again because the vehicle changed meanwhile. */
  staleAttempts: 5,
} as const;
