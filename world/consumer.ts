/** A connection to an AMQP 0-9-1 broker as a reader of queues needs it. One `open` is one connection; it never reconnects. */
export interface Consumer {
  /** Rejects with `ConsumerRefused` where the broker refuses or cannot be reached within `connectTimeoutMs`. */
  open(options: { readonly connectTimeoutMs: number }, events: ConsumerEvents): Promise<ConsumerSession>;
}

export interface ConsumerEvents {
  /** The session ended, also by `close`, and also where the broker took a queue away. Called once. */
  closed(reason: string): void;
}

export interface ConsumerSession {
  /**
   * Begins to read a queue; of what it hands over at most `prefetch` messages are unacknowledged at a time, for each
   * queue. Rejects with `ConsumerRefused` where the queue is not there or may not be read: the session is over then.
   */
  consume(
    queue: string,
    options: { readonly prefetch: number },
    take: (delivery: Delivery) => void,
  ): Promise<void>;
  /** The message is done with. What is not acknowledged when the session ends comes again, as redelivered. */
  ack(delivery: Delivery): void;
  /** Resolves once the acknowledgements are out and the connection is closed. */
  close(): Promise<void>;
}

export interface Delivery {
  readonly queue: string;
  readonly exchange: string;
  readonly routingKey: string;
  /** It was handed to somebody before, who did not acknowledge it. */
  readonly redelivered: boolean;
  readonly properties: DeliveryProperties;
  /** Values as the sender wrote them: strings, numbers, truth, lists, tables. */
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: Uint8Array;
}

/** What the sender gave of AMQP's properties. */
export interface DeliveryProperties {
  readonly messageId?: string;
  readonly type?: string;
  /** Seconds since 1970. */
  readonly timestampS?: number;
  readonly contentType?: string;
  /** 2: persistent. */
  readonly deliveryMode?: number;
}

/**
 * - unreachable: nobody answers, or not as a broker; asking again later may help.
 * - account: user, password or virtual host are not taken.
 * - certificate: it is not by an authority that is known here, or not for that host.
 * - queue: it is not there, or this account may not read it.
 */
export type ConsumerRefusal = 'unreachable' | 'account' | 'certificate' | 'queue';

export class ConsumerRefused extends Error {
  override readonly name = 'ConsumerRefused';
  readonly kind: ConsumerRefusal;

  constructor(kind: ConsumerRefusal, message: string, options?: ErrorOptions) {
    super(message, options);
    this.kind = kind;
  }
}
