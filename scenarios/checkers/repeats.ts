/**
 * Which messages of one vehicle may come to a queue once more. While the service runs, one message of a vehicle is
 * under way: a repeat stands directly behind the message that it repeats. A service that died may not have written
 * down yet which messages were taken: once after each of its starts it may go back, and goes on from there in order.
 * What the start before the last one repeated may still have been on its way; what earlier ones did has come by then.
 */
export class Repeats {
  readonly #restartsMs: readonly number[];
  /** Places in the order of the first arrivals. */
  readonly #places = new Map<string, number>();
  #at = -1;
  /** How many starts excuse nothing any more. */
  #usedStarts = 0;

  /** `restartsMs`: when the service was started again, milliseconds since 1970, ascending. */
  constructor(restartsMs: readonly number[]) {
    this.#restartsMs = restartsMs;
  }

  get size(): number {
    return this.#places.size;
  }

  has(messageId: string): boolean {
    return this.#places.has(messageId);
  }

  /** It has come for the first time. */
  first(messageId: string): void {
    this.#at = this.#places.size;
    this.#places.set(messageId, this.#at);
  }

  /** It has come once more. False: it must not have, at this time. */
  again(messageId: string, atMs: number): boolean {
    const place = this.#places.get(messageId) ?? this.#at;
    const isBack = place < this.#at;
    this.#at = place;
    if (!isBack) return true;
    const starts = this.#restartsMs.filter((restartMs) => restartMs <= atMs).length;
    if (this.#usedStarts >= starts) return false;
    this.#usedStarts = Math.max(this.#usedStarts + 1, starts - 1);
    return true;
  }
}
