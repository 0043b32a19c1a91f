import type { SubscriptionStore } from '../../backend/store/port/subscription-store.ts';
import { type AmqpBroker, openAmqpBroker } from '../../brokers/amqp/broker.ts';
import { type LocalTls, openLocalAuthority } from '../../brokers/tls/local-authority.ts';
import type { Log } from '../../world/log/log.ts';
import type { World } from '../../world/world.ts';
import { withAccount } from '../shared/user-errors.ts';
import type { AmqpEndpoint } from './amqp-addresses.ts';
import type { DataDirectory } from './data-directory.ts';
import { DEFAULT_PORTS, type LocalDeploymentOptions, noteOtherPort } from './deployment-options.ts';
import { asQueueAccounts, embeddedAccounts } from './embedded-accounts.ts';
import { LOOPBACK } from './http-server.ts';
import { BACKEND_USER, secretsOf } from './identity-secrets.ts';
import { listenOn } from './port.ts';

/**
 * Starts the embedded AMQP broker at two addresses, one of them with a certificate by the data directory's authority.
 * Rejects with a `CommandError` where a port that the user gave is taken, with `AuthorityUnusable` or
 * `MessageStoreUnusable` where a file cannot be used; nothing is left open then.
 */
export async function startEmbeddedAmqp(parts: {
  readonly options: Pick<LocalDeploymentOptions, 'amqpPort' | 'amqpsPort' | 'amqpOwner' | 'host' | 'amqpTap'>;
  readonly directory: Pick<DataDirectory, 'amqpPath' | 'tlsPath' | 'identity'>;
  readonly users: Pick<SubscriptionStore, 'userOf'>;
  readonly crypto: Pick<World['crypto'], 'verifySecret' | 'digest'>;
  readonly nowMs: number;
  readonly log: Log;
  readonly notices: string[];
}): Promise<AmqpEndpoint> {
  const { options, directory, users, crypto, log, notices } = parts;
  const tls = await openLocalAuthority(directory.tlsPath, parts.nowMs);
  const backend = {
    username: BACKEND_USER,
    password: secretsOf(crypto, directory.identity).amqpPassword,
  };
  const accounts = embeddedAccounts({
    backend,
    ...(options.amqpOwner === undefined ? {} : { owner: accountIn(options.amqpOwner) }),
    users,
    crypto,
    dismiss: (username) => broker.disconnectUser(username),
  });
  const { authenticate, permits } = accounts;
  const broker = await openAmqpBroker({
    ...{ path: directory.amqpPath, authenticate, permits, log },
    tap: options.amqpTap,
  });
  try {
    const { plain, secure: port } = await listenAmqp(broker, { options, authority: tls, notices });
    // By its name: not every client compares a certificate with an address.
    return {
      url: withAccount(plain, backend),
      ca: undefined,
      queueType: undefined,
      accounts: asQueueAccounts(accounts, { host: 'localhost', port, virtualHost: '/' }),
      addresses: { plain, tls: `amqps://localhost:${port}`, caPath: tls.caPath },
      close: () => broker.close(),
    };
  } catch (error) {
    await broker.close();
    throw error;
  }
}

/**
 * Has a broker listen at two addresses, one of them with a certificate by a local authority. Resolves with the URL of
 * the plain one and the port of the other. Rejects with a `CommandError` where a port that the user gave is taken.
 */
export async function listenAmqp(
  broker: Pick<AmqpBroker, 'listen'>,
  parts: {
    readonly options: Pick<LocalDeploymentOptions, 'amqpPort' | 'amqpsPort' | 'host'>;
    readonly authority: Pick<LocalTls, 'cert' | 'key'>;
    readonly notices: string[];
  },
): Promise<{ readonly plain: string; readonly secure: number }> {
  const { options, authority, notices } = parts;
  const { amqpPort, amqpsPort, host = LOOPBACK } = options;
  const plain = await listenOn(
    { port: amqpPort ?? DEFAULT_PORTS.amqp, isGiven: amqpPort !== undefined, option: '--amqp-port' },
    (port) => broker.listen({ host, port }),
  );
  noteOtherPort(notices, 'AMQP', DEFAULT_PORTS.amqp, plain.server.port, amqpPort);
  const { cert, key } = authority;
  const secure = await listenOn(
    { port: amqpsPort ?? DEFAULT_PORTS.amqps, isGiven: amqpsPort !== undefined, option: '--amqps-port' },
    (port) => broker.listen({ host, port, tls: { cert, key } }),
  );
  noteOtherPort(notices, 'AMQP with TLS', DEFAULT_PORTS.amqps, secure.server.port, amqpsPort);
  return { plain: plain.server.url, secure: secure.server.port };
}

/** `user:password`; the password may have colons. */
export function accountIn(text: string): { readonly username: string; readonly password: string } {
  const at = text.indexOf(':');
  return { username: text.slice(0, at), password: text.slice(at + 1) };
}
