import type { QueueAccounts, QueueAddress } from '../../backend/events/accounts.ts';
import type { SubscriptionStore } from '../../backend/store/port/subscription-store.ts';
import {
  EVERY_NAME,
  NO_NAME,
  type PermissionPatterns,
  permitsByPatterns,
} from '../../brokers/amqp/permission-patterns.ts';
import { areSecretsEqual } from '../../brokers/mqtt/sign-in.ts';
import type { World } from '../../world/world.ts';

/**
 * The accounts of the embedded AMQP broker: the service's own, and the users of subscriptions as the store has them.
 */
export interface EmbeddedAccounts extends Omit<QueueAccounts, 'address'> {
  authenticate(username: string, password: string): Promise<boolean>;
  readonly permits: ReturnType<typeof permitsByPatterns>;
}

const ALL: PermissionPatterns = { configure: EVERY_NAME, write: EVERY_NAME, read: EVERY_NAME };

export interface EmbeddedAccountsParts {
  /** The service itself, which may do everything. */
  readonly backend: { readonly username: string; readonly password: string };
  /** The user's own account, which may do everything too: whoever starts the broker owns it. */
  readonly owner?: { readonly username: string; readonly password: string };
  readonly users: Pick<SubscriptionStore, 'userOf'>;
  readonly crypto: Pick<World['crypto'], 'verifySecret'>;
  /** Ends the connections of a user. */
  dismiss(username: string): void;
}

/** Who may sign in, and what for: a subscription's user reads its queues and nothing else. */
export function embeddedAccounts({
  backend,
  owner,
  users,
  crypto,
  dismiss,
}: EmbeddedAccountsParts): EmbeddedAccounts {
  /** Of those who have signed in: rights are asked at every method, and the store answers later. */
  const rights = new Map<string, PermissionPatterns>([[backend.username, ALL]]);
  // The service's own name stays the service's.
  const isOwner = (username: string) => username === owner?.username && username !== backend.username;
  if (owner !== undefined) rights.set(owner.username, ALL);
  return {
    kind: 'own',
    async authenticate(username, password) {
      if (username === backend.username) return areSecretsEqual(password, backend.password);
      if (isOwner(username)) return areSecretsEqual(password, owner?.password ?? '');
      const user = await users.userOf(username);
      if (user === undefined || !(await crypto.verifySecret(password, user.secretHash))) return false;
      // The comparison takes a while: what was revoked meanwhile stays so.
      const now = await users.userOf(username);
      if (now === undefined) return false;
      rights.set(username, readingOnly(now.queues));
      return true;
    },
    permits: permitsByPatterns((username) => rights.get(username)),
    async grant({ username, queues }) {
      if (rights.has(username)) rights.set(username, readingOnly(queues));
    },
    async revoke(username) {
      rights.delete(username);
      dismiss(username);
    },
    shared: () => undefined,
  };
}

function readingOnly(queues: readonly string[]): PermissionPatterns {
  const names = queues.map((name) => name.replace(/[^A-Za-z0-9_-]/g, '\\$&'));
  const read = names.length === 0 ? NO_NAME : new RegExp(`^(?:${names.join('|')})$`);
  return { configure: NO_NAME, write: NO_NAME, read };
}

/** The same as the backend knows it, with the address that a subscription hands out. */
export function asQueueAccounts(accounts: EmbeddedAccounts, address: QueueAddress): QueueAccounts {
  const { kind, grant, revoke, shared } = accounts;
  return { address, kind, grant, revoke, shared };
}
