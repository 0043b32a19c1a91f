/** The bounds of commands. */
export const commandLimits = {
  /**
   * When the desk first looks into the store for an outcome that another backend may have received; then less and less
   * often, each wait twice as long up to the longest.
   */
  lookMs: 1_000,
  longestLookMs: 8_000,
  /** No vehicle loses speed faster than this, 10 m/s²: what it can have lost since it was seen proves no motion. */
  brakingKphPerS: 36,
  /** Up to here a vehicle counts as standing: the position of a parked one jitters. */
  standingKph: 3,
} as const;
