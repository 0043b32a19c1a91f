import type { Arrival } from './facts.ts';
import type { Finding } from './finding.ts';
import { limits } from './limits.ts';

/** Name of the message that tells each record. */
const STATE = 'VehicleStateReceived';

/** The first arrival of a message. */
export interface Booked {
  readonly arrivedMs: number | undefined;
}

/** A message that no record asked for. */
export interface Unasked {
  readonly messageId: string;
  readonly vehicleId: string;
  readonly queue: string;
  readonly receivedMs: number | undefined;
  readonly arrivedMs: number | undefined;
  /** A message that a record asked for tells the same of the same vehicle. */
  readonly twin: string | undefined;
}

/**
 * What came out of the queues, in the order in which it came. Keeps a few numbers of each message, not its text.
 * Message ids are ULIDs of one mint: those of a vehicle rise in the order in which its reports were stored.
 */
export class MessageBook {
  readonly #places = new Map<string, number>();
  // One row of each message, by its place.
  readonly #arrivedMs: number[] = [];
  readonly #receivedMs: number[] = [];
  readonly #hashes: number[] = [];
  readonly #vehicles: number[] = [];
  readonly #queues: number[] = [];
  readonly #isState: boolean[] = [];
  readonly #isAsked: boolean[] = [];

  readonly #names = new Map<string, number>();
  /** The highest id that came, by queue and vehicle. */
  readonly #highest = new Map<string, string>();

  /** How many came, repetitions included. */
  arrivals = 0;
  firstMs = Number.POSITIVE_INFINITY;
  lastMs = Number.NEGATIVE_INFINITY;

  /** How many different ones came. */
  get size(): number {
    return this.#places.size;
  }

  /** Whether no more can be held. */
  get isFull(): boolean {
    return this.size >= limits.messages;
  }

  /** Takes the next one; what is to be said of it at once, or undefined. */
  take(arrival: Arrival): Finding | undefined {
    const { messageId, vehicleId, queue, arrivedMs } = arrival;
    this.arrivals += 1;
    if (arrivedMs !== undefined) {
      this.firstMs = Math.min(this.firstMs, arrivedMs);
      this.lastMs = Math.max(this.lastMs, arrivedMs);
    }
    const place = this.#places.get(messageId);
    if (place !== undefined) {
      // Every queue that is bound to it gets one of its own.
      if (this.#queues[place] !== this.#numberOf(queue)) return undefined;
      return findingOf(arrival, 'repeated', 'the same id once more');
    }
    this.#places.set(messageId, this.#places.size);
    this.#arrivedMs.push(arrivedMs ?? Number.NaN);
    this.#receivedMs.push(arrival.receivedMs ?? Number.NaN);
    this.#hashes.push(arrival.dataHash);
    this.#vehicles.push(this.#numberOf(vehicleId));
    this.#queues.push(this.#numberOf(queue));
    this.#isState.push(arrival.name === STATE);
    this.#isAsked.push(false);
    return this.#inOrder(arrival);
  }

  #inOrder(arrival: Arrival): Finding | undefined {
    const lane = `${this.#numberOf(arrival.queue)}/${this.#numberOf(arrival.vehicleId)}`;
    const highest = this.#highest.get(lane) ?? '';
    if (arrival.messageId > highest) {
      this.#highest.set(lane, arrival.messageId);
      return undefined;
    }
    // A consumer gave it back: its place in the queue is of that consumer's making.
    if (arrival.redelivered) return undefined;
    return findingOf(arrival, 'reordered', `behind ${highest}, which is later`);
  }

  #numberOf(name: string): number {
    const known = this.#names.get(name);
    if (known !== undefined) return known;
    const number = this.#names.size;
    this.#names.set(name, number);
    return number;
  }

  /** The message of that id, which a record asks for; undefined where it did not come. */
  ask(messageId: string): Booked | undefined {
    const place = this.#places.get(messageId);
    if (place === undefined) return undefined;
    this.#isAsked[place] = true;
    return { arrivedMs: number(this.#arrivedMs[place]) };
  }

  /** The states that no record asked for, once all have. */
  *unasked(): Generator<Unasked> {
    if (!this.#isAsked.some((isAsked, place) => !isAsked && this.#isState[place] === true)) return;
    const names = [...this.#names.keys()];
    const ids = [...this.#places.keys()];
    const asked = new Map<string, number>();
    for (const [place, isAsked] of this.#isAsked.entries())
      if (isAsked) asked.set(`${this.#vehicles[place]}/${this.#hashes[place]}`, place);
    for (const [place, isAsked] of this.#isAsked.entries()) {
      if (isAsked || this.#isState[place] !== true) continue;
      const twin = asked.get(`${this.#vehicles[place]}/${this.#hashes[place]}`);
      yield {
        messageId: ids[place] ?? '',
        vehicleId: names[this.#vehicles[place] ?? -1] ?? '',
        queue: names[this.#queues[place] ?? -1] ?? '',
        receivedMs: number(this.#receivedMs[place]),
        arrivedMs: number(this.#arrivedMs[place]),
        twin: twin === undefined ? undefined : ids[twin],
      };
    }
  }
}

function number(value: number | undefined): number | undefined {
  return value === undefined || Number.isNaN(value) ? undefined : value;
}

function findingOf(
  { messageId, vehicleId, queue, receivedMs, arrivedMs }: Arrival,
  fate: Finding['fate'],
  detail: string,
): Finding {
  return {
    fate,
    hop: 'queue',
    count: 1,
    vehicleId,
    messageId,
    queue,
    ...(receivedMs === undefined ? {} : { receivedMs }),
    ...(arrivedMs === undefined ? {} : { arrivedMs }),
    detail,
  };
}
