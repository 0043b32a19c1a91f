/** The bounds of bringing causes about. */
export const limits = {
  /** How long a step is repeated until its answer is as expected: a box needs some 30 s to restart. */
  stepMs: 90_000,
  stepPauseMs: 150,
  /** How long a request is repeated until its problem shows. */
  showMs: 10_000,
  showPauseMs: 250,
  /** How many calls a client has left when another client takes over. */
  sparedCalls: 20,
  /** Concurrent calls, and calls at most, to use up a quota. */
  callsAtOnce: 25,
  mostCalls: 100_000,
  /** The service's own limit: a larger body is refused. */
  bodyBytes: 65_536,
  bulkBodyBytes: 2 * 1024 * 1024,
  pageVehicles: 1_000,
} as const;
