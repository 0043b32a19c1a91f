import type { Time } from '../../world/time.ts';
import type { Fact, FactKind } from './fact.ts';
import type { SeenMessage } from './judge.ts';
import { limits } from './limits.ts';
import type { CheckerOutcome, ExpectationOutcome } from './outcome.ts';

/** Everything that happened so far, within a bound; and who wants to hear of it at once. */
export class RunRecord {
  readonly #time: Time;
  #facts: Fact[] = [];
  #dropped = 0;
  readonly #listeners = new Set<(fact: Fact) => void>();
  /** Messages by vehicle id, in the order in which they came. */
  readonly #messages = new Map<string, SeenMessage[]>();

  readonly #expectations: ExpectationOutcome[] = [];
  readonly #checkers: CheckerOutcome[] = [];
  /** When the steps began; undefined while the theatre is raised. */
  beganMs: number | undefined;

  constructor(time: Time) {
    this.#time = time;
  }

  note(kind: FactKind): void {
    const fact: Fact = { atMs: this.#time.nowMs(), ...kind };
    this.#facts.push(fact);
    if (this.#facts.length > limits.facts) this.#letGo();
    for (const listener of this.#listeners) listener(fact);
  }

  /** The older half goes, but for the thread of the run: without it nobody could tell what the rest came of. */
  #letGo(): void {
    const before = this.#facts.length;
    const half = Math.ceil(before / 2);
    const thread = this.#facts.slice(0, half).filter(isOfThread);
    const newer = this.#facts.slice(half);
    this.#facts = thread.length > limits.threadFacts ? newer : [...thread, ...newer];
    this.#dropped += before - this.#facts.length;
  }

  /** How an expectation ended; the run may still end before its time. */
  judged(outcome: ExpectationOutcome): void {
    this.#expectations.push(outcome);
  }

  checked(outcome: CheckerOutcome): void {
    this.#checkers.push(outcome);
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

  /** Of that vehicle, since then. */
  messages(vehicleId: string, sinceMs: number): readonly SeenMessage[] {
    // Awaited expectations ask again and again: only the end of a long list is looked through.
    const of = this.#messages.get(vehicleId) ?? [];
    return of.slice(of.findLastIndex(({ atMs }) => atMs < sinceMs) + 1);
  }

  /** Calls `heard` with each fact from now on, until the returned function is called. */
  listen(heard: (fact: Fact) => void): () => void {
    this.#listeners.add(heard);
    return () => this.#listeners.delete(heard);
  }

  get facts(): readonly Fact[] {
    return this.#facts;
  }

  get dropped(): number {
    return this.#dropped;
  }
}

/** What concerns no single vehicle, or one of the first, which stand for the others in a report: it is let go of last. */
export function isOfThread(fact: Fact): boolean {
  if (fact.kind === 'service' || fact.kind === 'step' || fact.kind === 'fault') return true;
  const vehicle = fact.kind === 'finding' ? fact.finding.vehicle : fact.vehicle;
  return vehicle === undefined || vehicle <= limits.threadVehicles;
}
