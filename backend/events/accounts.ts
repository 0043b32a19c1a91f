/**
 * The users who may read queues at the message broker. Implemented by the embedded broker's own accounts, by
 * RabbitMQ's management interface, or by one account from the settings that all consumers share.
 */
export interface QueueAccounts {
  /** The broker's address for consumers, as a subscription returns it. */
  readonly address: QueueAddress;
  /**
   * `own`: each subscription has its own user. `shared`: all get the same account, which is not created here.
   */
  readonly kind: 'own' | 'shared';
  /**
   * Creates or renews a user that may only read these queues. Resolves once a consumer can sign in. Rejects
   * with `AccountsUnreachable` if the broker's administration does not answer; a retry is then right.
   */
  grant(account: QueueAccount): Promise<void>;
  /** Deletes the user and ends its connections. An unknown user is not an error. */
  revoke(username: string): Promise<void>;
  /**
   * Checks that the administration answers and has the rights that it needs: rejects with
   * `AccountsUnreachable` if not. Absent: it is always reachable.
   */
  check?(): Promise<void>;
  /** The shared account; undefined if each subscription has its own. */
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
  /** It answered that name or password are wrong, or a right is missing: a retry does not help. */
  readonly isRefused: boolean;

  constructor(message: string, options: ErrorOptions & { readonly isRefused?: boolean } = {}) {
    super(message, options);
    this.isRefused = options.isRefused === true;
  }
}

/** One account from the settings for all consumers; its rights are set up at the broker. */
export function sharedAccounts(
  address: QueueAddress,
  account: { readonly username: string; readonly password: string },
): QueueAccounts {
  return {
    address,
    kind: 'shared',
    grant: () => Promise.resolve(),
    revoke: () => Promise.resolve(),
    shared: () => account,
  };
}
