import type { CheckerName } from '../../judge/checkers.ts';
import type { Fact, VehicleNumber } from '../../judge/evidence/fact.ts';
import type { Result, Verdict } from '../../judge/verdict.ts';
import type { Scenario } from '../language/document/scenario.ts';

/** How a run ended. `stuck`: something was awaited, but nothing more could happen. */
export type RunVerdict = Exclude<Result, 'not-seen'> | 'stuck' | 'crashed';

/** The exit code of a single run; of several runs the highest counts. 2 is for a file that cannot be read. */
export const EXIT_CODES: Readonly<Record<RunVerdict, number>> = {
  passed: 0,
  failed: 1,
  stuck: 3,
  crashed: 4,
};

/**
 * The verdict on one expectation of one step, for one vehicle or for none. Its text states the expected and the actual
 * value; a finding of a failed one: since when the value has been so, and after what.
 */
export interface ExpectationOutcome extends Verdict {
  /** From 0, in the order of the file. */
  readonly step: number;
  readonly label?: string;
  readonly expectation: number;
  readonly isNever: boolean;
  readonly vehicle?: VehicleNumber;
  /** When it was met, or failed. */
  readonly atMs: number;
}

/** The result of an expectation in one sentence, with the last change of the value. */
export function expectationText({ text, findings }: Verdict): string {
  return [text, ...findings.map((finding) => finding.text)].join('; ');
}

/** A step without the effect that it states, at least for this vehicle: a refused act, a fault without an effect. */
export interface StepWarning {
  /** From 0, in the order of the file. */
  readonly step: number;
  readonly label?: string;
  readonly vehicle?: VehicleNumber;
  readonly atMs: number;
  readonly text: string;
}

/** The result of a checker for a run. `not-seen`: it compared nothing. */
export interface CheckerOutcome extends Verdict {
  readonly checker: CheckerName;
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
  /** Further warnings, beyond the limit. */
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
  /** The cells of the coverage that it met (scenarios/coverage/), if it was watched. */
  readonly cells?: readonly string[];
  /** The hash of the trace, in the virtual world. */
  readonly hash?: string;
}
