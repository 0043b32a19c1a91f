import type { Document } from '../language/problem.ts';
import { readDocument } from '../language/read.ts';
import type { Runner } from '../run/options.ts';
import type { Outcome } from '../run/outcome.ts';
import { type Reason, reasonsOf } from './reason.ts';

/** What came of running one document. */
export type Tried =
  | { readonly kind: 'unreadable'; readonly message: string }
  | { readonly kind: 'passed'; readonly outcome: Outcome }
  | { readonly kind: 'failed'; readonly outcome: Outcome; readonly reasons: readonly [Reason, ...Reason[]] };

/** Runs documents, each one once: what was run already is remembered by its outcome's reasons. */
export class Trial {
  readonly #runner: Runner;
  readonly #seen = new Map<string, Tried>();
  #runs = 0;

  constructor(runner: Runner) {
    this.#runner = runner;
  }

  /** Runs that have been made. */
  get runs(): number {
    return this.#runs;
  }

  has(document: Document): boolean {
    return this.#seen.has(JSON.stringify(document));
  }

  /** Rejects with what the runner rejects with: an end from outside, never a failure of the scenario. */
  async of(document: Document): Promise<Tried> {
    const key = JSON.stringify(document);
    const before = this.#seen.get(key);
    if (before !== undefined) return before;
    const tried = await this.#try(document);
    this.#seen.set(key, tried);
    return tried;
  }

  async #try(document: Document): Promise<Tried> {
    const checked = readDocument(document);
    if (!checked.ok) {
      return { kind: 'unreadable', message: checked.faults[0]?.message ?? 'It cannot be read.' };
    }
    this.#runs += 1;
    const outcome = slim(await this.#runner(checked.scenario));
    const [first, ...more] = reasonsOf(outcome);
    return first === undefined
      ? { kind: 'passed', outcome }
      : { kind: 'failed', outcome, reasons: [first, ...more] };
  }
}

/** Hundreds of outcomes are kept: without the facts, which make up nearly all of each. */
function slim(outcome: Outcome): Outcome {
  return { ...outcome, facts: [], factsDropped: outcome.factsDropped + outcome.facts.length };
}
