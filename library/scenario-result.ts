/** The result of one run of a scenario. */
export interface ScenarioResult {
  readonly name: string;
  /** `stuck`: the run waited for something, but no further event could occur. */
  readonly verdict: 'passed' | 'failed' | 'stuck' | 'crashed';
  /** The same run again: the file and this. */
  readonly seed: number;
  /** What went wrong, in the order of the file; empty: it passed. */
  readonly failures: readonly ScenarioFailure[];
  /** As `boxtwin scenario run` prints it: expectations, checkers, and the events around failures. */
  readonly report: string;
  /** Of all events: two runs with one hash were the same to the byte. */
  readonly hash: string | undefined;
}

export interface ScenarioFailure {
  /** `step 2 (line 8) expect 1, vehicle 1`; or the checker. */
  readonly where: string;
  /** Of the step in the file, from 1. */
  readonly line?: number;
  /** What was expected, and what was so instead. */
  readonly text: string;
}

export interface ScenarioRunOptions {
  /** Replaces that of the file. */
  readonly seed?: number;
  /**
   * A folder with your own vehicle models, which the scenario may name, or one file; this process knows them from then
   * on.
   */
  readonly models?: string;
}
