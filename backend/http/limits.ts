/** The bounds of the HTTP interface. */
export const httpLimits = {
  /** Body of any request that has no bound of its own. */
  bodyBytes: 65_536,
  /** Part of a path or parameter that is quoted in a detail. */
  quotedCharacters: 64,
  /** GET /vehicles */
  pageStandard: 50,
  pageMaximum: 1_000,
  searchCharacters: 100,
  tagCharacters: 64,
  pageTokenCharacters: 200,
  ifMatchCharacters: 1_000,
  /** Rounds to the store that one filtered page may take before it is handed out short, with a token to go on. */
  pageRounds: 10,
  /** The window of a client's quota, and the clients that are counted at once. */
  quotaWindowMs: 60_000,
  quotaClients: 10_000,
  /** How long a browser may remember what a page of another origin may do. */
  preflightMemoryS: 600,
} as const;
