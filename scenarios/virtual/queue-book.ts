import type { StoredMessage } from '../../world/virtual-exchange-broker.ts';
import type { QueuedMessage } from '../run/evidence.ts';
import type { SeenMessage } from '../run/judge.ts';

/** A message as it came to lie in a queue. Its body is read anew whenever somebody asks. */
export class KeptMessage implements SeenMessage {
  readonly queue: string;
  readonly vehicleId: string;
  readonly name: string;
  readonly #stored: StoredMessage;

  constructor(queue: string, stored: StoredMessage) {
    this.queue = queue;
    this.#stored = stored;
    this.vehicleId = vehicleIdOf(stored.body);
    this.name = stored.type.slice(stored.type.lastIndexOf('.') + 1);
  }

  get atMs(): number {
    return this.#stored.storedMs;
  }

  get messageId(): string {
    return this.#stored.messageId;
  }

  get body(): unknown {
    const { body } = this.#stored;
    return JSON.parse(Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('utf8')) as unknown;
  }
}

const FIELD = Buffer.from('"vehicle_id":"');
const QUOTE = 0x22;

/** Without reading all of the body: there are many messages, and few that somebody looks into. */
function vehicleIdOf(body: Uint8Array): string {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const at = bytes.indexOf(FIELD);
  const from = at + FIELD.byteLength;
  return at < 0 ? '' : bytes.toString('utf8', from, bytes.indexOf(QUOTE, from));
}

/** All that was ever put into each queue. */
export class QueueBook {
  readonly #queues = new Map<string, KeptMessage[]>();

  /** `isKept` false: it is read, and forgotten. */
  take(queue: string, stored: StoredMessage, isKept: boolean): KeptMessage {
    const message = new KeptMessage(queue, stored);
    if (!isKept) return message;
    const of = this.#queues.get(queue);
    if (of === undefined) this.#queues.set(queue, [message]);
    else of.push(message);
    return message;
  }

  /** Oldest first, repeats included. */
  *messages(queue: string, fleetId: string): Generator<QueuedMessage> {
    for (const { atMs, messageId, vehicleId, name, body } of this.#queues.get(queue) ?? []) {
      yield { atMs, queue, messageId, vehicleId, fleetId, name, body };
    }
  }
}
