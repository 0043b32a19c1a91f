import type { QueueAccounts, QueueAddress } from '../../backend/events/accounts.ts';
import type { SubscriptionStore } from '../../backend/store/port/subscription-store.ts';
import type { AmqpBrokerOptions } from '../../brokers/amqp/broker.ts';
import {
  NO_NAME,
  type PermissionPatterns,
  permitsByPatterns,
} from '../../brokers/amqp/permission-patterns.ts';
import { areSecretsEqual } from '../../world/crypto/equal-secrets.ts';
import type { World } from '../../world/world.ts';

/** Who may sign in at the embedded AMQP broker, and with which rights, as `openAmqpBroker` expects it. */
export type BrokerAccounts = Pick<AmqpBrokerOptions, 'authenticate' | 'comparesFast' | 'permits'>;

/** A name with its password. */
export interface Account {
  readonly username: string;
  readonly password: string;
}

/** `user:password`; the password may contain colons. */
export function accountIn(text: string): Account {
  const at = text.indexOf(':');
  return { username: text.slice(0, at), password: text.slice(at + 1) };
}

/** The same accounts, and further ones with every right, which come first; of two with one name the first counts. */
export function withFullAccess(accounts: BrokerAccounts, owners: readonly Account[]): BrokerAccounts {
  const ownerOf = (name: string) => owners.find(({ username }) => username === name);
  return {
    async authenticate(username, password) {
      const owner = ownerOf(username);
      return owner === undefined
        ? accounts.authenticate(username, password)
        : areSecretsEqual(password, owner.password);
    },
    comparesFast: (username) => ownerOf(username) !== undefined || accounts.comparesFast(username),
    permits: (username, operation, name) =>
      ownerOf(username) !== undefined || accounts.permits(username, operation, name),
  };
}

/** The users of subscriptions, in the store: each may read its queues, and nothing else. */
export interface SubscriptionAccounts extends BrokerAccounts, Omit<QueueAccounts, 'address'> {}

/** `dismiss` ends the connections of a user. */
export function subscriptionAccounts({
  users,
  crypto,
  dismiss,
}: {
  readonly users: Pick<SubscriptionStore, 'userOf'>;
  readonly crypto: Pick<World['crypto'], 'verifySecret'>;
  dismiss(username: string): void;
}): SubscriptionAccounts {
  /** Of the users who have signed in: rights are checked at every method, and the store answers later. */
  const rights = new Map<string, PermissionPatterns>();
  return {
    kind: 'own',
    async authenticate(username, password) {
      const user = await users.userOf(username);
      if (user === undefined || !(await crypto.verifySecret(password, user.secretHash))) return false;
      // The comparison takes a while: an account that was revoked meanwhile stays revoked.
      const now = await users.userOf(username);
      if (now === undefined) return false;
      rights.set(username, readingOnly(now.queues));
      return true;
    },
    // Their hashes are slow.
    comparesFast: () => false,
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

/** The same in the backend's form, with the address that a subscription hands out. */
export function asQueueAccounts(accounts: SubscriptionAccounts, address: QueueAddress): QueueAccounts {
  const { kind, grant, revoke, shared } = accounts;
  return { address, kind, grant, revoke, shared };
}
