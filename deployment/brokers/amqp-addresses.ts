import type { QueueAccounts } from '../../backend/events/accounts.ts';

/** A message broker: the embedded one, or an external one. */
export interface AmqpEndpoint {
  /** What the service itself publishes with. */
  readonly url: string | readonly string[];
  /** The certificate authority of amqps, in PEM; undefined: those that Node knows. */
  readonly ca: string | undefined;
  readonly queueType: 'classic' | 'quorum' | undefined;
  /**
   * Creates the accounts that read queues there. Undefined: no account can be created, so there are no subscriptions.
   */
  readonly accounts: QueueAccounts | undefined;
  /** For display: without passwords. */
  readonly addresses: AmqpAddresses;
  close(): Promise<void>;
}

export interface AmqpAddresses {
  /** `amqp://127.0.0.1:5672`. Null where the broker accepts TLS only. */
  readonly plain: string | null;
  /** `amqps://localhost:5671` */
  readonly tls: string | null;
  /** The file with the certificate authority that verifies `tls`; null where the authority is publicly trusted. */
  readonly caPath: string | null;
}
