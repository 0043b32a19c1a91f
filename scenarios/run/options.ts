import type { Scenario } from '../language/scenario.ts';
import type { Fact } from './fact.ts';
import type { Outcome } from './outcome.ts';
import type { Theatre } from './theatre.ts';

/** What whoever starts a run may ask for beside the scenario. None of it changes what happens, nor the trace. */
export interface RunOptions {
  /**
   * Asked before time goes on to `nextMs` (milliseconds since 1970; in the virtual world before an event that is later
   * than the one before it): a run at a pace lets it wait, progress is shown by it. What it rejects with or throws ends
   * the run, and the runner rejects with that very error. It may be called from within the sandbox: it leaves it by
   * itself.
   */
  readonly gate?: Gate;
  /** Told of everything while it happens. */
  readonly witness?: Witness;
  /** Reads a file beside the scenario, for weather that plays a recorded link; undefined: there is none. */
  readonly readFile?: (file: string) => string | undefined;
}

/** Who is told of a run while it goes on: a trace file. It may be called from within the sandbox. */
export interface Witness {
  /** Each line of the world's trace, without its line break. Virtual world only. */
  line(line: string): void;
  /** The fleet is up, and the times of the scenario are counted from now on. */
  begins(theatre: Pick<Theatre, 'time' | 'players' | 'look'>): void;
  fact(fact: Fact): void;
}

export type Gate = (nextMs: number) => Promise<void> | undefined;

/** Runs a scenario in one world and closes everything behind it. Stuck and crashed are outcomes, not rejections. */
export type Runner = (scenario: Scenario, options?: RunOptions) => Promise<Outcome>;
