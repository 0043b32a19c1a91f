/** Concurrent runs, of a runner that executes them in parallel, such as on threads. */
export interface ParallelRuns {
  /** How many runs are under way at once, at least 2. More of them wait in the runner. */
  readonly jobs: number;
  /** Cancels the running and waiting runs: their results are not needed. The runner rejects them. */
  readonly dropAll: () => void;
}
