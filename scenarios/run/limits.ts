/** The bounds of a run. */
export const limits = {
  /**
   * Facts that are kept for reports; beyond it the older half goes, but for those of the service and of so many vehicles,
   * as long as these are no more than that.
   */
  facts: 200_000,
  threadVehicles: 12,
  threadFacts: 50_000,
  /** How often an expectation is looked at: at first, and at most, while it is awaited. */
  firstLookMs: 100,
  lastLookMs: 60_000,
  /** A look is no further off than this part of the time that the expectation has. */
  lookFraction: 1 / 200,
  /** So long after weather is laid or something breaks nobody may have noticed: nothing that was there before counts. */
  noticeMs: 250,
  /** Vehicles of one expectation that are named where it was not met. */
  namedVehicles: 20,
  /** Characters of what was seen that stand in a sentence. */
  shownCharacters: 200,
  /** How long an answer may take before the world counts as stuck: longer than any deadline of the service. */
  patienceMs: 600_000,
  /** While all heals: how often is looked whether something is still pending. */
  healLookMs: 500,
  /** Calls of one step that are on their way at once. */
  callsAtOnce: 64,
} as const;
