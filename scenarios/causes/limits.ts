/** The bounds of bringing causes about. */
export const limits = {
  /** How long a step is repeated until its answer is as it must be: a box that restarts needs some 30 s. */
  stepMs: 90_000,
  stepPauseMs: 150,
  /** How long a request is repeated until its problem shows. */
  showMs: 10_000,
  showPauseMs: 250,
  /** A client's calls that are left when another client takes over. */
  sparedCalls: 20,
  /** Calls at once, and at most, to use a quota up. */
  callsAtOnce: 25,
  mostCalls: 100_000,
  /** Of the service's own: a body over it is too large. */
  bodyBytes: 65_536,
  bulkBodyBytes: 2 * 1024 * 1024,
  pageVehicles: 1_000,
} as const;
