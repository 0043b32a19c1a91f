/** What is to happen, at a time. `order` breaks ties: of two events at one time the one scheduled first comes first. */
export interface Due {
  readonly atMs: number;
  readonly order: number;
  isCancelled: boolean;
}

/** Below this size cancelled entries are not worth clearing out. */
const WORTH_CLEARING = 1_024;

/**
 * A binary heap of events by (time, order). A cancelled event stays until it is due or until cancelled ones are the
 * greater half; it never comes out.
 */
export class EventHeap<Event extends Due> {
  #events: Event[] = [];
  #cancelledCount = 0;

  /** How many events are still to come, without the cancelled ones. */
  get size(): number {
    return this.#events.length - this.#cancelledCount;
  }

  push(event: Event): void {
    this.#events.push(event);
    this.#rise(this.#events.length - 1);
  }

  /** Takes `event` back. Cancelling an event that is not in the heap any more is the caller's error: it must know. */
  cancel(event: Event): void {
    if (event.isCancelled) return;
    event.isCancelled = true;
    this.#cancelledCount += 1;
    if (this.#cancelledCount > WORTH_CLEARING && this.#cancelledCount * 2 > this.#events.length)
      this.#clear();
  }

  /** Cancels every event of which `isMeant` says so; it looks at all of them. */
  cancelWhere(isMeant: (event: Event) => boolean): void {
    for (const event of [...this.#events]) if (isMeant(event)) this.cancel(event);
  }

  /** The next event, which stays in the heap; undefined where nothing is left. */
  peek(): Event | undefined {
    for (;;) {
      const first = this.#events[0];
      if (first === undefined || !first.isCancelled) return first;
      this.#cancelledCount -= 1;
      this.#takeFirst();
    }
  }

  /** The next event, taken out. */
  pop(): Event | undefined {
    const first = this.peek();
    if (first !== undefined) this.#takeFirst();
    return first;
  }

  #takeFirst(): void {
    const last = this.#events.pop();
    if (last === undefined || this.#events.length === 0) return;
    this.#events[0] = last;
    this.#sink(0);
  }

  #rise(from: number): void {
    const events = this.#events;
    const event = events[from];
    if (event === undefined) return;
    let at = from;
    while (at > 0) {
      const parentAt = (at - 1) >> 1;
      const parent = events[parentAt];
      if (parent === undefined || !isBefore(event, parent)) break;
      events[at] = parent;
      at = parentAt;
    }
    events[at] = event;
  }

  #sink(from: number): void {
    const events = this.#events;
    const event = events[from];
    if (event === undefined) return;
    let at = from;
    for (;;) {
      let childAt = 2 * at + 1;
      let child = events[childAt];
      if (child === undefined) break;
      const right = events[childAt + 1];
      if (right !== undefined && isBefore(right, child)) {
        child = right;
        childAt += 1;
      }
      if (!isBefore(child, event)) break;
      events[at] = child;
      at = childAt;
    }
    events[at] = event;
  }

  #clear(): void {
    // A sorted array is a heap, so no rebuilding from the leaves is needed.
    this.#events = this.#events
      .filter((event) => !event.isCancelled)
      .sort((a, b) => (isBefore(a, b) ? -1 : 1));
    this.#cancelledCount = 0;
  }
}

function isBefore(a: Due, b: Due): boolean {
  return a.atMs < b.atMs || (a.atMs === b.atMs && a.order < b.order);
}
