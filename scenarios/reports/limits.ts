/** The bounds of reports: a run may have 20,000 vehicles and 200,000 facts, and a reader has one screen. */
export const limits = {
  /** What is shown around a failure: so long before it and after it, and so many lines of each. */
  beforeMs: 60_000,
  afterMs: 10_000,
  linesBefore: 24,
  linesAfter: 6,
  /** Acts long before it that could not be done. */
  refusals: 3,
  /** Failures of one expectation or checker that are told one by one; the rest is counted. */
  toldFailures: 5,
  /** Expectations and checkers of one scenario whose first failure has its timeline in a report. */
  timelines: 5,
  /** Characters of one sentence out of a run. */
  characters: 600,
  /** Boxes with a failure, and without one, that have a picture in an HTML page. */
  failingPictures: 60,
  otherPictures: 12,
  /** A picture draws no more marks of a kind than this: what falls together is one mark that counts. */
  columns: 240,
  /** Rows of calls that overlap; what overlaps still more shares the last one. */
  callRows: 4,
  /** Spans of faults with their names in one picture. */
  shownFaults: 60,
  /** A run that is longer is also shown in parts. */
  partsFromMs: 600_000,
  parts: 4,
  /** Close-ups of one box: one for each failure. */
  closeUps: 3,
} as const;
