import { limits } from './limits.ts';

/** One thing that a test did or saw: a row of its trace. */
export interface TestEvent {
  /** UTC: `2026-01-05T06:00:01.250Z`. */
  readonly at: string;
  readonly what: 'call' | 'control' | 'message' | 'expectation';
  /** `POST /vehicles/ABCD1/commands/lock-central-lock`, or the type of a message. */
  readonly text: string;
  /** The status of an answer, or why something was refused. */
  readonly result?: string;
  readonly tookMs?: number;
  readonly body?: unknown;
}

/** What the present test has done and seen, the last events of it. */
export class Recording {
  #events: TestEvent[] = [];

  begin(): void {
    this.#events = [];
  }

  add(event: Omit<TestEvent, 'at'>): void {
    this.#events.push({ at: new Date().toISOString(), ...event });
    if (this.#events.length > limits.tracedEvents) this.#events.splice(0, limits.tracedEvents / 2);
  }

  events(): readonly TestEvent[] {
    return this.#events;
  }
}
