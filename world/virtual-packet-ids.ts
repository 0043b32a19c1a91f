import { Fifo } from './virtual-fifo.ts';

/** The highest packet identifier (two bytes, never 0). */
const HIGHEST_PACKET_ID = 65_535;

interface UnderWay<T> {
  readonly serial: number;
  readonly value: T;
}

/** What is under way by packet identifier, without the acknowledgement that takes it out. Oldest first. */
export class PacketIds<T> {
  readonly #underWay = new Fifo<UnderWay<T>>();
  #serial = -1;

  get size(): number {
    return this.#underWay.length;
  }

  /** Notes `value` under the next identifier that is free, and returns that. */
  add(value: T): number {
    do this.#serial += 1;
    while (this.#isTaken());
    this.#underWay.push({ serial: this.#serial, value });
    return idOf(this.#serial);
  }

  /** What was under way with that identifier. */
  take(id: number): T | undefined {
    // Acknowledgements come in the order of what they acknowledge, with rare exceptions.
    return this.#underWay.take(hasId, id)?.value;
  }

  /** Takes out all, oldest first. */
  clear(): T[] {
    return this.#underWay.clear().map(({ value }) => value);
  }

  #isTaken(): boolean {
    const oldest = this.#underWay.first;
    // Identifiers are given in a row: only after a whole round can one be met again.
    if (oldest === undefined || this.#serial - oldest.serial < HIGHEST_PACKET_ID) return false;
    const id = idOf(this.#serial);
    return this.#underWay.all().some((each) => hasId(each, id));
  }
}

function idOf(serial: number): number {
  return (serial % HIGHEST_PACKET_ID) + 1;
}

function hasId({ serial }: { readonly serial: number }, id: number): boolean {
  return idOf(serial) === id;
}
