/** The bounds of certifying a client. */
export const limits = {
  /** Events of one run that are kept; what comes beyond is counted. */
  events: 400_000,
  /** Lines of evidence that a point tells; the rest is counted. */
  evidence: 5,
  /** What was under way when an answer left reaches the service until then. */
  underWayMs: 500,
  /** A second is told in whole ones, and two clocks differ: so much earlier is still in time. */
  earlyMs: 200,
  /** The shortest pause before something is tried again that counts as one. */
  shortestPauseMs: 250,
  /** So many pauses that do not grow, all of them shorter than this, are hammering. */
  pausesThatGrow: 4,
  steadyPauseMs: 1_000,
  /** By so much longer than the first the longest pause has to be. */
  growth: 1.3,
  /** What comes later after a refusal is a new attempt of its own, not a repetition. */
  repetitionMs: 10_000,
  /** So often in a row the same may be refused for good. */
  hopelessTries: 2,
  /** A conflict that passes: the shortest pause, and so many tries in a row that come quickly. */
  conflictPauseMs: 500,
  conflictTries: 8,
  conflictQuickMs: 2_000,
  /** A command that takes so long tries the patience of a client. */
  slowCommandMs: 1_500,
  /** A token that is replaced in this part of its life was hardly used. */
  earlyRenewal: 0.2,
  /** So many of them, in so large a part of the requests, are wasted. */
  wastedTokens: 3,
  wastedShare: 0.2,
  /** So many requests may still have a token that was refused: they were decided on before. */
  lateUses: 2,
  /** A delivery without its acknowledgement is late after that. */
  unsettledMs: 15_000,
  /** So often one message may be put back into the queue. */
  requeues: 3,
  /** Within that a consumer is back after its broker is. */
  returnMs: 10_000,
  /** Characters of a fact in a line of evidence. */
  detailCharacters: 120,
  /** JSON bodies that are read for their problem or token, and messages for their times. */
  bodyBytes: 262_144,
} as const;
