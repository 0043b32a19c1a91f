import { Fifo } from '../loop/virtual-fifo.ts';

/** The highest packet identifier (two bytes, never 0). */
const HIGHEST_PACKET_ID = 65_535;

interface InFlight<T> {
  readonly serial: number;
  readonly value: T;
}

/** Packets without an acknowledgement, by packet identifier. Oldest first. */
export class PacketIds<T> {
  readonly #inFlight = new Fifo<InFlight<T>>();
  #serial = -1;

  get size(): number {
    return this.#inFlight.length;
  }

  /** Stores `value` under the next free identifier and returns the identifier. */
  add(value: T): number {
    do this.#serial += 1;
    while (this.#isTaken());
    this.#inFlight.push({ serial: this.#serial, value });
    return idOf(this.#serial);
  }

  /** Removes and returns the value stored under that identifier. */
  take(id: number): T | undefined {
    // Acknowledgements come in the order of the packets, with rare exceptions.
    return this.#inFlight.take(hasId, id)?.value;
  }

  /** Removes and returns all values, oldest first. */
  clear(): T[] {
    return this.#inFlight.clear().map(({ value }) => value);
  }

  #isTaken(): boolean {
    const oldest = this.#inFlight.first;
    // Identifiers are assigned in sequence: one can be in use again only after a full cycle.
    if (oldest === undefined || this.#serial - oldest.serial < HIGHEST_PACKET_ID) return false;
    const id = idOf(this.#serial);
    return this.#inFlight.all().some((each) => hasId(each, id));
  }
}

function idOf(serial: number): number {
  return (serial % HIGHEST_PACKET_ID) + 1;
}

function hasId({ serial }: { readonly serial: number }, id: number): boolean {
  return idOf(serial) === id;
}
