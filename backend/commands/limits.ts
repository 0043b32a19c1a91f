/** The bounds of commands. */
export const commandLimits = {
  /** How often the desk looks into the store for an outcome that another backend may have received. */
  lookMs: 1_000,
  /** A speed older than this says nothing about now: the box itself is then the one to judge. */
  speedFreshMs: 30_000,
  /** Up to here a vehicle counts as standing: the position of a parked one jitters. */
  standingKph: 3,
} as const;
