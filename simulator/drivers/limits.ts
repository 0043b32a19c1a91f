/** The figures of a fleet's driving day, and the levels at which vehicles are charged or refuelled. */
export const limits = {
  shortestTripS: 3 * 60,
  longestTripS: 25 * 60,
  shortestPauseS: 2 * 60,
  longestPauseS: 20 * 60,
  /** One vehicle of this many rests for this many days, then another one. */
  restIn: 8,
  restDays: 3,

  /**
   * A vehicle below the first value, in percent, is charged or refuelled; it is driven again from the second
   * on.
   */
  lowPercent: 25,
  enoughPercent: 50,
  /** The level after charging or refuelling, in percent. */
  filledPercent: 96,
  /** A trip with less time left is not started. */
  worthwhileMs: 3 * 60_000,
} as const;
