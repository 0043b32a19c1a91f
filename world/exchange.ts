/** A connection to an AMQP 0-9-1 broker as a publisher needs it. One `open` is one connection; it never reconnects. */
export interface Exchange {
  /** Rejects with `ExchangeRefused` where the broker refuses or cannot be reached within `connectTimeoutMs`. */
  open(options: { readonly connectTimeoutMs: number }, events: ExchangeEvents): Promise<ExchangeSession>;
}

export interface ExchangeEvents {
  /** The connection or its channel ended, also by `close`. Called once. Publications without an answer are in doubt. */
  closed(reason: string): void;
  /** RabbitMQ's connection.blocked and unblocked: publications wait meanwhile. */
  blocked(isBlocked: boolean): void;
}

export interface ExchangeSession {
  /** Declares a durable exchange. Rejects with `ExchangeRefused` where one exists with other arguments. */
  declareExchange(name: string, type: 'direct' | 'fanout' | 'topic' | 'headers'): Promise<void>;
  /** Declares a durable queue. Rejects with `ExchangeRefused` where one exists with other arguments. */
  declareQueue(name: string, options: QueueOptions): Promise<void>;
  /** Whether there is a queue of that name. Rejects with `ExchangeRefused` where nobody else may look at it. */
  hasQueue(name: string): Promise<boolean>;
  bind(queue: string, exchange: string, routingKey: string): Promise<void>;
  unbind(queue: string, exchange: string, routingKey: string): Promise<void>;
  deleteQueue(name: string): Promise<void>;
  /**
   * Publishes a persistent message and resolves with the broker's word on it. Rejects with `ExchangeLost` when the
   * connection ends first: the message is then in doubt and must be sent again with the same id. Rejects with
   * `ExchangeRefused` where it does not fit the wire (a routing key of more than 255 bytes).
   * `unroutable`: confirmed, but no queue took it.
   */
  publish(message: ExchangeMessage): Promise<'confirmed' | 'unroutable' | 'refused'>;
  /** Resolves once everything written is out and the connection closed. */
  close(): Promise<void>;
}

export interface QueueOptions {
  readonly messageTtlMs: number;
  /** `quorum`: replicated over the nodes of a RabbitMQ cluster. Absent: what the broker makes by itself. */
  readonly type?: QueueType;
}

export type QueueType = 'classic' | 'quorum';

export interface ExchangeMessage {
  readonly exchange: string;
  readonly routingKey: string;
  readonly body: Uint8Array;
  readonly messageId: string;
  readonly type: string;
  /** Seconds since 1970 (AMQP's timestamp). */
  readonly timestampS: number;
  readonly contentType: string;
  readonly headers: Readonly<Record<string, string>>;
}

export class ExchangeRefused extends Error {
  override readonly name = 'ExchangeRefused';
}

export class ExchangeLost extends Error {
  override readonly name = 'ExchangeLost';
}
