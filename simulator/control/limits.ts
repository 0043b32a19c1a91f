/** The bounds of the control face. */
export const limits = {
  bodyBytes: 4_096,
  /** Boxes in one answer of the list: as asked for by nobody, and at most. */
  boxesPerPage: 100,
  mostBoxesPerPage: 1_000,
  /** Boxes that the page for browsers names. */
  pageBoxes: 50,
  /** Lines that wait for a slow reader of a wire stream; beyond it lines are left out and counted. */
  waitingLines: 1_000,
  /** How long an obstacle may be asked to last; without a duration it lasts until it is mended. */
  longestObstacleS: 86_400,
  longestSilenceS: 600,
  /** How far a box's clock can be made to jump: ten years. */
  farthestJumpS: 315_360_000,
  /** How long a vehicle can be without a network at a border. */
  longestGapS: 3_600,
  /** Of a Bluetooth token: how long, and how often, where nothing is said, and how long at most. */
  usualTokenS: 86_400,
  longestTokenS: 2_592_000,
  usualTokenUses: 1_000,
  /** Of what a phone presents, and of its own name. */
  tokenCharacters: 512,
  deviceCharacters: 64,
  /** Of the name of a route, which may be that of a file. */
  routeCharacters: 255,
  /** How hard a driver can be made to brake or to corner: harder than in comfort, and not so hard that it slides. */
  leastManeuverMg: 250,
  mostManeuverMg: 750,
  /** How far ahead, or overdue, a service can be. */
  mostDueKm: 9_999,
  mostDueDays: 3_650,
  /** Of an impact: how strong, and how long it lasts. */
  mostImpactMg: 32_000,
  longestImpactMs: 1_000,
  farthestTowM: 20_000,
  mostSmokeUgPerM3: 60_000,
  longestSmokeS: 3_600,
} as const;
