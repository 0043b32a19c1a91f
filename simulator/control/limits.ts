/** The limits of the control API. */
export const limits = {
  bodyBytes: 4_096,
  /** Of weather that names whom it befalls: some 3,000 boxes. */
  faultBodyBytes: 65_536,
  /** Redirect URIs of a client that is made here: as many as the service lets one have. */
  clientRedirectUris: 20,
  /** Boxes per page of the list: the default and the maximum. */
  boxesPerPage: 100,
  mostBoxesPerPage: 1_000,
  /** Boxes on the HTML page. */
  pageBoxes: 50,
  /** Cells of the coverage in one answer: some 3 µs each. */
  coverageCells: 2_400,
  /** Lines buffered for a slow reader of a frame stream; beyond it lines are dropped and counted. */
  waitingLines: 1_000,
  /** The longest duration of an installation fault; without a duration it lasts until it is repaired. */
  longestObstacleS: 86_400,
  longestSilenceS: 600,
  /** The largest jump of a box's clock: ten years. */
  farthestJumpS: 315_360_000,
  /** The longest time without a network at a border. */
  longestGapS: 3_600,
  /** The default lifetime of a Bluetooth token, the longest one, and the default number of uses. */
  usualTokenS: 86_400,
  longestTokenS: 2_592_000,
  usualTokenUses: 1_000,
  /** The length of a presented token, and of a phone's name. */
  tokenCharacters: 512,
  deviceCharacters: 64,
  /** The length of a route's name, which may be a file name. */
  routeCharacters: 255,
  /** The strength of a maneuver: harder than comfortable driving, but without sliding. */
  leastManeuverMg: 250,
  mostManeuverMg: 750,
  /** How far in the future, or overdue, a service can be. */
  mostDueKm: 9_999,
  mostDueDays: 3_650,
  /** The strength and duration of an impact. */
  mostImpactMg: 32_000,
  longestImpactMs: 1_000,
  farthestTowM: 20_000,
  mostSmokeUgPerM3: 60_000,
  longestSmokeS: 3_600,
} as const;
