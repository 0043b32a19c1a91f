import { eachTurn } from './event-loop-turns.ts';
import { EventHeap, type HeapEntry } from './virtual-event-heap.ts';
import { PendingCall } from './virtual-pending-call.ts';
import type { ProcessScope } from './virtual-process-scope.ts';

/** 2026-01-05T06:00:00Z. Never 0: ulid takes a time of 0 to mean the real now. */
export const DEFAULT_START_MS = 1_767_592_800_000;

/** More events than this at one millisecond mean a program that schedules itself endlessly. */
const EVENTS_PER_MILLISECOND = 1_000_000;

/** How many pending calls a `Stuck` names; it only counts the others. */
const NAMED_WAITERS = 12;

/** No event is left while a call is pending: virtual time cannot advance any more. */
export class Stuck extends Error {
  override readonly name = 'Stuck';
  /** The labels of the pending calls, each with its count. */
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

/** Handles events. One handler may have many events, so that no event needs its own closure. */
export interface EventHandler<Argument> {
  /** Returns whether a program may have been notified: its promises then settle before the next event. */
  handle(argument: Argument): boolean;
}

/** All events have the same shape, since the loop handles every one of them. */
export class LoopEvent implements HeapEntry {
  readonly atMs: number;
  readonly order: number;
  readonly label: string;
  readonly handler: EventHandler<unknown>;
  readonly argument: unknown;
  isCancelled = false;
  isDone = false;

  constructor(atMs: number, order: number, label: string, handler: EventHandler<unknown>, argument: unknown) {
    this.atMs = atMs;
    this.order = order;
    this.label = label;
    this.handler = handler;
    this.argument = argument;
  }
}

/** Runs functions. */
const runFunction: EventHandler<() => void> = {
  handle(run) {
    run();
    return true;
  },
};

/** Called with every event before it runs. */
export type LoopObserver = (atMs: number, label: string) => void;

/**
 * Time as a number and everything that happens as a list of events. The loop takes the next event by (time,
 * order of scheduling), sets the clock, runs the event, and then waits one real turn for promises to settle,
 * unless no program was notified. A turn is a macrotask: by its end every chain of promises, however long,
 * has run as far as it can without another event.
 */
export class VirtualLoop {
  #nowMs: number;
  #order = 0;
  #eventCount = 0;
  #eventsNow = 0;
  #isRunning: boolean = false;
  readonly #heap = new EventHeap<LoopEvent>();
  /** Every scope that has had a pending call. */
  readonly #scopes = new Set<ProcessScope>();
  readonly #observer: LoopObserver;
  /**
   * Called before the clock advances, so that a run with a pace can wait here. Neither events nor the trace
   * show that. If it throws or rejects, `runUntil` rejects and the event is lost.
   */
  beforeAdvance: ((nextMs: number) => Promise<void> | undefined) | undefined;

  constructor(startMs: number = DEFAULT_START_MS, observer: LoopObserver = () => undefined) {
    if (!Number.isSafeInteger(startMs) || startMs <= 0)
      throw new RangeError('The virtual clock starts at a whole number of milliseconds above 0');
    this.#nowMs = startMs;
    this.#observer = observer;
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

  /** The labels of the pending calls. */
  get waiting(): readonly string[] {
    return [...this.#scopes].flatMap((scope) => [...scope.pendingCalls].map(({ label }) => label));
  }

  /**
   * Schedules `run` at `atMs` (rounded up to a whole millisecond; a time in the past means now), after
   * everything that is already scheduled for that time. The returned function cancels it.
   */
  schedule(atMs: number, label: string, run: () => void): () => void {
    const event = this.scheduleEvent(atMs, label, runFunction, run);
    return () => this.cancel(event);
  }

  /** As `schedule`, for a handler with many events; it is called with `argument`. */
  scheduleEvent<Argument>(
    atMs: number,
    label: string,
    handler: EventHandler<Argument>,
    argument: Argument,
  ): LoopEvent {
    if (!Number.isFinite(atMs)) throw new RangeError(`${label} cannot be scheduled at ${atMs}`);
    const dueMs = Math.max(this.#nowMs, Math.ceil(atMs));
    // The loop passes the argument to this handler only.
    const event = new LoopEvent(dueMs, this.#order++, label, handler as EventHandler<unknown>, argument);
    this.#heap.push(event);
    return event;
  }

  /** Cancels an event; does nothing if it has run already. */
  cancel(event: LoopEvent): void {
    if (!event.isDone) this.#heap.cancel(event);
  }

  /** Cancels all events of `handler`. It searches all events: only for rare cases such as kills. */
  cancelAll(handler: object): void {
    this.#heap.cancelWhere((event) => event.handler === handler);
  }

  /**
   * A promise for `scope` that counts as pending, under `label`, until it is settled or the scope is killed.
   */
  pendingCall<T>(scope: ProcessScope, label: string): PendingCall<T> {
    this.#scopes.add(scope);
    return new PendingCall<T>(scope, label);
  }

  /**
   * Runs events until the clock shows `until` (including all events of that time), or until the condition
   * holds, which is evaluated before the first event and after each. With a condition, `withinMs` bounds the
   * virtual time. Rejects with `Stuck` if no event is left while a call is pending, and with any error that
   * an event throws.
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

  /** Runs events until `promise` is settled, and returns or throws its outcome. */
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
        const mayHaveSettled = this.#runNext();
        if (mayHaveSettled !== false) return mayHaveSettled;
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
        const mayHaveSettled = this.#runNext();
        if (mayHaveSettled !== false) return mayHaveSettled;
      }
    });
  }

  /**
   * Runs one event: immediately, returning whether promises need a turn after it, or once `beforeAdvance`
   * allows it.
   */
  #runNext(): boolean | Promise<true> {
    const event = this.#heap.pop();
    if (event === undefined) return true;
    event.isDone = true;
    const wait = event.atMs > this.#nowMs ? this.beforeAdvance?.(event.atMs) : undefined;
    if (wait === undefined) return this.#runEvent(event);
    return wait.then(() => {
      this.#runEvent(event);
      return true;
    });
  }

  #runEvent(event: LoopEvent): boolean {
    this.#eventsNow = event.atMs === this.#nowMs ? this.#eventsNow + 1 : 0;
    if (this.#eventsNow > EVENTS_PER_MILLISECOND)
      throw new Stuck(`Time does not advance at ${event.atMs}, last event: ${event.label}`, this.waiting);
    this.#nowMs = event.atMs;
    this.#eventCount += 1;
    this.#observer(event.atMs, event.label);
    return event.handler.handle(event.argument);
  }
}
