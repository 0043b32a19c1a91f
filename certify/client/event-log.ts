import { limits } from '../../judge/client/limits.ts';
import type { Observed } from '../../judge/client/observed.ts';
import type { Time } from '../../world/time/time.ts';

/** An event without its time. */
export type Seen = Observed extends infer One ? (One extends Observed ? Omit<One, 'atMs'> : never) : never;

/** The observations of a client so far, in order. */
export class EventLog {
  readonly #time: Pick<Time, 'nowMs'>;
  readonly #events: Observed[] = [];
  #dropped = 0;
  /** The client has acted: it is connected. */
  readonly begun = Promise.withResolvers<void>();

  constructor(time: Pick<Time, 'nowMs'>) {
    this.#time = time;
  }

  get events(): readonly Observed[] {
    return this.#events;
  }

  get dropped(): number {
    return this.#dropped;
  }

  add(seen: Seen): void {
    if (seen.kind === 'request' || seen.kind === 'connected') this.begun.resolve();
    if (this.#events.length >= limits.events) {
      this.#dropped++;
      return;
    }
    this.#events.push({ ...seen, atMs: this.#time.nowMs() } as Observed);
  }
}
