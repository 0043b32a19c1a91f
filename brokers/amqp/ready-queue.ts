/** An entry with a position in a queue. */
export interface Positioned {
  readonly position: number;
}

/** Entries in the order of their positions. An entry that is put back regains its position. */
export class ReadyQueue<Entry extends Positioned> {
  /** Entries that were put back, in order. All were removed before those in `#fresh`, so they come first. */
  readonly #returned: Entry[] = [];
  #fresh: Entry[] = [];
  #head = 0;

  get length(): number {
    return this.#returned.length + this.#fresh.length - this.#head;
  }

  first(): Entry | undefined {
    return this.#returned[0] ?? this.#fresh[this.#head];
  }

  shift(): Entry | undefined {
    if (this.#returned.length > 0) return this.#returned.shift();
    const entry = this.#fresh[this.#head];
    if (entry === undefined) return undefined;
    this.#head++;
    // The used part is cut off when it is the larger one: each entry is moved once on average.
    if (this.#head > 64 && this.#head * 2 > this.#fresh.length) {
      this.#fresh = this.#fresh.slice(this.#head);
      this.#head = 0;
    }
    return entry;
  }

  /** Adds an entry with a position above all others. */
  push(entry: Entry): void {
    this.#fresh.push(entry);
  }

  /** Puts back an entry that was removed. */
  putBack(entry: Entry): void {
    let at = this.#returned.length;
    while (at > 0 && (this.#returned[at - 1]?.position ?? 0) > entry.position) at--;
    this.#returned.splice(at, 0, entry);
  }

  /** Removes and returns all entries, oldest first. */
  clear(): readonly Entry[] {
    const all = [...this.#returned, ...this.#fresh.slice(this.#head)];
    this.#returned.length = 0;
    this.#fresh = [];
    this.#head = 0;
    return all;
  }
}
