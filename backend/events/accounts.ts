/**
 * Who may read queues at the message broker. Fulfilled by the embedded broker's own accounts, by RabbitMQ's management
 * interface, or by one account from the settings that all consumers share.
 */
export interface QueueAccounts {
  /** Where consumers connect: what a subscription hands out. */
  readonly address: QueueAddress;
  /** `own`: each subscription has a user of its own. `shared`: all are handed the same account, which is not made here. */
  readonly kind: 'own' | 'shared';
  /**
   * Makes or renews a user that may read these queues and nothing else. Resolves once a consumer can sign in. Rejects
   * with `AccountsUnreachable` where the broker's administration does not answer; asking again is then right.
   */
  grant(account: QueueAccount): Promise<void>;
  /** Takes the user away and ends its connections. A user that is not there is no error. */
  revoke(username: string): Promise<void>;
  /**
   * Whether the administration answers and may do what it is asked: rejects with `AccountsUnreachable` where it does not.
   * Absent: it cannot be away.
   */
  check?(): Promise<void>;
  /** The account that all share; undefined with accounts of their own. */
  shared(): { readonly username: string; readonly password: string } | undefined;
}

export interface QueueAddress {
  readonly host: string;
  readonly port: number;
  readonly virtualHost: string;
}

export interface QueueAccount {
  readonly username: string;
  readonly password: string;
  readonly queues: readonly string[];
}

/** The administration of the broker could not be reached, or refused. */
export class AccountsUnreachable extends Error {
  override readonly name = 'AccountsUnreachable';
  /** It was there and knows the caller's name and password no more, or gives it no right: no waiting mends that. */
  readonly isRefused: boolean;

  constructor(message: string, options: ErrorOptions & { readonly isRefused?: boolean } = {}) {
    super(message, options);
    this.isRefused = options.isRefused === true;
  }
}
