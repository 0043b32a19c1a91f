/** The bounds of what is exchanged with makers' clouds. */
export const makerLimits = {
  /** One answer of a maker; a state has some hundred bytes. */
  answerBytes: 65_536,
  /** How long a poll, and the registration for notifications, is waited for. Commands have the answer time-out. */
  pollTimeoutMs: 10_000,
  /** Where the maker asks to come again so soon, a command waits for it once, rather than to fail. */
  briefWaitMs: 3_000,
  /** The longest wait that a maker's Retry-After is believed. */
  longestRetryAfterMs: 60 * 60_000,

  /** Between two polls of one vehicle: what changes is mostly pushed, and a poll finds what was not. */
  pollMs: 60_000,
  /** Waits after polls that failed, doubled from the first to the last, with jitter. */
  firstBackoffMs: 60_000,
  lastBackoffMs: 15 * 60_000,
  /** A poll that met an open command comes again after this. */
  busyMs: 2_000,
  /** How long a poll may take before another backend may try the vehicle: longer than its time-out. */
  leaseMs: 30_000,
  pollsInFlight: 8,
  /** How often the poller looks for vehicles that were linked meanwhile. */
  lookMs: 5_000,
  /** The registration is renewed: a cloud that has lost it would be silent for ever. */
  subscriptionMs: 10 * 60_000,

  /** How far a maker's clock may be ahead of ours; beyond it a state would stand in the way of all that come later. */
  aheadMs: 5 * 60_000,
  /** How old the signature of a notification may be, or how far ahead. */
  signatureAgeMs: 5 * 60_000,
  /** How often a state is decided anew because the vehicle changed meanwhile. */
  staleAttempts: 5,
} as const;
