/** The limits of routes and of route files. */
export const limits = {
  /** A car rounds a corner over this distance before and after it, if the streets are long enough. */
  roundingM: 8,

  /** The largest file that is read. */
  fileBytes: 16_777_216,
  /** The maximum number of points of one file. */
  points: 50_000,
  /** The longest distance between two points of a route; more is a jump or no route at all. */
  longestGapM: 2_000,
  /** Points closer than this are left out: a stationary receiver scatters them. */
  shortestGapM: 8,
  /** The shortest route that can be driven. */
  shortestWayM: 50,
  /** A route whose ends are this close is a loop. */
  closedWithinM: 40,
  /** The speed limit on a route from a file, which does not contain one. */
  fileLimitKph: 50,
  /**
   * A file contains no traffic lights. There is one at each sharp turn that is this far from the last one,
   * and at the latest after the second distance.
   */
  lightTurnDegrees: 45,
  lightLeastM: 150,
  lightMostM: 600,
  /** The lowest and highest altitude that a road can have. */
  lowestAltitudeM: -500,
  highestAltitudeM: 9_000,
  /** How much of an invalid text an error shows. */
  shownCharacters: 60,
  numberCharacters: 40,
  /** The longest reason of a fault. */
  reasonCharacters: 500,
} as const;
