import type { Fact } from '../../evidence/fact.ts';
import type { SimulatedVehicle } from '../../evidence/simulated-vehicle.ts';
import type { CheckScope } from '../check.ts';
import { limits } from '../limits.ts';

/** A time, both ends included. */
export interface Span {
  readonly fromMs: number;
  readonly toMs: number;
}

interface FaultSpan {
  readonly fromMs: number;
  toMs: number;
  readonly key: string;
  /** Empty: a fault of a part that all vehicles share. */
  readonly vehicles: readonly number[];
  /** How much later delayed messages arrive, also after its end. */
  readonly lateMs: number;
}

interface SessionChange {
  readonly atMs: number;
  readonly isReady: boolean;
}

/** Faults and sessions over time, by the facts of the testbed and the boxes. */
export class RunTimes {
  readonly #faults: FaultSpan[] = [];
  readonly #sessions = new Map<number, SessionChange[]>();
  readonly #connects = new Map<number, number[]>();
  /** When sessions ended, and the vehicles whose box is in one. */
  readonly #ends = new Map<number, number[]>();
  readonly #inSession = new Set<number>();
  readonly #acts = new Map<number, { readonly atMs: number; readonly name: string }[]>();

  constructor({ facts }: Pick<CheckScope, 'facts'>) {
    for (const fact of facts) this.#note(fact);
  }

  #note(fact: Fact): void {
    const { atMs } = fact;
    if (fact.kind === 'connectivity') {
      const changes = listOf(this.#sessions, fact.vehicle);
      const isReady = fact.state === 'ready';
      if (fact.state === 'connected' || isReady) {
        listOf(this.#connects, fact.vehicle).push(atMs);
        this.#inSession.add(fact.vehicle);
      } else if (this.#inSession.delete(fact.vehicle)) listOf(this.#ends, fact.vehicle).push(atMs);
      if (changes.at(-1)?.isReady !== isReady) changes.push({ atMs, isReady });
    } else if (fact.kind === 'act') listOf(this.#acts, fact.vehicle).push({ atMs, name: fact.name });
    else if (fact.kind === 'service') this.#mark(atMs, fact.state === 'down', 'the service', []);
    else if (fact.kind === 'fault') {
      const { name, detail, vehicles, phase } = fact;
      const key = `${name} ${detail} ${vehicles.join()}`;
      const lateMs = DELAYING.has(name) ? (JSON.parse(detail) as { readonly by: number }).by : 0;
      if (phase === 'happens') this.#faults.push({ fromMs: atMs, toMs: atMs, key, vehicles, lateMs });
      else this.#mark(atMs, phase === 'begins', key, vehicles, lateMs);
    }
  }

  #mark(atMs: number, begins: boolean, key: string, vehicles: readonly number[], lateMs = 0): void {
    const open = this.#faults.find((one) => one.key === key && one.toMs === Number.POSITIVE_INFINITY);
    if (begins) this.#faults.push({ fromMs: atMs, toMs: Number.POSITIVE_INFINITY, key, vehicles, lateMs });
    else if (open !== undefined) open.toMs = atMs;
  }

  /**
   * Whether there was no fault, then or in `limits.calmMs` before: neither a shared one nor, if a vehicle is given, one
   * of this vehicle. Faults of these names do not count.
   */
  isCalm({ fromMs, toMs }: Span, vehicle?: SimulatedVehicle, but: readonly string[] = []): boolean {
    return !this.#faults.some(
      (fault) =>
        !but.some((name) => fault.key.startsWith(name)) &&
        (fault.vehicles.length === 0 || (vehicle !== undefined && fault.vehicles.includes(vehicle.number))) &&
        fault.fromMs <= toMs &&
        fault.toMs >= fromMs - limits.calmMs,
    );
  }

  /** Whether the vehicle was under a fault of this name at any time of the span. */
  isUnder(name: string, { number }: SimulatedVehicle, { fromMs, toMs }: Span): boolean {
    return this.#faults.some(
      ({ key, vehicles, ...fault }) =>
        key.startsWith(name) && vehicles.includes(number) && fault.fromMs <= toMs && fault.toMs >= fromMs,
    );
  }

