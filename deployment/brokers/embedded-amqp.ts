import type { SubscriptionStore } from '../../backend/store/port/subscription-store.ts';
import { type AmqpBroker, openAmqpBroker } from '../../brokers/amqp/broker.ts';
import type { AmqpTap } from '../../brokers/amqp/tap.ts';
import { openLocalAuthority } from '../../brokers/tls/local-authority.ts';
import type { Log } from '../../world/log/log.ts';
import type { World } from '../../world/world.ts';
import type { DataDirectory } from '../directory/data-directory.ts';
import { BACKEND_USER, type IdentitySecrets, secretsOf } from '../directory/identity-secrets.ts';
import { certifiedHost, LOOPBACK, reachableHost } from '../http/http-server.ts';
import { listenAt } from '../http/port.ts';
import type { LocalDeploymentOptions } from '../shared/deployment-options.ts';
import { readPackageFile } from '../shared/package-file.ts';
import { withAccount } from '../shared/user-errors.ts';
import type { AmqpEndpoint } from './amqp-addresses.ts';
import {
  type Account,
  accountIn,
  asQueueAccounts,
  type BrokerAccounts,
  subscriptionAccounts,
  withFullAccess,
} from './embedded-accounts.ts';

/** The embedded AMQP broker, which does not listen yet, with those who may sign in besides its owners. */
export interface EmbeddedAmqp<Accounts> {
  readonly broker: AmqpBroker;
  readonly accounts: Accounts;
}

/**
 * Opens the embedded AMQP broker. `path`: its file, or `:memory:`; `owners` have every right; `openAccounts` gives those
 * of all others, and is given what ends the connections of a user. Rejects as `openAmqpBroker` and `openAccounts` do.
 */
export async function openEmbeddedAmqp<Accounts extends BrokerAccounts>(parts: {
  readonly path: string;
  readonly owners: readonly Account[];
  openAccounts(dismiss: (username: string) => void): Accounts | Promise<Accounts>;
  readonly log: Log;
  readonly tap?: AmqpTap | undefined;
}): Promise<EmbeddedAmqp<Accounts>> {
  const { path, owners, log, tap } = parts;
  let broker: AmqpBroker | undefined;
  const accounts = await parts.openAccounts((username) => broker?.disconnectUser(username));
  const { version } = readPackageFile();
  broker = await openAmqpBroker({ ...withFullAccess(accounts, owners), path, version, log, tap });
  return { broker, accounts };
}

/** Where an embedded AMQP broker listens. */
export interface EmbeddedAmqpPlaces {
  /** Without TLS. */
  readonly plainUrl: string;
  /** With a certificate by the authority in `caPath`. */
  readonly tls: {
    readonly host: string;
    readonly port: number;
    readonly url: string;
    readonly caPath: string;
  };
}

/**
 * Makes a broker listen at two addresses, one of them with a certificate by the data directory's authority. Rejects with
 * a `CommandError` where a port that the user gave is taken, with `AuthorityUnusable` where that cannot be used.
 */
export async function listenAmqp(
  broker: Pick<AmqpBroker, 'listen'>,
  parts: {
    readonly options: Pick<LocalDeploymentOptions, 'amqpPort' | 'amqpsPort' | 'host'>;
    readonly directory: Pick<DataDirectory, 'tlsPath'>;
    readonly nowMs: number;
    readonly notices: string[];
  },
): Promise<EmbeddedAmqpPlaces> {
  const { options, directory, nowMs, notices } = parts;
  const { amqpPort, amqpsPort, host = LOOPBACK } = options;
  const certified = certifiedHost(options.host);
  const { cert, key, caPath } = await openLocalAuthority(directory.tlsPath, nowMs, certified);
  const plain = await listenAt('amqp', amqpPort, notices, (port) => broker.listen({ host, port }));
  const { port } = await listenAt('amqps', amqpsPort, notices, (wanted) =>
    broker.listen({ host, port: wanted, tls: { cert, key } }),
  );
  const url = `amqps://${reachableHost(certified)}:${port}`;
  return { plainUrl: plain.url, tls: { host: certified, port, url, caPath } };
}

/**
 * Starts the embedded AMQP broker for a service in this process. Rejects as `listenAmqp` does, and with
 * `MessageStoreUnusable` where its file cannot be used, and leaves nothing open.
 */
export async function startEmbeddedAmqp(parts: {
  readonly options: Pick<LocalDeploymentOptions, 'amqpPort' | 'amqpsPort' | 'amqpOwner' | 'host' | 'amqpTap'>;
  readonly directory: Pick<DataDirectory, 'amqpPath' | 'tlsPath' | 'identity'>;
  readonly users: Pick<SubscriptionStore, 'userOf'>;
  readonly crypto: Pick<World['crypto'], 'verifySecret' | 'deriveSecret' | 'digest'>;
  readonly nowMs: number;
  readonly log: Log;
  readonly notices: string[];
}): Promise<AmqpEndpoint> {
  const { options, directory, users, crypto, log } = parts;
  const backend = brokerAccount(secretsOf(crypto, directory.identity));
  const { broker, accounts } = await openEmbeddedAmqp({
    path: directory.amqpPath,
    owners: ownersOf(backend, options.amqpOwner),
    openAccounts: (dismiss) => subscriptionAccounts({ users, crypto, dismiss }),
    log,
    tap: options.amqpTap,
  });
  try {
    const { plainUrl, tls } = await listenAmqp(broker, parts);
    const { host, port, url, caPath } = tls;
    return {
      url: withAccount(plainUrl, backend),
      ca: undefined,
      queueType: undefined,
      accounts: asQueueAccounts(accounts, { host, port, virtualHost: '/' }),
      addresses: { plain: plainUrl, tls: url, caPath },
      close: () => broker.close(),
    };
  } catch (error) {
    await broker.close();
    throw error;
  }
}

/** The account of the service at the embedded AMQP broker. */
export function brokerAccount({ amqpPassword }: Pick<IdentitySecrets, 'amqpPassword'>): Account {
  return { username: BACKEND_USER, password: amqpPassword };
}

/** The service, whose name is reserved, and the user who starts the broker, as `user:password`. */
export function ownersOf(backend: Account, owner: string | undefined): readonly Account[] {
  return owner === undefined ? [backend] : [backend, accountIn(owner)];
}
