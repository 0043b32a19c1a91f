/** Queries of metrics and health, made every few seconds. */
export interface CensusStore {
  /** Counts that only the store has. */
  count(): Promise<Census>;
  /** Overwrites one small row, to find out whether writes work. */
  probe(atMs: number): Promise<void>;
}

export interface Census {
  /** Boxes whose connection is open, as far as is known. */
  readonly boxesConnected: number;
  /** Vehicles of bulk jobs without a result yet. */
  readonly bulkItemsPending: number;
}