  /**
   * The latest end of a stall of its box by a slow flash write that it may have begun by the end of the span;
   * undefined: no stall reached into the span. A box processes nothing during its write.
   */
  stoodStillUntilMs({ number }: SimulatedVehicle, { fromMs, toMs }: Span): number | undefined {
    const slow = this.#faults.filter(
      (fault) =>
        fault.key.startsWith('box flash-slow') &&
        fault.vehicles.includes(number) &&
        fault.fromMs <= toMs &&
        fault.toMs + fault.lateMs >= fromMs,
    );
    return slow.length === 0 ? undefined : Math.max(...slow.map((fault) => fault.toMs + fault.lateMs));
  }

  /** Whether a message to or from the vehicle, delayed by weather, may have arrived in the span. */
  mayArriveLate({ number }: SimulatedVehicle, { fromMs, toMs }: Span): boolean {
    return this.#faults.some(
      (fault) =>
        fault.key.startsWith('weather delay') &&
        fault.vehicles.includes(number) &&
        fault.fromMs + fault.lateMs <= toMs &&
        fault.toMs + fault.lateMs >= fromMs,
    );
  }

  /** Whether the vehicle was under a fault of another name than these at any time of the span, or shortly before. */
  isUnderOther(names: readonly string[], { number }: SimulatedVehicle, { fromMs, toMs }: Span): boolean {
    return this.#faults.some(
      ({ key, vehicles, ...fault }) =>
        vehicles.includes(number) &&
        fault.fromMs <= toMs &&
        fault.toMs >= fromMs - limits.calmMs &&
        !names.some((name) => key.startsWith(name)),
    );
  }

  /** Whether there was a fault of this name at any time of the span. */
  isBroken(name: string, { fromMs, toMs }: Span): boolean {
    return this.#faults.some(
      (fault) => fault.key.startsWith(name) && fault.fromMs <= toMs && fault.toMs >= fromMs,
    );
  }

  /** When the session of the box ended last before that time; undefined: never. */
  leftMs({ number }: SimulatedVehicle, atMs: number): number | undefined {
    return (this.#ends.get(number) ?? []).findLast((endMs) => endMs <= atMs);
  }

  /** Whether there was a fault of this name at any time of the run. */
  wasEver(name: string): boolean {
    return this.#faults.some(({ key }) => key.startsWith(name));
  }

  /** Whether the box was ready, by its own session, all of the time. */
  isReadyThroughout({ number }: SimulatedVehicle, span: Span): boolean {
    return this.#statesIn(number, span).every((isReady) => isReady);
  }

  /** Whether the box was never ready. */
  isAwayThroughout({ number }: SimulatedVehicle, span: Span): boolean {
    return this.#statesIn(number, span).every((isReady) => !isReady);
  }

  /** When the box next connected; infinity: never. `fromMs` excluded. */
  nextConnectMs({ number }: SimulatedVehicle, fromMs: number): number {
    return (this.#connects.get(number) ?? []).find((atMs) => atMs > fromMs) ?? Number.POSITIVE_INFINITY;
  }

  /** When the box was ready for the first time: its hello was answered; infinity: never. */
  firstReadyMs({ number }: SimulatedVehicle): number {
    const first = (this.#sessions.get(number) ?? []).find(({ isReady }) => isReady);
    return first?.atMs ?? Number.POSITIVE_INFINITY;
  }

  /** Whether something of these names was done to the vehicle in that time. */
  wasDone({ number }: SimulatedVehicle, names: ReadonlySet<string>, { fromMs, toMs }: Span): boolean {
    return (this.#acts.get(number) ?? []).some(
      ({ atMs, name }) => names.has(name) && atMs >= fromMs && atMs <= toMs,
    );
  }

  #statesIn(number: number, { fromMs, toMs }: Span): readonly boolean[] {
    const changes = this.#sessions.get(number) ?? [];
    const before = changes.findLast(({ atMs }) => atMs < fromMs);
    const during = changes.filter(({ atMs }) => atMs >= fromMs && atMs <= toMs);
    return [before?.isReady ?? false, ...during.map(({ isReady }) => isReady)];
  }
}

/** Faults that delay a message or a write by their `by`, possibly beyond their own end. */
const DELAYING: ReadonlySet<string> = new Set(['weather delay', 'box flash-slow']);

function listOf<T>(lists: Map<number, T[]>, number: number): T[] {
  const list = lists.get(number) ?? [];
  lists.set(number, list);
  return list;
}
