/** When the outbox is worth a word. */
export const healthLimits = {
  /** A message that waits longer than this has consumers wait with it. */
  outboxAgeMs: 5 * 60_000,
  /** Part of a bound of the outbox from which on messages are about to be dropped. */
  outboxFill: 0.9,
} as const;
