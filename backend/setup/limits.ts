/** The bounds of setting vehicles up. */
export const setupLimits = {
  /** Safety net besides due times and wake-ups: another backend may have onboarded a vehicle. */
  pollMs: 5 * 60_000,
  /** The wait after a failure of the store. */
  retryMs: 2_000,
  /** Setups that one look begins. */
  begunPerLook: 64,
  /** Setups of this process whose box has not answered; beyond it the others wait. */
  atOnce: 512,
  /** How long a box may take: it examines its vehicle for some 20 s before it gives up. */
  answerTimeoutMs: 3 * 60_000,
  /** After the expiry, so that the dispatcher's own result comes first if it is still running. */
  graceMs: 5_000,
  /** How often it is begun with a box that stays silent. */
  attempts: 5,
  /** The wait before the next attempt: doubled from the first to the last, with jitter. */
  firstBackoffMs: 30_000,
  lastBackoffMs: 30 * 60_000,
  /** The wait if nothing reached the box: another command of it is open, or there is no broker. */
  voidBackoffMs: 5_000,
} as const;
