/** What metrics and health ask the store, every few seconds. */
export interface CensusStore {
  /** How many there are of what only the store knows. */
  count(): Promise<Census>;
  /** Writes one small row over, to see whether anything can be written. */
  probe(atMs: number): Promise<void>;
}

export interface Census {
  /** Boxes whose connection stands, as far as is known. */
  readonly boxesConnected: number;
  /** Vehicles of bulk jobs that have no result yet. */
  readonly bulkItemsPending: number;
}
