/** The bounds of what is shown while a part runs. */
export const limits = {
  /** How often figures are read and the line is drawn. */
  drawMs: 500,
  /** How often a process of `up --processes several` sends its figures. */
  sendMs: 1_000,
  /** A rate is that of about so long. Counts of other processes come in steps of `sendMs`. */
  rateMs: 5_000,
  /** Looks that are kept for it. */
  rateSamples: 32,
  /** How often the store is asked for the outbox, and for the connected boxes: ten thousand take some milliseconds. */
  outboxMs: 2_000,
  connectedMs: 5_000,
  /** In a pipe: how often it is told how far the boxes are, and from how many boxes on without being asked for. */
  lineMs: 10_000,
  linesFrom: 100,
  /** Boxes of which some are ready and no more get ready for so long will not all come up: one may have no network. */
  calmMs: 30_000,
  barCells: 10,
  /** A line tells no longer time than that. */
  longestLeftS: 359_999,
  /** How finely delays of the event loop are measured. */
  lagResolutionMs: 20,
} as const;
