/** The limits of the console. */
export const limits = {
  /** How often the fleet is looked at while somebody watches it. */
  fleetLookMs: 500,
  /** The walk over the fleet takes at most one part in so many of the time: it shares a loop with the boxes. */
  fleetShare: 4,
  /** Boxes that are asked for at a time. */
  fleetPage: 500,
  /** A stream without news tells so after this time, so that whoever is in between keeps it open. */
  streamIdleMs: 15_000,
  /** Messages that are kept for a page that comes, and how long they are read on after the last one has left. */
  keptMessages: 500,
  messageLingerMs: 10_000,
  /** Messages that come within this time are told together. */
  messagePauseMs: 200,
  /** So much of a message is shown. */
  messageBytes: 65_536,
  /** One range of a map's archive. */
  mapRangeBytes: 4_194_304,
  /** The body of a request of the page: a scenario. */
  bodyBytes: 262_144,
  /** What was done by hand is kept up to so many acts. */
  sessionActs: 2_000,
  /** Dead zones at a time, and how large one may be. */
  zones: 50,
  zoneRadiusM: 100_000,
  zoneCorners: 100,
  /** How long a token of the console's client is used again before it is asked for anew. */
  tokenMs: 240_000,
  /** The largest answer of the API that is shown. */
  answerBytes: 1_048_576,
} as const;
