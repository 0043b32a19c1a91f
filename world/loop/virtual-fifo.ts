interface FifoNode<T> {
  readonly value: T;
  next: FifoNode<T> | undefined;
}

/**
 * A queue as a linked list. An array or a Map that is filled and emptied for each packet allocates new
 * storage every time, which lives much longer than the packet.
 */
export class Fifo<T> {
  #first: FifoNode<T> | undefined;
  #last: FifoNode<T> | undefined;
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** The oldest value. */
  get first(): T | undefined {
    return this.#first?.value;
  }

  push(value: T): void {
    const node: FifoNode<T> = { value, next: undefined };
    if (this.#last === undefined) this.#first = node;
    else this.#last.next = node;
    this.#last = node;
    this.#length += 1;
  }

  /** Removes and returns the first value. */
  shift(): T | undefined {
    const node = this.#first;
    if (node === undefined) return undefined;
    this.#first = node.next;
    if (node.next === undefined) this.#last = undefined;
    this.#length -= 1;
    return node.value;
  }

  /**
   * Removes and returns the first value that `matches`, which is called with `key`. Fast if it is near the
   * front.
   */
  take<Key>(matches: (value: T, key: Key) => boolean, key: Key): T | undefined {
    let before: FifoNode<T> | undefined;
    for (let node = this.#first; node !== undefined; node = node.next) {
      if (matches(node.value, key)) {
        if (before === undefined) return this.shift();
        before.next = node.next;
        if (node.next === undefined) this.#last = before;
        this.#length -= 1;
        return node.value;
      }
      before = node;
    }
    return undefined;
  }

  /** All values, in order. */
  all(): T[] {
    const values: T[] = [];
    for (let node = this.#first; node !== undefined; node = node.next) values.push(node.value);
    return values;
  }

  /** Removes and returns all values, in order. */
  clear(): T[] {
    const values = this.all();
    this.#first = undefined;
    this.#last = undefined;
    this.#length = 0;
    return values;
  }
}
