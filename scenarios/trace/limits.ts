/** The bounds of a trace that a scenario is made from. */
export const limits = {
  /** Spans without a connection, of all vehicles together. */
  spans: 200_000,
  /** Of one row, in characters: a frame of the largest kind in hex, many times over. */
  rowCharacters: 16_777_216,
  /** Spans that become steps, the longest of them; a scenario has 500 steps. */
  steps: 480,
  groups: 50,
  /** A connection that is back within that time was cut; one that takes longer was without coverage. */
  cutMs: 5_000,
  /** A loss so soon after a fault that takes connections is that fault's. */
  explainedMs: 5_000,
} as const;
