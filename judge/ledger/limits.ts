/** The bounds of the ledger. */
export const limits = {
  /** Rows of one page read from the store. */
  pageRows: 1_000,
  /** Messages that are held in memory, about 150 bytes each. */
  messages: 3_000_000,
  /** Examples of each outcome and hop; the others are counted. */
  examples: 5,
  /** The default age up to which something counts as pending; older is late or lost. */
  lateAfterMs: 60_000,
  /** How many of the newest rows of the quarantine are counted. */
  quarantineRows: 10_000,
} as const;
