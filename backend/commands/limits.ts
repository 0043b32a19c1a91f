/** The bounds of commands. */
export const commandLimits = {
  /**
   * When the dispatcher first looks in the store for an outcome that another backend may have received; each
   * further wait is twice as long, up to the longest.
   */
  lookMs: 1_000,
  longestLookMs: 8_000,
  /**
   * A backend that stops, and leaves its boxes to others, goes on for so long as though nothing was: a balancer that asks
   * every half a second whether it is ready, and believes the second no, sends it requests meanwhile.
   */
  noticeMs: 2_000,
  /** How long a backend that stops, and leaves its boxes to others, lets commands be answered beyond their own time. */
  lastAnswersMs: 1_000,
  /**
   * No vehicle brakes harder than this, 10 m/s²: speed that it can have lost since the report proves no
   * motion.
   */
  brakingKphPerS: 36,
  /** A vehicle counts as stationary up to this speed: the position of a parked one jitters. */
  standingKph: 3,
} as const;

/** How long a backend that stops goes on answering, where a box may take so long to answer. */
export function lastAnswersMs(answerTimeoutMs: number): number {
  return commandLimits.noticeMs + answerTimeoutMs + commandLimits.lastAnswersMs;
}
