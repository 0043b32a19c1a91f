import type { Hono } from 'hono';
import type { Crypto } from '../../../world/crypto/crypto.ts';
import { areSecretsEqual } from '../../../world/crypto/equal-secrets.ts';
import { errorText } from '../../../world/error-text.ts';
import { GroupCommit } from '../../../world/group-commit/group-commit.ts';
import type { Log } from '../../../world/log/log.ts';
import { limits } from '../../limits.ts';
import { refusalLog, type WarnRefusal } from '../../refusal-log.ts';
import type { AmqpOperation, BrokerServices } from '../state.ts';
import { type Administrator, type ManagementEnv, managementApp } from './app.ts';
import { compilePermissions, decisionsOf } from './permissions.ts';
import {
  type ChangeOutcome,
  isUserName,
  type ManagedUser,
  NAME_RULE,
  type UserChange,
  UserTable,
} from './users.ts';
import { readUsers, writeUsers } from './users-file.ts';

export interface ManagedAccountsOptions {
  /** The file of users, in a folder of one broker: a second process on it would overwrite its changes. */
  readonly path: string;
  /** Has every right, at the broker and by the interface. It is not in the file. */
  readonly administrator: Administrator;
  readonly crypto: Pick<Crypto, 'hashSecret' | 'verifySecret'>;
  readonly log: Log;
  /** Ends the connections of a user. */
  dismiss(username: string): void;
  /**
   * Host names besides those of this machine's loopback under which the interface may be called; `any`: by all names.
   */
  readonly hosts?: readonly string[] | 'any';
}

/** The accounts of an embedded AMQP broker that has its own users. */
export interface ManagedAccounts {
  /** As `openAmqpBroker` expects the three. */
  authenticate(username: string, password: string): Promise<boolean>;
  comparesFast(username: string): boolean;
  readonly permits: BrokerServices['permits'];
  /** The part of RabbitMQ's management interface that creates users. */
  readonly app: Hono<ManagementEnv>;
  /** Resolves once all received changes are written. To be called when the interface accepts no more. */
  close(): Promise<void>;
}

/**
 * Reads the users of a file and keeps them there. Rejects with `UsersFileUnusable` if the broker did not write it or it
 * is damaged, with a TypeError if the administrator has no possible name or no password.
 */
export async function openManagedAccounts(options: ManagedAccountsOptions): Promise<ManagedAccounts> {
  const { administrator } = options;
  if (!isUserName(administrator.username) || administrator.password === '')
    throw new TypeError(`The administrator needs a password, and a name of ${NAME_RULE}.`);
  const { crypto, log } = options;
  const warn = refusalLog(log, () => performance.now());
  const users = new ManagedUsers(options, await readUsers(options.path), warn);
  return {
    async authenticate(username, password) {
      if (username === administrator.username) return areSecretsEqual(password, administrator.password);
      const secretHash = users.get(username)?.secretHash;
      if (secretHash === undefined || !(await crypto.verifySecret(password, secretHash))) return false;
      // The comparison takes a while: a user that was deleted meanwhile, or has another password, is refused.
      return users.get(username)?.secretHash === secretHash;
    },
    comparesFast: (username) => username === administrator.username,
    permits: (username, operation, name) =>
      username === administrator.username || users.permits(username, operation, name),
    app: managementApp({
      nowMs: () => performance.now(),
      administrator,
      hosts: options.hosts ?? [],
      userOf: (name) => users.get(name),
      hashSecret: (secret) => crypto.hashSecret(secret),
      change: (change) => users.change(change),
      refused: (username) => warn(username, 'name or password', 'A call of the AMQP management was refused.'),
      failed: (error) => log.error({ reason: errorText(error) }, 'A call of the AMQP management failed.'),
    }),
    close: () => users.idle(),
  };
}

/** The users in memory, which equal those in the file. */
class ManagedUsers {
  readonly #options: Pick<ManagedAccountsOptions, 'path' | 'dismiss'>;
  readonly #warn: WarnRefusal;
  readonly #changes: GroupCommit<UserChange, ChangeOutcome>;
  readonly #decisions = new WeakMap<ManagedUser, ReturnType<typeof decisionsOf>>();
  #table: UserTable;

  constructor(
    options: Pick<ManagedAccountsOptions, 'path' | 'dismiss'>,
    table: UserTable,
    warn: WarnRefusal,
  ) {
    this.#options = options;
    this.#warn = warn;
    this.#table = table;
    this.#changes = new GroupCommit((changes) => this.#carryOut(changes), limits.users.groupChanges);
  }

  get(name: string): ManagedUser | undefined {
    return this.#table.get(name);
  }

  /** Resolves once the change is in the file and in force. */
  change(change: UserChange): Promise<ChangeOutcome> {
    return this.#changes.add(change);
  }

  idle(): Promise<void> {
    return this.#changes.idle();
  }

  permits(username: string, operation: AmqpOperation, name: string): boolean {
    const user = this.get(username);
    if (user?.permissions === undefined) return false;
    const known = this.#decisions.get(user);
    if (known !== undefined) return known(operation, name);
    const compiled = compilePermissions(user.permissions);
    if (!compiled.ok) return false;
    const decisions = decisionsOf(compiled.patterns, (slow) =>
      this.#warn(username, `${slow} takes too long to match`, 'A permission of an AMQP user is too complex.'),
    );
    this.#decisions.set(user, decisions);
    return decisions(operation, name);
  }

  /** One write for all. If it fails none of them is in force, and all are refused. */
  async #carryOut(changes: readonly UserChange[]): Promise<readonly ChangeOutcome[]> {
    const next = new UserTable(this.#table);
    const outcomes = changes.map((change) => next.apply(change));
    if (outcomes.some((outcome) => outcome !== 'unknown' && outcome !== 'full'))
      await writeUsers(this.#options.path, next);
    this.#table = next;
    for (const [index, change] of changes.entries())
      if (change.kind === 'delete-user' && outcomes[index] === 'deleted') this.#options.dismiss(change.name);
    return outcomes;
  }
}
