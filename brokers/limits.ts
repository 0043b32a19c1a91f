/** Limits shared by all brokers: how much about refused clients goes into the log. */
export const limits = {
  /**
   * The minimum interval between log lines of one kind for each name, and the maximum number of lines of a
   * kind in that time for all names together.
   */
  logEveryMs: 60_000,
  loggedPerKind: 20,
  /** How many names the log remembers; beyond it the oldest is forgotten. */
  loggedIds: 1_000,
  loggedIdLength: 64,
} as const;
