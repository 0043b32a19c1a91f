import { type Due, EventHeap } from './virtual-heap.ts';
import type { Life } from './virtual-life.ts';
import { Opening } from './virtual-opening.ts';
import { eachTurn } from './virtual-time.ts';

/** 2026-01-05T06:00:00Z. Never 0: ulid takes a time of 0 to mean the real now. */
export const DEFAULT_START_MS = 1_767_592_800_000;

/** So many events at one millisecond are a program that wakes itself for ever. */
const EVENTS_PER_MILLISECOND = 1_000_000;

/** How many waiting things a `Stuck` names before it only counts. */
const NAMED_WAITERS = 12;

/** Nothing is left to happen, and yet something is waited for: no virtual time can pass any more. */
export class Stuck extends Error {
  override readonly name = 'Stuck';
  /** What was waited for, each with how often. */
  readonly waiting: readonly string[];

  constructor(reason: string, waiting: readonly string[]) {
    const counts = new Map<string, number>();
    for (const label of waiting) counts.set(label, (counts.get(label) ?? 0) + 1);
    const named = [...counts].map(([label, count]) => (count === 1 ? label : `${label} (${count} times)`));
    const shown = named.slice(0, NAMED_WAITERS).join('; ');
    const more = named.length > NAMED_WAITERS ? `; and ${named.length - NAMED_WAITERS} more` : '';
    super(named.length === 0 ? reason : `${reason}; open: ${shown}${more}`);
    this.waiting = named;
  }
}

/** Whose events these are. One serves many of them, so that none needs a function of its own. */
export interface Actor<Cargo> {
  /** Returns whether a program may have heard of it: its promises then have their turn before the next event. */
  happen(cargo: Cargo): boolean;
}

/** What will happen; all events have one shape, since the loop handles every one of them. */
export class LoopEvent implements Due {
  readonly atMs: number;
  readonly order: number;
  readonly label: string;
  readonly actor: Actor<unknown>;
  readonly cargo: unknown;
  isCancelled = false;
  isDone = false;

  constructor(atMs: number, order: number, label: string, actor: Actor<unknown>, cargo: unknown) {
    this.atMs = atMs;
    this.order = order;
    this.label = label;
    this.actor = actor;
    this.cargo = cargo;
  }
}

/** Carries out functions. */
const caller: Actor<() => void> = {
  happen(run) {
    run();
    return true;
  },
};

/** Told of every event that runs, before it runs. */
export type Witness = (atMs: number, label: string) => void;

/**
 * Time as a number and everything that happens as a list: takes the next event by (time, order of scheduling), sets
 * the clock, runs it, and gives the promises one real turn to settle before it takes the next, unless no program has
 * heard of it. A turn is a macrotask: by its end every chain of promises, however long, has run as far as it can without
 * another event.
 */
export class VirtualLoop {
  #nowMs: number;
  #order = 0;
  #eventCount = 0;
  #eventsNow = 0;
  #isRunning: boolean = false;
  readonly #heap = new EventHeap<LoopEvent>();
  /** All who ever waited for something. */
  readonly #lives = new Set<Life>();
  readonly #witness: Witness;
  /**
   * Asked before the clock moves on: a run at a pace waits here, without any event or the trace knowing of it. What it
   * throws or rejects with ends `runUntil`; the event is lost by then.
   */
  gate: ((nextMs: number) => Promise<void> | undefined) | undefined;

  constructor(startMs: number = DEFAULT_START_MS, witness: Witness = () => undefined) {
    if (!Number.isSafeInteger(startMs) || startMs <= 0)
      throw new RangeError('The virtual clock starts at a whole number of milliseconds above 0');
    this.#nowMs = startMs;
    this.#witness = witness;
  }

  /** Milliseconds since 1970, whole. */
  get nowMs(): number {
    return this.#nowMs;
  }

  /** How many events have run. */
  get eventCount(): number {
    return this.#eventCount;
  }

  /** How many events are scheduled. */
  get scheduledCount(): number {
    return this.#heap.size;
  }

