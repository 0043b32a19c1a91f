interface Place<T> {
  readonly value: T;
  next: Place<T> | undefined;
}

/**
 * What waits in a row. An array or a Map that is filled and emptied for each packet makes a new store every time, which
 * outlives the packet by far; a chain leaves nothing behind.
 */
export class Fifo<T> {
  #first: Place<T> | undefined;
  #last: Place<T> | undefined;
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** Who waits longest. */
  get first(): T | undefined {
    return this.#first?.value;
  }

  push(value: T): void {
    const place: Place<T> = { value, next: undefined };
    if (this.#last === undefined) this.#first = place;
    else this.#last.next = place;
    this.#last = place;
    this.#length += 1;
  }

  /** Takes out the first. */
  shift(): T | undefined {
    const place = this.#first;
    if (place === undefined) return undefined;
    this.#first = place.next;
    if (place.next === undefined) this.#last = undefined;
    this.#length -= 1;
    return place.value;
  }

  /** Takes out the first of which `isMeant` says so; it is handed `key`. Quick where that is among the foremost. */
  take<Key>(isMeant: (value: T, key: Key) => boolean, key: Key): T | undefined {
    let before: Place<T> | undefined;
    for (let place = this.#first; place !== undefined; place = place.next) {
      if (isMeant(place.value, key)) {
        if (before === undefined) return this.shift();
        before.next = place.next;
        if (place.next === undefined) this.#last = before;
        this.#length -= 1;
        return place.value;
      }
      before = place;
    }
    return undefined;
  }

  /** All, in their order, as they are now. */
  all(): T[] {
    const values: T[] = [];
    for (let place = this.#first; place !== undefined; place = place.next) values.push(place.value);
    return values;
  }

  /** Takes out all, and returns them. */
  clear(): T[] {
    const values = this.all();
    this.#first = undefined;
    this.#last = undefined;
    this.#length = 0;
    return values;
  }
}
