import type { CheckerName } from '../language/checkers.ts';
import type { Scenario } from '../language/scenario.ts';
import type { Fact, Finding, VehicleNumber } from './fact.ts';

/** How a run ended. `stuck`: nothing was left to happen while something was waited for. */
export type Verdict = 'passed' | 'failed' | 'stuck' | 'crashed';

/** The exit code of a run alone; of several runs the highest counts. 2 is for a file that cannot be read. */
export const EXIT_CODES: Readonly<Record<Verdict, number>> = { passed: 0, failed: 1, stuck: 3, crashed: 4 };

/** One expectation of one step, for one vehicle or for none. */
export interface ExpectationOutcome {
  /** From 0, in the order of the file. */
  readonly step: number;
  readonly label?: string;
  readonly expectation: number;
  readonly isNever: boolean;
  readonly vehicle?: VehicleNumber;
  readonly isMet: boolean;
  /** When it was met, or given up. */
  readonly atMs: number;
  /** What was expected, and what was there instead. */
  readonly text: string;
}

export interface CheckerOutcome {
  readonly checker: CheckerName;
  readonly findings: readonly Finding[];
  /** What it has compared, so that a checker that saw nothing is told from one that found nothing: `812 records`. */
  readonly seen: string;
}

export interface Outcome {
  readonly scenario: Scenario;
  readonly world: 'virtual' | 'real';
  readonly seed: number;
  readonly verdict: Verdict;
  /** Why it is stuck or crashed. */
  readonly reason?: string;
  readonly startMs: number;
  readonly endMs: number;
  readonly expectations: readonly ExpectationOutcome[];
  readonly checkers: readonly CheckerOutcome[];
  /** In the order in which they happened; older ones are gone where `factsDropped` is above 0. */
  readonly facts: readonly Fact[];
  readonly factsDropped: number;
  readonly vehicles: readonly {
    readonly number: VehicleNumber;
    readonly vehicleId: string;
    readonly boxId?: string;
    readonly group: string;
    readonly model: string;
  }[];
  /** Of the trace, in the virtual world. */
  readonly hash?: string;
}
