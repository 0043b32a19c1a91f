/** The bounds of the status display of a part. */
export const limits = {
  /** How often figures are read and the line is drawn. */
  drawMs: 500,
  /** How often a process of `up --processes several` sends its figures. */
  sendMs: 1_000,
  /** A rate is measured over about this time. Counts of other processes come in steps of `sendMs`. */
  rateMs: 5_000,
  /** Readings that are kept for it. */
  rateSamples: 32,
  /** In a pipe: how often the progress of the boxes is printed, and from how many boxes on by default. */
  lineMs: 10_000,
  linesFrom: 100,
  /** If some boxes are ready and no more become ready for so long, not all of them will: one may have no network. */
  calmMs: 30_000,
  barCells: 10,
  /** The longest time that a line shows. */
  longestLeftS: 359_999,
  /** The resolution of the measurement of the event loop's delays. */
  lagResolutionMs: 20,
} as const;
