/** The bounds of the HTTP interface. */
export const httpLimits = {
  /** Body of a request that has no other limit. */
  bodyBytes: 65_536,
  /** Characters of a path or parameter that a detail quotes. */
  quotedCharacters: 64,
  /** GET /vehicles */
  pageStandard: 50,
  pageMaximum: 1_000,
  searchCharacters: 100,
  tagCharacters: 64,
  pageTokenCharacters: 200,
  ifMatchCharacters: 1_000,
  /** Store calls for one filtered page before it is returned short, with a token to continue. */
  pageRounds: 10,
  /** The window of a client's quota, and the number of clients that are counted at once. */
  quotaWindowMs: 60_000,
  quotaClients: 10_000,
  /** How long a browser may cache a preflight answer. */
  preflightMemoryS: 600,
} as const;