  /** What is waited for at present, by label. */
  get waiting(): readonly string[] {
    return [...this.#lives].flatMap((life) => [...life.openings].map(({ label }) => label));
  }

  /**
   * Lets `run` happen at `atMs` (rounded up to a whole millisecond; a time in the past means now), after everything
   * that is scheduled for that time already. The returned function takes it back.
   */
  schedule(atMs: number, label: string, run: () => void): () => void {
    const event = this.plan(atMs, label, caller, run);
    return () => this.takeBack(event);
  }

  /** As `schedule`, for an actor that has many events: it is handed `cargo`. */
  plan<Cargo>(atMs: number, label: string, actor: Actor<Cargo>, cargo: Cargo): LoopEvent {
    if (!Number.isFinite(atMs)) throw new RangeError(`${label} cannot be scheduled at ${atMs}`);
    const dueMs = Math.max(this.#nowMs, Math.ceil(atMs));
    // The loop hands the cargo to this actor only.
    const event = new LoopEvent(dueMs, this.#order++, label, actor as Actor<unknown>, cargo);
    this.#heap.push(event);
    return event;
  }

  /** Takes an event back; one that has happened already is left alone. */
  takeBack(event: LoopEvent): void {
    if (!event.isDone) this.#heap.cancel(event);
  }

  /** Takes back whatever is to happen to `actor`. It looks through all events: for severings, not for every day. */
  takeBackAll(actor: object): void {
    this.#heap.cancelWhere((event) => event.actor === actor);
  }

  /** A promise for `life` that counts as waited for, under `label`, until it is settled or the life is severed. */
  opening<T>(life: Life, label: string): Opening<T> {
    this.#lives.add(life);
    return new Opening<T>(life, label);
  }

  /**
   * Runs events until the clock shows `until` (all events of that time included), or until the condition holds,
   * which is asked before the first event and after each. With a condition `withinMs` bounds the virtual time.
   * Rejects with `Stuck` where nothing is left to happen while something is waited for, and with whatever an event
   * throws.
   */
  async runUntil(
    until: number | (() => boolean),
    options: { readonly withinMs?: number } = {},
  ): Promise<void> {
    if (this.#isRunning) throw new Error('The virtual loop is running already');
    this.#isRunning = true;
    try {
      await (typeof until === 'number'
        ? this.#runUntilTime(until)
        : this.#runUntilTrue(until, options.withinMs));
    } finally {
      this.#isRunning = false;
    }
  }

  /** Runs events until `promise` is settled and hands on what it settled to. */
  async runWhile<T>(promise: Promise<T>, options: { readonly withinMs?: number } = {}): Promise<T> {
    let isSettled = false;
    const settle = (): void => {
      isSettled = true;
    };
    promise.then(settle, settle);
    await this.runUntil(() => isSettled, options);
    return promise;
  }

  async #runUntilTime(untilMs: number): Promise<void> {
    await eachTurn(() => {
      for (;;) {
        const next = this.#heap.peek();
        if (next === undefined || next.atMs > untilMs) return false;
        const isHeard = this.#runNext();
        if (isHeard !== false) return isHeard;
      }
    });
    if (this.#heap.size === 0 && this.waiting.length > 0)
      throw new Stuck('Nothing is left to happen while work is pending', this.waiting);
    this.#nowMs = Math.max(this.#nowMs, Math.ceil(untilMs));
  }

  #runUntilTrue(isReached: () => boolean, withinMs: number | undefined): Promise<void> {
    const lastMs = withinMs === undefined ? Number.POSITIVE_INFINITY : this.#nowMs + withinMs;
    return eachTurn(() => {
      for (;;) {
        if (isReached()) return false;
        const next = this.#heap.peek();
        if (next === undefined)
          throw new Stuck('Nothing is left to happen before the condition holds', this.waiting);
        if (next.atMs > lastMs)
          throw new Stuck(`The condition does not hold after ${withinMs} ms`, this.waiting);
        const isHeard = this.#runNext();
        if (isHeard !== false) return isHeard;
      }
    });
  }

  /** Runs one event: at once, saying whether promises need a turn after it, or when the gate lets it. */
  #runNext(): boolean | Promise<true> {
    const event = this.#heap.pop();
    if (event === undefined) return true;
    event.isDone = true;
    const wait = event.atMs > this.#nowMs ? this.gate?.(event.atMs) : undefined;
    if (wait === undefined) return this.#runEvent(event);
    return wait.then(() => {
      this.#runEvent(event);
      return true;
    });
  }

  #runEvent(event: LoopEvent): boolean {
    this.#eventsNow = event.atMs === this.#nowMs ? this.#eventsNow + 1 : 0;
    if (this.#eventsNow > EVENTS_PER_MILLISECOND)
      throw new Stuck(`Time stands still at ${event.atMs}, last event: ${event.label}`, this.waiting);
    this.#nowMs = event.atMs;
    this.#eventCount += 1;
    this.#witness(event.atMs, event.label);
    return event.actor.happen(event.cargo);
  }
}
