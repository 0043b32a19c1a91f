import type { StoredMessage } from '../../world/virtual-exchange-broker.ts';
import type { Books } from '../run/books.ts';
import type { QueuedMessage } from '../run/evidence.ts';
import type { SeenMessage } from '../run/judge.ts';

/** A message as it came to lie in a queue. Its body is read anew whenever somebody asks. */
export class KeptMessage implements SeenMessage {
  readonly queue: string;
  readonly vehicleId: string;
  readonly name: string;
  readonly messageId: string;
  readonly atMs: number;
  readonly #body: Uint8Array | undefined;

  constructor(
    queue: string,
    vehicleId: string,
    name: string,
    { messageId, storedMs, body }: StoredMessage,
    isWhole: boolean,
  ) {
    this.queue = queue;
    this.vehicleId = vehicleId;
    this.name = name;
    this.messageId = messageId;
    this.atMs = storedMs;
    this.#body = isWhole ? body : undefined;
  }

  /** Throws where only the head was kept. */
  get body(): unknown {
    const body = this.#body;
    if (body === undefined) throw new Error(`The body of message ${this.messageId} was not kept.`);
    return JSON.parse(Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('utf8')) as unknown;
  }
}

/** The same, with the fleet for which its queue was declared. */
class Queued implements QueuedMessage {
  readonly #kept: KeptMessage;
  readonly fleetId: string;

  constructor(kept: KeptMessage, fleetId: string) {
    this.#kept = kept;
    this.fleetId = fleetId;
  }

  get atMs(): number {
    return this.#kept.atMs;
  }

  get queue(): string {
    return this.#kept.queue;
  }

  get messageId(): string {
    return this.#kept.messageId;
  }

  get vehicleId(): string {
    return this.#kept.vehicleId;
  }

  get name(): string {
    return this.#kept.name;
  }

  get body(): unknown {
    return this.#kept.body;
  }
}

/** All that was ever put into each queue. */
export class QueueBook {
  readonly #amount: Books['messages'];
  readonly #queues = new Map<string, KeptMessage[]>();

  constructor(amount: Books['messages'] = 'whole') {
    this.#amount = amount;
  }

  take(message: KeptMessage): void {
    if (this.#amount === 'none') return;
    const of = this.#queues.get(message.queue);
    if (of === undefined) this.#queues.set(message.queue, [message]);
    else of.push(message);
  }

  /** Oldest first, repeats included. */
  *messages(queue: string, fleetId: string): Generator<QueuedMessage> {
    if (this.#amount === 'none') throw new Error('Messages were not kept.');
    for (const message of this.#queues.get(queue) ?? []) yield new Queued(message, fleetId);
  }
}
