/** The limits of the console. */
export const limits = {
  /** How often the fleet is polled while a page watches it. */
  fleetLookMs: 500,
  /** Reading the fleet takes at most one part in this number of the time: it shares an event loop with the boxes. */
  fleetShare: 4,
  /** Boxes per request. */
  fleetPage: 500,
  /** Records of a box's journal per request, and the number of boxes whose records are kept. */
  journalPage: 200,
  journalReadings: 20,
  /** A stream without news sends a keep-alive after this time, so that a proxy keeps it open. */
  streamIdleMs: 15_000,
  /** Messages that are kept for a new page, and how long they are read after the last page has left. */
  keptMessages: 500,
  messageLingerMs: 10_000,
  /** Messages that arrive within this time are sent together. */
  messagePauseMs: 200,
  /** The part of a message that is shown. */
  messageBytes: 65_536,
  /** One range of a map's archive. */
  mapRangeBytes: 4_194_304,
  /** The body of a request of the page: a scenario. */
  bodyBytes: 262_144,
  /** The number of actions of the user that are kept. */
  sessionActs: 2_000,
  /** Concurrent dead zones, and the largest size of one. */
  zones: 50,
  zoneRadiusM: 100_000,
  zoneCorners: 100,
  /** Vehicles whose coverage is changed at a time. */
  zoneRequests: 8,
  /** How long a token of the console's client is used before the next one is requested. */
  tokenMs: 240_000,
  /** A service or simulator that takes longer to answer counts as unreachable. */
  statusMs: 3_000,
  /** The largest answer of the API that is shown. */
  answerBytes: 1_048_576,
} as const;
