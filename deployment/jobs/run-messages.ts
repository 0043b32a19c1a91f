import type { VehicleModel } from '../../protocol/models/model.ts';
import type { Scenario } from '../../scenarios/language/document/scenario.ts';
import type { RunOutcome } from '../../scenarios/run/outcome.ts';

/** What a thread is started with: the user's own models, which each thread has to load itself. */
export interface RunThreadSettings {
  readonly models: readonly VehicleModel[];
}

/** One run in the virtual world, for a thread. */
export interface RunRequest {
  readonly scenario: Scenario;
  /** The texts of the files that its weather plays, by their names in the scenario. */
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
  /** The duration of the run on the wall clock. */
  readonly wallMs: number;
}
