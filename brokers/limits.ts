/** The bounds that all brokers share: what of strangers goes into the log. */
export const limits = {
  /** One log line of a kind for each name in this time, and so many of a kind for all names together. */
  logEveryMs: 60_000,
  loggedPerKind: 20,
  /** Names that the log remembers; beyond them it forgets the oldest. */
  loggedIds: 1_000,
  loggedIdLength: 64,
} as const;
