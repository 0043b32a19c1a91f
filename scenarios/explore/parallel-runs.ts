/** Several runs at once, of a runner that carries them out at the same time, such as on threads. */
export interface ParallelRuns {
  /** How many runs are under way at once, at least 2. More of them wait in the runner. */
  readonly jobs: number;
  /** Ends the runs that are under way or wait: their results are not needed. The runner rejects them. */
  readonly dropAll: () => void;
}
