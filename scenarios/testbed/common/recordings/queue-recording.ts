import type { QueuedMessage } from '../../../../judge/evidence/evidence.ts';
import type { Recordings } from '../../../../judge/recordings.ts';
import type { StoredAmqpMessage } from '../../../../world/amqp/virtual-amqp-broker.ts';
import type { SeenMessage } from '../../port/testbed.ts';

const NONE = {};

/** A message that was put into a queue. Its body is parsed again at each access. */
export class RecordedMessage implements SeenMessage {
  readonly queue: string;
  readonly vehicleId: string;
  readonly name: string;
  readonly messageId: string;
  readonly atMs: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly #body: Uint8Array | undefined;

  constructor(
    queue: string,
    vehicleId: string,
    name: string,
    { messageId, storedMs, body, headers }: StoredAmqpMessage,
    isWhole: boolean,
  ) {
    this.queue = queue;
    this.vehicleId = vehicleId;
    this.name = name;
    this.messageId = messageId;
    this.atMs = storedMs;
    this.headers = isWhole ? headers : NONE;
    this.#body = isWhole ? body : undefined;
  }

  /** Throws when only the head was kept. */
  get body(): unknown {
    const body = this.#body;
    if (body === undefined) throw new Error(`The body of message ${this.messageId} was not kept.`);
    return JSON.parse(Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('utf8')) as unknown;
  }
}

/** The same message, with the fleet for which its queue was declared. */
class RecordedQueueMessage implements QueuedMessage {
  readonly #recorded: RecordedMessage;
  readonly fleetId: string;

  constructor(recorded: RecordedMessage, fleetId: string) {
    this.#recorded = recorded;
    this.fleetId = fleetId;
  }

  get atMs(): number {
    return this.#recorded.atMs;
  }

  get queue(): string {
    return this.#recorded.queue;
  }

  get messageId(): string {
    return this.#recorded.messageId;
  }

  get vehicleId(): string {
    return this.#recorded.vehicleId;
  }

  get name(): string {
    return this.#recorded.name;
  }

  get body(): unknown {
    return this.#recorded.body;
  }

  get headers(): Readonly<Record<string, string>> {
    return this.#recorded.headers;
  }
}

/** Every message that was put into each queue. */
export class QueueRecording {
  readonly #amount: Recordings['messages'];
  readonly #queues = new Map<string, RecordedMessage[]>();

  constructor(amount: Recordings['messages'] = 'whole') {
    this.#amount = amount;
  }

  record(message: RecordedMessage): void {
    if (this.#amount === 'none') return;
    const of = this.#queues.get(message.queue);
    if (of === undefined) this.#queues.set(message.queue, [message]);
    else of.push(message);
  }

  /**
   * Oldest first, repeats included. Messages before `sinceMs` were in an earlier queue of that name, perhaps of
   * another fleet.
   */
  *messages(queue: string, fleetId: string, sinceMs: number): Generator<QueuedMessage> {
    if (this.#amount === 'none') throw new Error('Messages were not kept.');
    for (const message of this.#queues.get(queue) ?? [])
      if (message.atMs >= sinceMs) yield new RecordedQueueMessage(message, fleetId);
  }
}
