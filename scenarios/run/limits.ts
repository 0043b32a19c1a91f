/** The bounds of a run. */
export const limits = {
  /**
   * Facts that are kept for reports. Beyond it the older half is dropped, except those of the service and of
   * the first vehicles, within the same bound.
   */
  facts: 200_000,
  /** Of steps that did not do what they say; what comes later is counted, and not kept. */
  warnings: 1_000,
  threadVehicles: 12,
  threadFacts: 50_000,
  /** The interval at which an awaited expectation is judged: at first, and at most. */
  firstLookMs: 100,
  lastLookMs: 60_000,
  /** The interval is at most this part of the expectation's time. */
  lookFraction: 1 / 200,
  /**
   * How long after weather or a break begins its effect may not be visible yet: states until then do not
   * count.
   */
  noticeMs: 250,
  /** Vehicles that are named when an expectation was not met. */
  namedVehicles: 20,
  /** Characters of an actual value in a sentence. */
  shownCharacters: 200,
  /** How long an answer may take before the world counts as stuck: longer than any deadline of the service. */
  patienceMs: 600_000,
  /** How often pending work is checked during the time to heal. */
  healLookMs: 500,
  /** How often it is looked who is in the place of a weather. */
  placeLookMs: 1_000,
  /** Concurrent calls of one step. */
  callsAtOnce: 64,
  /** How far back it is looked for when a value became as it is; the first span, which doubles; and how closely. */
  changeSearchMs: 86_400_000,
  changeSpanMs: 60_000,
  changeStepMs: 100,
  /** How much later than what it did an act may be noted. */
  actSlackMs: 100,
  /** Failures of one expectation of which it is looked for; reports show fewer. */
  changesPerExpectation: 20,
} as const;
