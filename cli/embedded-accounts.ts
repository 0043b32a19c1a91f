import type { QueueAccounts, QueueAddress } from '../backend/events/accounts.ts';
import type { SubscriptionStore } from '../backend/store/subscription-store.ts';
import { EVERYTHING, NOTHING, type Patterns, permitsByPatterns } from '../brokers/amqp/patterns.ts';
import { areEqual } from '../brokers/mqtt/sign-in.ts';
import type { World } from '../world/world.ts';

/** The accounts of the embedded AMQP broker: the service's own, and the users of subscriptions as the store has them. */
export interface EmbeddedAccounts extends Omit<QueueAccounts, 'address'> {
  authenticate(username: string, password: string): Promise<boolean>;
  readonly permits: ReturnType<typeof permitsByPatterns>;
}

const ALL: Patterns = { configure: EVERYTHING, write: EVERYTHING, read: EVERYTHING };

export interface EmbeddedAccountsParts {
  /** The service itself, which may do everything. */
  readonly backend: { readonly username: string; readonly password: string };
  /** The user's own account, which may do everything too: whoever starts the broker owns it. */
  readonly owner?: { readonly username: string; readonly password: string };
  readonly users: Pick<SubscriptionStore, 'userOf'>;
  readonly seal: Pick<World['seal'], 'verifySecret'>;
  /** Ends the connections of a user. */
  dismiss(username: string): void;
}

/** Who may sign in, and what for: a subscription's user reads its queues and nothing else. */
export function embeddedAccounts({
  backend,
  owner,
  users,
  seal,
  dismiss,
}: EmbeddedAccountsParts): EmbeddedAccounts {
  /** Of those who have signed in: rights are asked at every method, and the store answers later. */
  const rights = new Map<string, Patterns>([[backend.username, ALL]]);
  // The service's own name stays the service's.
  const isOwner = (username: string) => username === owner?.username && username !== backend.username;
  if (owner !== undefined) rights.set(owner.username, ALL);
  return {
    kind: 'own',
    async authenticate(username, password) {
      if (username === backend.username) return areEqual(password, backend.password);
      if (isOwner(username)) return areEqual(password, owner?.password ?? '');
      const user = await users.userOf(username);
      if (user === undefined || !(await seal.verifySecret(password, user.secretHash))) return false;
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

function readingOnly(queues: readonly string[]): Patterns {
  const names = queues.map((name) => name.replace(/[^A-Za-z0-9_-]/g, '\\$&'));
  const read = names.length === 0 ? NOTHING : new RegExp(`^(?:${names.join('|')})$`);
  return { configure: NOTHING, write: NOTHING, read };
}

/** The same as the backend knows it, with the address that a subscription hands out. */
export function asQueueAccounts(accounts: EmbeddedAccounts, address: QueueAddress): QueueAccounts {
  const { kind, grant, revoke, shared } = accounts;
  return { address, kind, grant, revoke, shared };
}
