import type { ScenarioDocument } from '../language/document/problem.ts';
import { readDocument } from '../language/document/read.ts';
import type { ScenarioRunner } from '../run/options.ts';
import type { RunOutcome } from '../run/outcome.ts';
import { slim } from '../run/slim.ts';
import { type FailureReason, reasonsOf } from './reason.ts';

/** The result of running one document. */
export type TrialResult =
  | { readonly kind: 'unreadable'; readonly message: string }
  | { readonly kind: 'passed'; readonly outcome: RunOutcome }
  | {
      readonly kind: 'failed';
      readonly outcome: RunOutcome;
      readonly reasons: readonly [FailureReason, ...FailureReason[]];
    };

/** Runs documents, each once: the outcomes of earlier runs are remembered. */
export class Trial {
  readonly #runner: ScenarioRunner;
  readonly #seen = new Map<string, TrialResult>();
  readonly #begun = new Map<string, Promise<RunOutcome>>();
  #runs = 0;

  constructor(runner: ScenarioRunner) {
    this.#runner = runner;
  }

  /** The number of runs, without those that were only started. */
  get runs(): number {
    return this.#runs;
  }

  has(document: ScenarioDocument): boolean {
    return this.#seen.has(JSON.stringify(document));
  }

  /**
   * Starts the run of a document without waiting for it, so that several run concurrently. `of` takes its outcome,
   * and counts it.
   */
  begin(document: ScenarioDocument): void {
    const key = JSON.stringify(document);
    if (this.#seen.has(key) || this.#begun.has(key)) return;
    const checked = readDocument(document);
    if (!checked.ok) return;
    const outcome = this.#runner(checked.scenario);
    // `of` gets the rejection too, if the outcome is needed.
    outcome.catch(() => undefined);
    this.#begun.set(key, outcome);
  }

  /** Drops the runs that were started and not requested. */
  forgetBegun(): void {
    this.#begun.clear();
  }

  /** Rejects with the runner's errors: the run was ended from outside, never a failure of the scenario. */
  async of(document: ScenarioDocument): Promise<TrialResult> {
    const key = JSON.stringify(document);
    const before = this.#seen.get(key);
    if (before !== undefined) return before;
    const tried = await this.#try(document, key);
    this.#seen.set(key, tried);
    return tried;
  }

  async #try(document: ScenarioDocument, key: string): Promise<TrialResult> {
    const checked = readDocument(document);
    if (!checked.ok) {
      return { kind: 'unreadable', message: checked.faults[0]?.message ?? 'It cannot be read.' };
    }
    this.#runs += 1;
    const begun = this.#begun.get(key);
    this.#begun.delete(key);
    // Hundreds of outcomes are kept.
    const outcome = slim(await (begun ?? this.#runner(checked.scenario)));
    const [first, ...more] = reasonsOf(outcome);
    return first === undefined
      ? { kind: 'passed', outcome }
      : { kind: 'failed', outcome, reasons: [first, ...more] };
  }
}
