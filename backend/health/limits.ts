/** Thresholds of health, and how often it checks. */
export const healthLimits = {
  /**
   * After a failed write the store counts as refusing writes for this long, even if others succeeded since.
   */
  writeFailedMs: 10_000,
  /** The shortest time between two probe writes. */
  probeEveryMs: 5_000,
  /** The same after a failed one, so that recovery is noticed soon. */
  probeFailingMs: 1_000,
  /** How often the data files are checked. */
  filesLookMs: 5_000,
  /** A write that takes longer counts as failed. */
  probeTimeoutMs: 2_000,
  /** The age of the oldest message in the outbox from which consumers are late. */
  outboxAgeMs: 5 * 60_000,
  /** The part of a bound of the outbox from which messages are about to be dropped. */
  outboxFill: 0.9,
} as const;
