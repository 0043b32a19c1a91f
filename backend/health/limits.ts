/** When something is worth a word, and how often health looks for itself. */
export const healthLimits = {
  /** A write that failed no longer ago than this makes the store one that refuses, though others were written since. */
  writeFailedMs: 10_000,
  /** Health writes a row of its own when it is asked, and no more often than this. */
  probeEveryMs: 5_000,
  /** Where that failed it tries sooner, so that it sees soon that writes work again. */
  probeFailingMs: 1_000,
  /** How often it is looked whether the data files are there. */
  filesLookMs: 5_000,
  /** A write that takes longer has not worked. */
  probeTimeoutMs: 2_000,
  /** A message that waits longer than this has consumers wait with it. */
  outboxAgeMs: 5 * 60_000,
  /** Part of a bound of the outbox from which on messages are about to be dropped. */
  outboxFill: 0.9,
} as const;
