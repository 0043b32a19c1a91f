import type { Time } from '../../world/time/time.ts';

/** A queue of delayed actions, each after the one before it. */
export class DelayQueue {
  readonly #time: Time;
  #waiting: { readonly dueMs: number; readonly act: () => void }[] = [];
  #cancel: (() => void) | undefined;

  constructor(time: Time) {
    this.#time = time;
  }

  /** Runs `act` after the delay, and never before an action that is already queued. */
  push(delayMs: number, act: () => void): void {
    const last = this.#waiting.at(-1)?.dueMs ?? 0;
    this.#waiting.push({ dueMs: Math.max(this.#time.nowMs() + delayMs, last), act });
    this.#expect();
  }

  /** Cancels all queued actions. */
  clear(): void {
    this.#waiting = [];
    this.#cancel?.();
    this.#cancel = undefined;
  }

  #expect(): void {
    const [next] = this.#waiting;
    if (next === undefined || this.#cancel !== undefined) return;
    this.#cancel = this.#time.alarm(next.dueMs, () => {
      this.#cancel = undefined;
      this.#waiting.shift();
      next.act();
      this.#expect();
    });
  }
}
