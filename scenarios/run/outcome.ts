import type { Scenario } from '../language/document/scenario.ts';
import type { CheckerName } from '../language/expectations/checkers.ts';
import type { CheckerFinding, Fact, VehicleNumber } from './fact.ts';

/** How a run ended. `stuck`: something was awaited, but nothing more could happen. */
export type RunVerdict = 'passed' | 'failed' | 'stuck' | 'crashed';

/** The exit code of a single run; of several runs the highest counts. 2 is for a file that cannot be read. */
export const EXIT_CODES: Readonly<Record<RunVerdict, number>> = {
  passed: 0,
  failed: 1,
  stuck: 3,
  crashed: 4,
};

/** One expectation of one step, for one vehicle or for none. */
export interface ExpectationOutcome {
  /** From 0, in the order of the file. */
  readonly step: number;
  readonly label?: string;
  readonly expectation: number;
  readonly isNever: boolean;
  readonly vehicle?: VehicleNumber;
  readonly isMet: boolean;
  /** When it was met, or failed. */
  readonly atMs: number;
  /** The expected and the actual value. */
  readonly text: string;
  /** Of one that failed: since when the value is so, and after what; absent: it is not known. */
  readonly lastChange?: string;
}

/** What came of an expectation in one sentence, with the last change of the value. */
export function expectationText({
  text,
  lastChange,
}: Pick<ExpectationOutcome, 'text' | 'lastChange'>): string {
  return lastChange === undefined ? text : `${text}; ${lastChange}`;
}

/** A step that did not do what it says, at least not to this vehicle: a refused act, a fault that never struck. */
export interface StepWarning {
  /** From 0, in the order of the file. */
  readonly step: number;
  readonly label?: string;
  readonly vehicle?: VehicleNumber;
  readonly atMs: number;
  readonly text: string;
}

export interface CheckerOutcome {
  readonly checker: CheckerName;
  readonly findings: readonly CheckerFinding[];
  /**
   * What it compared, which distinguishes a checker without input from one without findings: `812 records`.
   */
  readonly seen: string;
}

export interface RunOutcome {
  readonly scenario: Scenario;
  readonly world: 'virtual' | 'real';
  readonly seed: number;
  readonly verdict: RunVerdict;
  /** The reason, if stuck or crashed. */
  readonly reason?: string;
  readonly startMs: number;
  readonly endMs: number;
  readonly expectations: readonly ExpectationOutcome[];
  readonly checkers: readonly CheckerOutcome[];
  /** In a strict scenario a failure each. */
  readonly warnings: readonly StepWarning[];
  /** Warnings that came after those, of which there were too many to keep. */
  readonly warningsDropped: number;
  /** In the order in which they happened; older ones are missing when `factsDropped` is above 0. */
  readonly facts: readonly Fact[];
  readonly factsDropped: number;
  readonly vehicles: readonly {
    readonly number: VehicleNumber;
    readonly vehicleId: string;
    readonly boxId?: string;
    readonly group: string;
    readonly model: string;
    /** Of its box at the end. */
    readonly firmware?: string;
  }[];
  /** The cells of the coverage that it met (scenarios/coverage/), where somebody watched. */
  readonly cells?: readonly string[];
  /** The hash of the trace, in the virtual world. */
  readonly hash?: string;
}
