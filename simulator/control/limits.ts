/** The bounds of the control face. */
export const limits = {
  bodyBytes: 4_096,
  /** Boxes in one answer of the list: as asked for by nobody, and at most. */
  boxesPerPage: 100,
  mostBoxesPerPage: 1_000,
  /** Lines that wait for a slow reader of a wire stream; beyond it lines are left out and counted. */
  waitingLines: 1_000,
} as const;
