import type { Fact } from '../../judge/evidence/fact.ts';
import type { Scenario } from '../language/document/scenario.ts';
import type { Testbed } from '../testbed/port/testbed.ts';
import type { RunOutcome } from './outcome.ts';

/** Options of a run apart from the scenario. None of them changes what happens, or the trace. */
export interface RunOptions {
  /**
   * Called before time advances to `nextMs` (milliseconds since 1970; in the virtual world before an event that is
   * later than the previous one), to pace the run and show progress. If it throws or rejects, the run ends and the
   * runner rejects with the same error. It may be called inside the sandbox, and must leave it on its own.
   */
  readonly gate?: RunGate;
  /** Called with everything that happens. */
  readonly observer?: RunObserver;
  /** Reads a file next to the scenario, for weather that plays a recorded link; undefined: no such file. */
  readonly readFile?: (file: string) => string | undefined;
}

/** Observes a run in progress, such as a trace file. It may be called inside the sandbox. */
export interface RunObserver {
  /** Each line of the world's trace, without its line break. Virtual world only. */
  onTraceLine(line: string): void;
  /** The fleet is up; the times of the scenario count from now. */
  onStart(testbed: Pick<Testbed, 'time' | 'vehicles' | 'snapshotOf' | 'watchFaults'>): void;
  onFact(fact: Fact): void;
}

export type RunGate = (nextMs: number) => Promise<void> | undefined;

/**
 * Runs a scenario in one world and closes everything afterwards. Stuck and crashed are outcomes, not
 * rejections.
 */
export type ScenarioRunner = (scenario: Scenario, options?: RunOptions) => Promise<RunOutcome>;
