import type { ArrivedMessage } from './facts.ts';
import type { LedgerFinding } from './finding.ts';
import { limits } from './limits.ts';

/** Name of the message that reports each record. */
const STATE = 'VehicleStateReceived';

/** The first arrival of a message. */
export interface FirstArrival {
  readonly arrivedMs: number | undefined;
}

/** A message that no record refers to. */
export interface UnclaimedMessage {
  readonly messageId: string;
  readonly vehicleId: string;
  readonly queue: string;
  readonly receivedMs: number | undefined;
  readonly arrivedMs: number | undefined;
  /** A message that a record refers to has the same content for the same vehicle. */
  readonly duplicateOf: string | undefined;
}

/**
 * The messages from the queues, in order of arrival. Keeps a few numbers of each message, not its text. Message ids are
 * ULIDs of one mint: those of a vehicle rise in the order in which its reports were stored.
 */
export class MessageRecording {
  readonly #places = new Map<string, number>();
  // One row of each message, by its place.
  readonly #arrivedMs: number[] = [];
  readonly #receivedMs: number[] = [];
  readonly #hashes: number[] = [];
  readonly #vehicles: number[] = [];
  readonly #queues: number[] = [];
  readonly #isState: boolean[] = [];
  readonly #isClaimed: boolean[] = [];

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

  /** Whether it is full. */
  get isFull(): boolean {
    return this.size >= limits.messages;
  }

  /** Adds the next one; returns a finding about it, or undefined. */
  record(message: ArrivedMessage): LedgerFinding | undefined {
    const { messageId, vehicleId, queue, arrivedMs } = message;
    this.arrivals += 1;
    if (arrivedMs !== undefined) {
      this.firstMs = Math.min(this.firstMs, arrivedMs);
      this.lastMs = Math.max(this.lastMs, arrivedMs);
    }
    const place = this.#places.get(messageId);
    if (place !== undefined) {
      // Every queue that is bound to it gets one of its own.
      if (this.#queues[place] !== this.#numberOf(queue)) return undefined;
      return findingOf(message, 'repeated', 'the same id once more');
    }
    this.#places.set(messageId, this.#places.size);
    this.#arrivedMs.push(arrivedMs ?? Number.NaN);
    this.#receivedMs.push(message.receivedMs ?? Number.NaN);
    this.#hashes.push(message.dataHash);
    this.#vehicles.push(this.#numberOf(vehicleId));
    this.#queues.push(this.#numberOf(queue));
    this.#isState.push(message.name === STATE);
    this.#isClaimed.push(false);
    return this.#inOrder(message);
  }

  #inOrder(message: ArrivedMessage): LedgerFinding | undefined {
    const lane = `${this.#numberOf(message.queue)}/${this.#numberOf(message.vehicleId)}`;
    const highest = this.#highest.get(lane) ?? '';
    if (message.messageId > highest) {
      this.#highest.set(lane, message.messageId);
      return undefined;
    }
    // A consumer requeued it, which determines its place in the queue.
    if (message.redelivered) return undefined;
    return findingOf(message, 'reordered', `behind ${highest}, which is later`);
  }

  #numberOf(name: string): number {
    const known = this.#names.get(name);
    if (known !== undefined) return known;
    const number = this.#names.size;
    this.#names.set(name, number);
    return number;
  }

  /** The message of that id, which a record refers to; undefined: it did not arrive. */
  claim(messageId: string): FirstArrival | undefined {
    const place = this.#places.get(messageId);
    if (place === undefined) return undefined;
    this.#isClaimed[place] = true;
    return { arrivedMs: number(this.#arrivedMs[place]) };
  }

  /** The states that no record refers to, once all records were taken. */
  *unclaimed(): Generator<UnclaimedMessage> {
    if (!this.#isClaimed.some((isAsked, place) => !isAsked && this.#isState[place] === true)) return;
    const names = [...this.#names.keys()];
    const ids = [...this.#places.keys()];
    const asked = new Map<string, number>();
    for (const [place, isAsked] of this.#isClaimed.entries())
      if (isAsked) asked.set(`${this.#vehicles[place]}/${this.#hashes[place]}`, place);
    for (const [place, isAsked] of this.#isClaimed.entries()) {
      if (isAsked || this.#isState[place] !== true) continue;
      const twin = asked.get(`${this.#vehicles[place]}/${this.#hashes[place]}`);
      yield {
        messageId: ids[place] ?? '',
        vehicleId: names[this.#vehicles[place] ?? -1] ?? '',
        queue: names[this.#queues[place] ?? -1] ?? '',
        receivedMs: number(this.#receivedMs[place]),
        arrivedMs: number(this.#arrivedMs[place]),
        duplicateOf: twin === undefined ? undefined : ids[twin],
      };
    }
  }
}

function number(value: number | undefined): number | undefined {
  return value === undefined || Number.isNaN(value) ? undefined : value;
}

function findingOf(
  { messageId, vehicleId, queue, receivedMs, arrivedMs }: ArrivedMessage,
  fate: LedgerFinding['fate'],
  detail: string,
): LedgerFinding {
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
