import type { Fact, FactKind } from '../../judge/evidence/fact.ts';
import type { Time } from '../../world/time/time.ts';
import { runLimits } from '../limits.ts';
import type { SeenMessage } from '../testbed/port/testbed.ts';
import type { CheckerOutcome, ExpectationOutcome, StepWarning } from './outcome.ts';

/** The facts of a run so far, within a bound, and the listeners to them. */
export class RunRecord {
  readonly #time: Time;
  #facts: Fact[] = [];
  #dropped = 0;
  readonly #listeners = new Set<(fact: Fact) => void>();
  /** Messages by vehicle id, in order of arrival. */
  readonly #messages = new Map<string, SeenMessage[]>();

  readonly #expectations: ExpectationOutcome[] = [];
  readonly #checkers: CheckerOutcome[] = [];
  readonly #warnings: StepWarning[] = [];
  #warningsDropped = 0;
  /** When the steps began; undefined while the testbed is started. */
  beganMs: number | undefined;

  constructor(time: Time) {
    this.#time = time;
  }

  note(kind: FactKind): void {
    const fact: Fact = { atMs: this.#time.nowMs(), ...kind };
    this.#facts.push(fact);
    if (this.#facts.length > runLimits.facts) this.#dropOlder();
    for (const listener of this.#listeners) listener(fact);
  }

  /** Drops the older half, except the facts that explain the others: those of the run as a whole. */
  #dropOlder(): void {
    const before = this.#facts.length;
    const half = Math.ceil(before / 2);
    const thread = this.#facts.slice(0, half).filter(isKeptLongest);
    const newer = this.#facts.slice(half);
    this.#facts = thread.length > runLimits.threadFacts ? newer : [...thread, ...newer];
    this.#dropped += before - this.#facts.length;
  }

  /** Notes the result of an expectation; the run may still end early. */
  judged(outcome: ExpectationOutcome): void {
    this.#expectations.push(outcome);
  }

  checked(outcome: CheckerOutcome): void {
    this.#checkers.push(outcome);
  }

  warn(warning: Omit<StepWarning, 'atMs'>): void {
    if (this.#warnings.length < runLimits.warnings)
      this.#warnings.push({ ...warning, atMs: this.#time.nowMs() });
    else this.#warningsDropped += 1;
  }

  /** How many warnings exceeded the limit, and were not kept. */
  get warningsDropped(): number {
    return this.#warningsDropped;
  }

  get warnings(): readonly StepWarning[] {
    return this.#warnings;
  }

  get expectations(): readonly ExpectationOutcome[] {
    return this.#expectations;
  }

  get checkers(): readonly CheckerOutcome[] {
    return this.#checkers;
  }

  keep(message: SeenMessage): void {
    const of = this.#messages.get(message.vehicleId);
    if (of === undefined) this.#messages.set(message.vehicleId, [message]);
    else of.push(message);
  }

  /** The messages about a vehicle since that time. */
  messages(vehicleId: string, sinceMs: number): readonly SeenMessage[] {
    // Awaited expectations ask repeatedly, so only the end of a long list is searched.
    const of = this.#messages.get(vehicleId) ?? [];
    return of.slice(of.findLastIndex(({ atMs }) => atMs < sinceMs) + 1);
  }

  /** Calls `heard` with each fact from now on, until the returned function is called. */
  listen(listener: (fact: Fact) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  get facts(): readonly Fact[] {
    return this.#facts;
  }

  get dropped(): number {
    return this.#dropped;
  }
}

/**
 * Whether a fact is dropped last: it is about no single vehicle, or about one of the first, which represent
 * the others in a report.
 */
export function isKeptLongest(fact: Fact): boolean {
  if (fact.kind === 'service' || fact.kind === 'step' || fact.kind === 'fault') return true;
  const vehicle = fact.kind === 'finding' ? fact.finding.vehicle : fact.vehicle;
  return vehicle === undefined || vehicle <= runLimits.threadVehicles;
}
