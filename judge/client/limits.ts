/** The bounds of certifying a client. */
export const limits = {
  /** Events of one run that are kept; further ones are counted. */
  events: 400_000,
  /** Lines of evidence that a point lists; the rest is counted. */
  evidence: 5,
  /** How long requests in transit when an answer was sent may still reach the service. */
  underWayMs: 500,
  /** Times are in whole seconds, and two clocks differ: a request this much earlier is still in time. */
  earlyMs: 200,
  /** The shortest time before a retry that counts as a pause. */
  shortestPauseMs: 250,
  /** This many pauses that do not grow, all shorter than this, are hammering. */
  pausesThatGrow: 4,
  steadyPauseMs: 1_000,
  /** The factor by which the longest pause must exceed the first. */
  growth: 1.3,
  /** A request that comes later after a refusal is a new attempt, not a repetition. */
  repetitionMs: 10_000,
  /** The allowed number of permanent refusals of the same request in a row. */
  hopelessTries: 2,
  /** A temporary conflict: the shortest pause, and the allowed number of quick retries in a row. */
  conflictPauseMs: 500,
  conflictTries: 8,
  conflictQuickMs: 2_000,
  /** The duration from which a command tests a client's time-out. */
  slowCommandMs: 1_500,
  /** A token that is replaced in this first part of its life was hardly used. */
  earlyRenewal: 0.2,
  /** This many of them, in this part of the requests, are wasted. */
  wastedTokens: 3,
  wastedShare: 0.2,
  /** This many requests may still have a refused token: they were sent before the refusal. */
  lateUses: 2,
  /** A delivery without its acknowledgement is late after that. */
  unsettledMs: 15_000,
  /** How often one message may be requeued. */
  requeues: 3,
  /** The time in which a consumer must reconnect after its broker is back. */
  returnMs: 10_000,
  /** Characters of a fact in a line of evidence. */
  detailCharacters: 120,
  /** JSON bodies that are read for their problem or token, and messages for their times. */
  bodyBytes: 262_144,
} as const;
