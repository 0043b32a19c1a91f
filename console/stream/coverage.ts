/** The mobile network in a rectangle, row by row from the north. */
export interface Coverage {
  readonly columns: number;
  readonly rows: number;
  /** +CSQ of each cell (3GPP TS 27.007, 8.5), 0 to 31; -1: a vehicle that drives has no network there. */
  readonly csq: readonly number[];
}
