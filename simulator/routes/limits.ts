/** The bounds of routes, and of the files that hold them. */
export const limits = {
  /** A car rounds a corner over this way before and after it, where the streets are long enough. */
  roundingM: 8,

  /** The largest file that is read. */
  fileBytes: 16_777_216,
  /** Points of one file. */
  points: 50_000,
  /** Between two points of a way; more is a jump, or no way at all. */
  longestGapM: 2_000,
  /** Points that follow closer are left out: a receiver at rest scatters them. */
  shortestGapM: 8,
  /** A way must be this long to be driven along. */
  shortestWayM: 50,
  /** A way whose ends are this near is a loop. */
  closedWithinM: 40,
  /** Of a file, which says nothing of it. */
  fileLimitKph: 50,
  /** A file knows no lights. One stands at each sharp turn that is so far from the last, and at the latest after the second. */
  lightTurnDegrees: 45,
  lightLeastM: 150,
  lightMostM: 600,
  /** The sea is this deep and a mountain this high, for a road. */
  lowestAltitudeM: -500,
  highestAltitudeM: 9_000,
  /** How much of a wrong text an error shows. */
  shownCharacters: 60,
  numberCharacters: 40,
} as const;
