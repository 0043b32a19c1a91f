/** +CSQ (3GPP TS 27.007, 8.5) and the grade of the signal quality that the contract has for it. */
export const SIGNAL_QUALITIES = [
  [0, 0],
  [1, 0],
  [2, 1],
  [5, 1],
  [6, 2],
  [9, 2],
  [10, 3],
  [14, 3],
  [15, 4],
  [19, 4],
  [20, 5],
  [31, 5],
] as const;
