/**
 * A connection to an AMQP 0-9-1 broker for reading queues. One `open` is one connection; it never reconnects.
 */
export interface AmqpConsumer {
  /**
   * Rejects with `AmqpConsumerRefused` if the broker refuses or cannot be reached within `connectTimeoutMs`.
   */
  open(
    options: { readonly connectTimeoutMs: number },
    events: AmqpConsumerEvents,
  ): Promise<AmqpConsumerSession>;
}

export interface AmqpConsumerEvents {
  /** The session ended, including by `close` and by the deletion of a queue. Called once. */
  closed(reason: string): void;
}

export interface AmqpConsumerSession {
  /**
   * Begins to read a queue. At most `prefetch` messages of each queue are unacknowledged at a time. Rejects
   * with `AmqpConsumerRefused` if the queue does not exist or may not be read; that ends the session.
   */
  consume(
    queue: string,
    options: { readonly prefetch: number },
    take: (delivery: AmqpDelivery) => void,
  ): Promise<void>;
  /**
   * Acknowledges a message. Messages that are unacknowledged when the session ends are delivered again, as
   * redelivered.
   */
  ack(delivery: AmqpDelivery): void;
  /** Resolves once the acknowledgements are sent and the connection is closed. */
  close(): Promise<void>;
}

export interface AmqpDelivery {
  readonly queue: string;
  readonly exchange: string;
  readonly routingKey: string;
  /** It was delivered before and not acknowledged. */
  readonly redelivered: boolean;
  readonly properties: AmqpDeliveryProperties;
  /** Values as the sender wrote them: strings, numbers, booleans, lists, tables. */
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: Uint8Array;
}

/** The AMQP properties that the sender set. */
export interface AmqpDeliveryProperties {
  readonly messageId?: string;
  readonly type?: string;
  /** Seconds since 1970. */
  readonly timestampS?: number;
  readonly contentType?: string;
  /** 2: persistent. */
  readonly deliveryMode?: number;
}

/**
 * - unreachable: no answer, or an answer that is not AMQP; trying again later may help.
 * - account: user, password or virtual host are refused.
 * - certificate: its authority is not trusted here, or it is not for that host.
 * - queue: it does not exist, or this account may not read it.
 */
export type AmqpConsumerRefusal = 'unreachable' | 'account' | 'certificate' | 'queue';

export class AmqpConsumerRefused extends Error {
  override readonly name = 'ConsumerRefused';
  readonly kind: AmqpConsumerRefusal;

  constructor(kind: AmqpConsumerRefusal, message: string, options?: ErrorOptions) {
    super(message, options);
    this.kind = kind;
  }
}
