import type { VehicleModel } from '../../protocol/models/model.ts';
import type { Scenario } from '../../scenarios/language/document/scenario.ts';
import type { RunOutcome } from '../../scenarios/run/outcome.ts';

/** What a thread is started with: the models of the user's own, which each thread has to know by itself. */
export interface RunThreadSettings {
  readonly models: readonly VehicleModel[];
}

/** One run in the virtual world, for a thread. */
export interface RunRequest {
  readonly scenario: Scenario;
  /** The texts of the files that its weather plays, by the names that the scenario gives them. */
  readonly linkTexts: ReadonlyMap<string, string>;
  /** Without facts an answer is much smaller; only reports need them. */
  readonly keepsFacts: boolean;
  /** Whether the thread posts its `RunProgress`. */
  readonly hasProgress: boolean;
  /** One number: once it is not 0, the run ends, and its request is rejected. */
  readonly dropped: Int32Array<SharedArrayBuffer>;
}

export interface RunAnswer {
  /** The starter has the scenario. */
  readonly outcome: Omit<RunOutcome, 'scenario'>;
  /** How long the run took by the wall clock. */
  readonly wallMs: number;
}
