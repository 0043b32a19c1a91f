/** The bounds of what certifying judges. */
export const limits = {
  /** How long a message, a receipt or a change of state may take. */
  messageMs: 15_000,
  receiptMs: 10_000,
  settleMs: 20_000,
  /** The allowed difference of the judged clock from ours. */
  clockMs: 5_000,
  /** The longest time to live of a request to a box. */
  requestLifeMs: 600_000,
  /** Frames and faults that are kept of one box. */
  keptFrames: 20_000,
  /** How long a box may take for each step, and how long after that a record has to be repeated. */
  helloMs: 60_000,
  replyMs: 20_000,
  restartMs: 180_000,
  repeatMs: 40_000,
} as const;
