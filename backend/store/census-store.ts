/** How many there are of what only the store knows: for metrics, which ask every few seconds. */
export interface CensusStore {
  count(): Promise<Census>;
}

export interface Census {
  /** Boxes whose connection stands, as far as is known. */
  readonly boxesConnected: number;
  /** Vehicles of bulk jobs that have no result yet. */
  readonly bulkItemsPending: number;
}
