/** The bounds of commands. */
export const commandLimits = {
  /**
   * When the dispatcher first looks in the store for an outcome that another backend may have received; each
   * further wait is twice as long, up to the longest.
   */
  lookMs: 1_000,
  longestLookMs: 8_000,
  /** How long a backend that stops, and leaves its boxes to others, lets commands under way be answered. */
  lastAnswersMs: 5_000,
  /**
   * No vehicle brakes harder than this, 10 m/s²: speed that it can have lost since the report proves no
   * motion.
   */
  brakingKphPerS: 36,
  /** A vehicle counts as stationary up to this speed: the position of a parked one jitters. */
  standingKph: 3,
} as const;
