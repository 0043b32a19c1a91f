/** The bounds of the ledger. */
export const limits = {
  /** Rows of one look into the store. */
  pageRows: 1_000,
  /** Messages that are held in memory by name, about 150 bytes each. */
  messages: 3_000_000,
  /** Cases shown of each fate and hop; the others are counted. */
  examples: 5,
  /** What may still be on its way: younger than this is pending, older is late or lost. Where nothing else is asked for. */
  lateAfterMs: 60_000,
  /** The newest rows of quarantine that are counted. */
  quarantineRows: 10_000,
} as const;
