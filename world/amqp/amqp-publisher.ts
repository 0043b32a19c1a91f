import type { ExchangeType } from './exchange-routing.ts';
/** A connection to an AMQP 0-9-1 broker for publishing. One `open` is one connection; it never reconnects. */
export interface AmqpPublisher {
  /** Rejects with `AmqpRefused` if the broker refuses or cannot be reached within `connectTimeoutMs`. */
  open(
    options: { readonly connectTimeoutMs: number },
    events: AmqpPublisherEvents,
  ): Promise<AmqpPublisherSession>;
}

export interface AmqpPublisherEvents {
  /**
   * The connection or its channel ended, including by `close`. Called once. Whether the broker received the
   * unconfirmed publications is unknown.
   */
  closed(reason: string): void;
  /** RabbitMQ's connection.blocked and unblocked: publications wait meanwhile. */
  blocked(isBlocked: boolean): void;
}

export interface AmqpPublisherSession {
  /** Declares a durable exchange. Rejects with `AmqpRefused` if one exists with other arguments. */
  declareExchange(name: string, type: ExchangeType): Promise<void>;
  /** Declares a durable queue. Rejects with `AmqpRefused` if one exists with other arguments. */
  declareQueue(name: string, options: AmqpQueueOptions): Promise<void>;
  /**
   * Whether a queue of that name exists. Rejects with `AmqpRefused` if it is exclusive to another connection.
   */
  hasQueue(name: string): Promise<boolean>;
  bind(queue: string, exchange: string, routingKey: string): Promise<void>;
  unbind(queue: string, exchange: string, routingKey: string): Promise<void>;
  deleteQueue(name: string): Promise<void>;
  /**
   * Publishes a persistent message and resolves with the broker's outcome. Rejects with `AmqpConnectionLost`
   * if the connection ends first: the message may have arrived or not, and must be sent again with the same
   * id. Rejects with `AmqpRefused` if it cannot be encoded (a routing key of more than 255 bytes).
   * `unroutable`: confirmed, but no queue took it.
   */
  publish(message: AmqpMessage): Promise<'confirmed' | 'unroutable' | 'refused'>;
  /** Resolves once everything written is sent and the connection is closed. */
  close(): Promise<void>;
}

export interface AmqpQueueOptions {
  readonly messageTtlMs: number;
  /** `quorum`: replicated over the nodes of a RabbitMQ cluster. Absent: the broker's default. */
  readonly type?: AmqpQueueType;
}

export type AmqpQueueType = 'classic' | 'quorum';

export interface AmqpMessage {
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

export class AmqpRefused extends Error {
  override readonly name = 'ExchangeRefused';
}

export class AmqpConnectionLost extends Error {
  override readonly name = 'ExchangeLost';
}
