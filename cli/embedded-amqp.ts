import type { SubscriptionStore } from '../backend/store/subscription-store.ts';
import { openAmqpBroker } from '../brokers/amqp/broker.ts';
import { openLocalAuthority } from '../brokers/tls/local-authority.ts';
import type { Log } from '../world/log.ts';
import type { World } from '../world/world.ts';
import type { AmqpPlace } from './amqp-place.ts';
import type { DataDirectory } from './data-directory.ts';
import { asQueueAccounts, embeddedAccounts } from './embedded-accounts.ts';
import { listenOn } from './port.ts';
import { DEFAULT_PORTS, noteMoved, type StationOptions } from './station-options.ts';
import { withAccount } from './users-terms.ts';

const HOST = '127.0.0.1';
const BACKEND_USER = 'backend';

/**
 * Starts the embedded AMQP broker at two addresses, one of them with a certificate by the data directory's authority.
 * Rejects with a `Failure` where a port that the user gave is taken, with `AuthorityUnusable` or `ShelfUnusable` where a
 * file cannot be used; nothing is left open then.
 */
export async function startEmbeddedAmqp(parts: {
  readonly options: Pick<StationOptions, 'amqpPort' | 'amqpsPort' | 'amqpOwner'>;
  readonly directory: Pick<DataDirectory, 'amqpPath' | 'tlsPath' | 'identity'>;
  readonly users: Pick<SubscriptionStore, 'userOf'>;
  readonly seal: Pick<World['seal'], 'verifySecret' | 'digest'>;
  readonly nowMs: number;
  readonly log: Log;
  readonly notices: string[];
}): Promise<AmqpPlace> {
  const { options, directory, users, seal, log, notices } = parts;
  const tls = await openLocalAuthority(directory.tlsPath, parts.nowMs);
  const backend = {
    username: BACKEND_USER,
    password: seal.digest(`${directory.identity.mqtt_password}/amqp`),
  };
  const accounts = embeddedAccounts({
    backend,
    ...(options.amqpOwner === undefined ? {} : { owner: accountOf(options.amqpOwner) }),
    users,
    seal,
    dismiss: (username) => broker.dismiss(username),
  });
  const { authenticate, permits } = accounts;
  const broker = openAmqpBroker({ path: directory.amqpPath, authenticate, permits, log });
  try {
    const plain = await listenOn(
      {
        port: options.amqpPort ?? DEFAULT_PORTS.amqp,
        isGiven: options.amqpPort !== undefined,
        option: '--amqp-port',
      },
      (port) => broker.listen({ host: HOST, port }),
    );
    noteMoved(notices, 'AMQP', DEFAULT_PORTS.amqp, plain.server.port, options.amqpPort);
    const secure = await listenOn(
      {
        port: options.amqpsPort ?? DEFAULT_PORTS.amqps,
        isGiven: options.amqpsPort !== undefined,
        option: '--amqps-port',
      },
      (port) => broker.listen({ host: HOST, port, tls: { cert: tls.cert, key: tls.key } }),
    );
    noteMoved(notices, 'AMQP with TLS', DEFAULT_PORTS.amqps, secure.server.port, options.amqpsPort);
    // By its name: not every client compares a certificate with an address.
    const { port } = secure.server;
    return {
      url: withAccount(plain.server.url, backend),
      ca: undefined,
      queueType: undefined,
      accounts: asQueueAccounts(accounts, { host: 'localhost', port, virtualHost: '/' }),
      addresses: { plain: plain.server.url, tls: `amqps://localhost:${port}`, caPath: tls.caPath },
      close: () => broker.close(),
    };
  } catch (error) {
    await broker.close();
    throw error;
  }
}

/** `user:password`, of which the password may have colons. */
function accountOf(text: string): { readonly username: string; readonly password: string } {
  const at = text.indexOf(':');
  return { username: text.slice(0, at), password: text.slice(at + 1) };
}
