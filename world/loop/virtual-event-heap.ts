/**
 * An event at a time. `order` breaks ties: of two events at one time, the one scheduled first comes first.
 */
export interface HeapEntry {
  readonly atMs: number;
  readonly order: number;
  isCancelled: boolean;
}

/** Below this size, removing cancelled entries is not worthwhile. */
const MIN_COMPACT_SIZE = 1_024;

/** The initial capacity; it doubles when needed. */
const FIRST_CAPACITY = 1_024;

/**
 * A binary heap of events by (time, order). A cancelled event stays in the heap until it is due or until more
 * than half of the entries are cancelled; it is never returned. Times and orders are in arrays of their own,
 * so that the values compared while sifting are close together in memory.
 */
export class EventHeap<Event extends HeapEntry> {
  #events: (Event | undefined)[] = [];
  #times = new Float64Array(FIRST_CAPACITY);
  #orders = new Float64Array(FIRST_CAPACITY);
  #length = 0;
  #cancelledCount = 0;

  /** The number of events, without the cancelled ones. */
  get size(): number {
    return this.#length - this.#cancelledCount;
  }

  push(event: Event): void {
    if (this.#length === this.#times.length) this.#grow();
    const { atMs, order } = event;
    const times = this.#times;
    const orders = this.#orders;
    const events = this.#events;
    let at = this.#length;
    this.#length += 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!isBefore(atMs, order, times[parent] as number, orders[parent] as number)) break;
      times[at] = times[parent] as number;
      orders[at] = orders[parent] as number;
      events[at] = events[parent];
      at = parent;
    }
    times[at] = atMs;
    orders[at] = order;
    events[at] = event;
  }

  /** Cancels `event`, which must be in the heap. */
  cancel(event: Event): void {
    if (event.isCancelled) return;
    event.isCancelled = true;
    this.#cancelledCount += 1;
    if (this.#cancelledCount > MIN_COMPACT_SIZE && this.#cancelledCount * 2 > this.#length) this.#clear();
  }

  /** Cancels every event that `matches`; it searches all of them. */
  cancelWhere(matches: (event: Event) => boolean): void {
    for (const event of this.#all()) if (matches(event)) this.cancel(event);
  }

  /** The next event, which stays in the heap; undefined if the heap is empty. */
  peek(): Event | undefined {
    for (;;) {
      const first = this.#events[0];
      if (first === undefined || !first.isCancelled) return first;
      this.#cancelledCount -= 1;
      this.#takeFirst();
    }
  }

  /** Removes and returns the next event. */
  pop(): Event | undefined {
    const first = this.peek();
    if (first !== undefined) this.#takeFirst();
    return first;
  }

  /** Moves the last entry to the top and sifts it down. */
  #takeFirst(): void {
    const times = this.#times;
    const orders = this.#orders;
    const events = this.#events;
    this.#length -= 1;
    const length = this.#length;
    const atMs = times[length] as number;
    const order = orders[length] as number;
    const event = events[length];
    events[length] = undefined;
    if (length === 0) return;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= length) break;
      let childMs = times[child] as number;
      let childOrder = orders[child] as number;
      const right = child + 1;
      if (right < length && isBefore(times[right] as number, orders[right] as number, childMs, childOrder)) {
        child = right;
        childMs = times[child] as number;
        childOrder = orders[child] as number;
      }
      if (!isBefore(childMs, childOrder, atMs, order)) break;
      times[at] = childMs;
      orders[at] = childOrder;
      events[at] = events[child];
      at = child;
    }
    times[at] = atMs;
    orders[at] = order;
    events[at] = event;
  }

  #grow(): void {
    const times = new Float64Array(this.#length * 2);
    const orders = new Float64Array(this.#length * 2);
    times.set(this.#times);
    orders.set(this.#orders);
    this.#times = times;
    this.#orders = orders;
  }

  #all(): Event[] {
    return this.#events.filter((event) => event !== undefined);
  }

  #clear(): void {
    const left = this.#all().filter((event) => !event.isCancelled);
    this.#events = [];
    this.#length = 0;
    this.#cancelledCount = 0;
    for (const event of left) this.push(event);
  }
}

function isBefore(atMs: number, order: number, otherMs: number, otherOrder: number): boolean {
  return atMs < otherMs || (atMs === otherMs && order < otherOrder);
}
