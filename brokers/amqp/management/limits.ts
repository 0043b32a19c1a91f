/** Limits of the embedded AMQP broker's own users and of the interface that manages them. */
export const limits = {
  users: 10_000,
  nameCharacters: 128,
  passwordCharacters: 1_024,
  /** Of one permission. The service's own name every queue of a subscription. */
  patternCharacters: 8_192,
  /** Of a hash in the file. */
  hashCharacters: 512,
  /** Of a request: three permissions, with every character escaped. */
  bodyBytes: 64 * 1_024,
  /** The file of all users. */
  fileBytes: 32 * 1_024 * 1_024,
  /** Changes that share one write of the file; more wait for the next. */
  groupChanges: 1_000,
  /**
   * How long a permission may be matched against one name, at the first and at the second attempt: an expression
   * can take exponential time. A match takes less than 1 ms; the second attempt is for a machine that was busy.
   */
  matchMs: [100, 500],
  /** Decisions of a user's permissions that are remembered. */
  rememberedMatches: 1_000,
  /** Of a name or value in an error. */
  quotedCharacters: 80,
} as const;
