/**
 * Which messages of one vehicle may come to a queue again. While the service runs, one message of a vehicle
 * is unconfirmed at a time, so a repeat directly follows the message that it repeats. A service that crashed
 * may not have stored which messages were confirmed: after each start it may go back once, and continues in
 * order from there. Repeats of the previous start may still be in transit then; those of earlier starts have
 * arrived.
 */
export class Repeats {
  readonly #restartsMs: readonly number[];
  /** Positions in the order of the first arrivals. */
  readonly #places = new Map<string, number>();
  #lastPlace = -1;
  /** How many starts allow no more repeats. */
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

  /** Records the first arrival of a message. */
  addFirst(messageId: string): void {
    this.#lastPlace = this.#places.size;
    this.#places.set(messageId, this.#lastPlace);
  }

  /** Records a repeat of a message. False: a repeat is not allowed at this time. */
  isAllowedRepeat(messageId: string, atMs: number): boolean {
    const place = this.#places.get(messageId) ?? this.#lastPlace;
    const isBack = place < this.#lastPlace;
    this.#lastPlace = place;
    if (!isBack) return true;
    const starts = this.#restartsMs.filter((restartMs) => restartMs <= atMs).length;
    if (this.#usedStarts >= starts) return false;
    this.#usedStarts = Math.max(this.#usedStarts + 1, starts - 1);
    return true;
  }
}
