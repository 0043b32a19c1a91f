/** The bounds of reports: a run may have 20,000 vehicles and 200,000 facts, and a reader has one screen. */
export const limits = {
  /** What is shown around a failure: the time before and after it, and the lines of each. */
  beforeMs: 60_000,
  afterMs: 10_000,
  linesBefore: 24,
  linesAfter: 6,
  /** Earlier acts that were refused. */
  refusals: 3,
  /** Faults and the like that are in force from earlier, the latest. */
  inForce: 8,
  /** Failures of one expectation or checker that are listed; the rest is counted. */
  toldFailures: 5,
  /** Expectations and checkers of one scenario whose first failure has its timeline in a report. */
  timelines: 5,
  /**
   * Different warnings of one scenario that are told, equal ones of many vehicles or rounds as one; JSON has each. And the
   * vehicles that are named of one.
   */
  warnings: 200,
  namedVehicles: 20,
  /** Annotations of one scenario: GitHub shows ten errors and ten warnings of a step, and drops what comes after. */
  annotations: 10,
  /** Characters of one sentence. */
  characters: 600,
  /** Boxes with a failure, and without one, that have a picture in an HTML page. */
  failingPictures: 60,
  otherPictures: 12,
  /** The most marks of a kind in a picture: marks at the same place are one mark with a count. */
  columns: 240,
  /** Rows of overlapping calls; further ones share the last row. */
  callRows: 4,
  /** Spans of faults with their names in one picture. */
  shownFaults: 60,
  /** A longer run is also shown in parts. */
  partsFromMs: 600_000,
  parts: 4,
  /** Close-ups of one box: one for each failure. */
  closeUps: 3,
} as const;
