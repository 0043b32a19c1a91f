/** The bounds of a trace that a scenario is made from. */
export const limits = {
  /** Spans without a connection, of all vehicles together. */
  spans: 200_000,
  /** Characters of one row: many times the largest frame in hex. */
  rowCharacters: 16_777_216,
  /** Spans that become steps, the longest ones; a scenario has at most 500 steps. */
  steps: 480,
  groups: 50,
  /** A connection that is back within this time was cut; a longer gap was a lack of coverage. */
  cutMs: 5_000,
  /** A loss within this time after a fault that ends connections is caused by it. */
  explainedMs: 5_000,
} as const;
