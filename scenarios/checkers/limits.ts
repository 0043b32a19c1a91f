/** The bounds of the checkers. */
export const limits = {
  /** Findings of one kind that are told one by one; the others are counted. */
  findings: 20,
  /** Messages whose ids are held in memory while they are compared, about 100 bytes each. */
  messages: 3_000_000,
  /** How far the clock of a box may be off from the service's before an act counts as one behind its expiry. */
  boxClockMs: 1_000,
  /** A token's end is a whole second of the service's clock. */
  tokenEndMs: 2_000,
  /** How often what goes on changing is looked at anew before two books count as different. */
  looks: 3,
  /** How often, and for how long, a twin that is not true is looked at anew before it counts. */
  truthLookMs: 1_000,
  truthPatienceMs: 12_000,
  /** How long a record that was made without the time may have waited for its receipt. */
  unreceivedMs: 600_000,
  /** The book of clocks is as coarse as this. */
  clockSlackMs: 110,
} as const;
