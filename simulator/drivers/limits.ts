/** What a day of a fleet's drivers is made of, and when they look after its energy. */
export const limits = {
  shortestTripS: 3 * 60,
  longestTripS: 25 * 60,
  shortestPauseS: 2 * 60,
  longestPauseS: 20 * 60,
  /** One vehicle of so many stands for so many days, then another one. */
  restIn: 8,
  restDays: 3,

  /** Below the first, in percent, a vehicle is charged or filled up; it is driven again from the second on. */
  lowPercent: 25,
  enoughPercent: 50,
  /** What is put in. */
  filledPercent: 96,
  /** A trip of which less is left is not begun any more. */
  worthwhileMs: 3 * 60_000,
} as const;
