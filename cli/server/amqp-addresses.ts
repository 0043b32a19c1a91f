import type { QueueAccounts } from '../../backend/events/accounts.ts';

/** A broker for messages: the embedded one, or one of the user's. */
export interface AmqpEndpoint {
  /** What the service itself publishes with. */
  readonly url: string | readonly string[];
  /** The certificate authority of amqps, in PEM; undefined: those that Node knows. */
  readonly ca: string | undefined;
  readonly queueType: 'classic' | 'quorum' | undefined;
  /** Who may read queues there. Undefined: nobody can be given an account, so nothing can be subscribed to. */
  readonly accounts: QueueAccounts | undefined;
  /** For people: without passwords. */
  readonly addresses: AmqpAddresses;
  close(): Promise<void>;
}

export interface AmqpAddresses {
  /** `amqp://127.0.0.1:5672`. Null where the broker is entered by TLS alone. */
  readonly plain: string | null;
  /** `amqps://localhost:5671` */
  readonly tls: string | null;
  /** The file with the certificate authority that `tls` is checked by; null where everybody knows it. */
  readonly caPath: string | null;
}
