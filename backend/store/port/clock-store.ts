/** The clock that all backends on a store have in common. */
export interface ClockStore {
  /** Milliseconds since 1970. */
  nowMs(): Promise<number>;
}
