/** The bounds of looking for planted bugs. */
export const limits = {
  /** Runs of the swarm for each bug. */
  swarmRuns: 300,
  /** CPU time of the swarm for each bug and seed, in seconds. */
  swarmCpuS: 60,
  /** Runs to make what it found smaller, where that is kept. */
  shrinkRuns: 400,
  /** Draws of `explore` from each story. */
  exploreDraws: 20,
  /** A finder that takes longer is ended: it found nothing. */
  finderMs: 30 * 60_000,
  /** Stories that take minutes each. */
  leftOut: ['bulk-third-asleep', 'week-offline', 'exchange-down-for-a-day'],
  /** Failures over sockets that are tried again in the virtual world. */
  overSockets: 20,
  /** Longer scenarios are left out: over sockets they take as long as they say. */
  overSocketsMs: 90_000,
  reasonCharacters: 80,
  errorCharacters: 4_000,
} as const;
