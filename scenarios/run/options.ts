import type { Scenario } from '../language/scenario.ts';
import type { Outcome } from './outcome.ts';

/** What whoever starts a run may ask for beside the scenario. None of it changes what happens, nor the trace. */
export interface RunOptions {
  /**
   * Asked before time goes on to `nextMs` (milliseconds since 1970; in the virtual world before an event that is later
   * than the one before it): a run at a pace lets it wait, progress is shown by it. What it rejects with or throws ends
   * the run, and the runner rejects with that very error. It may be called from within the sandbox: it leaves it by
   * itself.
   */
  readonly gate?: Gate;
  /** Handed each line of the trace, without its line break. Virtual world only. */
  readonly traceLine?: (line: string) => void;
}

export type Gate = (nextMs: number) => Promise<void> | undefined;

/** Runs a scenario in one world and closes everything behind it. Stuck and crashed are outcomes, not rejections. */
export type Runner = (scenario: Scenario, options?: RunOptions) => Promise<Outcome>;
