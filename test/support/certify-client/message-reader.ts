import { setTimeout as sleep } from 'node:timers/promises';
import type { ChannelModel, ConsumeMessage, connect } from 'amqplib';
import type { ClientVariables } from '../../../deployment/shared/client-variables.ts';
import type { ClientFault } from './faults.ts';

interface StateMessage {
  readonly metadata: { readonly message_id: string };
  readonly data: {
    readonly vehicle_id: string;
    readonly vehicle_state: Readonly<Record<string, { readonly timestamp: string }>>;
  };
}

/** Reads the queue: keeps the newest value of each property, counts each message once, and tells its witness. */
export class MessageReader {
  readonly #variables: ClientVariables;
  readonly #fault: ClientFault | undefined;
  readonly #ended: AbortSignal;
  readonly #connect: typeof connect;
  readonly #counted = new Set<string>();
  /** By vehicle and property: of which time the value is that is held. */
  readonly #held = new Map<string, Map<string, string>>();

  constructor(
    variables: ClientVariables,
    fault: ClientFault | undefined,
    ended: AbortSignal,
    open: typeof connect,
  ) {
    this.#variables = variables;
    this.#fault = fault;
    this.#ended = ended;
    this.#connect = open;
  }

  /** Consumes until the client ends, and connects again where a connection is lost. */
  async run(): Promise<void> {
    for (let attempt = 0; !this.#ended.aborted; attempt++) {
      try {
        const connection = await this.#connect(this.#variables.BOXTWIN_AMQP_URL);
        attempt = 0;
        await this.#consume(connection);
      } catch {
        // It is tried again below.
      }
      if (this.#fault === 'stays-away') return;
      const pauseMs = this.#fault === 'connects-at-once' ? 20 : 500 * 2 ** Math.min(attempt, 4);
      await sleep(pauseMs, undefined, { signal: this.#ended }).catch(() => undefined);
    }
  }

  /** Resolves once the connection is gone. */
  async #consume(connection: ChannelModel): Promise<void> {
    const gone = new Promise<void>((resolve) => {
      connection.once('close', resolve);
      connection.on('error', () => undefined);
    });
    const close = () => void connection.close().catch(() => undefined);
    this.#ended.addEventListener('abort', close);
    const channel = await connection.createChannel();
    channel.on('error', () => undefined);
    if (this.#fault !== 'no-prefetch') await channel.prefetch(20);
    const noAck = this.#fault === 'consumes-without-acks';
    let taken = Promise.resolve();
    await channel.consume(
      this.#variables.BOXTWIN_AMQP_QUEUE,
      (message) => {
        if (message === null) return;
        const acknowledge = () => {
          if (noAck || this.#fault === 'forgets-to-acknowledge') return;
          try {
            channel.ack(message);
          } catch {
            // The channel is gone: it comes again.
          }
        };
        if (this.#fault === 'acknowledges-first') acknowledge();
        // One after the other, in the order in which they came.
        taken = taken.then(async () => {
          await this.#take(message);
          if (this.#fault !== 'acknowledges-first') acknowledge();
        });
      },
      { noAck },
    );
    await gone;
    this.#ended.removeEventListener('abort', close);
  }

  async #take({ content }: ConsumeMessage): Promise<void> {
    const { metadata, data } = JSON.parse(content.toString('utf8')) as StateMessage;
    const { message_id: messageId } = metadata;
    if (this.#counted.has(messageId) && this.#fault !== 'counts-twice') return;
    this.#counted.add(messageId);
    const held = this.#held.get(data.vehicle_id) ?? new Map<string, string>();
    this.#held.set(data.vehicle_id, held);
    for (const [property, { timestamp }] of Object.entries(data.vehicle_state))
      if (this.#fault === 'takes-the-last' || timestamp >= (held.get(property) ?? ''))
        held.set(property, timestamp);
    await fetch(`${this.#variables.BOXTWIN_WITNESS_URL}/stored`, {
      method: 'POST',
      body: JSON.stringify({ message_id: messageId, held: Object.fromEntries(held) }),
    }).catch(() => undefined);
  }
}
