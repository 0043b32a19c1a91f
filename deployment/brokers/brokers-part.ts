import { openManagedAccounts } from '../../brokers/amqp/management/managed-accounts.ts';
import { realCrypto } from '../../world/crypto/real-crypto.ts';
import { isLoopback } from '../../world/http/loopback.ts';
import { type LogLevel, realLog } from '../../world/log/real-log.ts';
import { realTime } from '../../world/time/real-time.ts';
import { type IdentitySecrets, secretsOf } from '../directory/identity-secrets.ts';
import { openIdentity } from '../directory/open-identity.ts';
import { reachableHost, serveHttp } from '../http/http-server.ts';
import { listenAt } from '../http/port.ts';
import { noteOpenHost } from '../http/public-address.ts';
import { readCredentials } from '../input/credentials-file.ts';
import { Disposables } from '../shared/disposables.ts';
import type { StartedPart } from '../shared/started-part.ts';
import { asUserError, withAccount } from '../shared/user-errors.ts';
import { brokerAccount, listenAmqp, openEmbeddedAmqp, ownersOf } from './embedded-amqp.ts';
import { startEmbeddedMqtt } from './embedded-mqtt.ts';

/** What the embedded brokers are started with where the service runs elsewhere. */
export interface BrokersPartOptions {
  readonly data: string;
  readonly seed: number | undefined;
  readonly host?: string | undefined;
  readonly mqttPort: number | undefined;
  readonly amqpPort: number | undefined;
  readonly amqpsPort: number | undefined;
  readonly amqpAdminPort: number | undefined;
  /** An account with every right at the AMQP broker, as `user:password`. */
  readonly amqpOwner?: string | undefined;
  /** A file with the passwords of the boxes; absent: those of the data directory. */
  readonly credentials?: string | undefined;
  readonly logLevel: LogLevel;
}

/** Where the brokers are, with the accounts of the service. */
export interface BrokersFacts {
  readonly mqttUrl: string;
  readonly amqpUrl: string;
  readonly amqpsUrl: string;
  readonly amqpCa: string;
  readonly amqpAdminUrl: string;
  readonly dataPath: string;
  readonly notices: readonly string[];
}

/** Starts the embedded MQTT broker, the AMQP broker and its management interface, without a service. */
export function startBrokersPart(options: BrokersPartOptions): StartedPart<BrokersFacts> {
  const disposables = new Disposables();
  const ready = start(options, disposables).catch(async (error: unknown) => {
    await disposables.close();
    throw asUserError(error);
  });
  return { ready, reachable: ready, figures: () => ({}), close: () => disposables.close() };
}

async function start(options: BrokersPartOptions, disposables: Disposables): Promise<BrokersFacts> {
  const notices: string[] = [];
  noteOpenHost(notices, options.host, ['brokers']);
  const directory = await openIdentity(options);
  const log = realLog(options.logLevel);
  const crypto = await realCrypto(directory.identity.signing_key);
  const secrets = secretsOf(crypto, directory.identity);
  const mqtt = await startEmbeddedMqtt({
    options,
    log,
    notices,
    password: secrets.mqttPassword,
    secretOf: boxSecrets(options, secrets),
  });
  await disposables.add(() => mqtt.close());

  const service = brokerAccount(secrets);
  const { broker, accounts: users } = await openEmbeddedAmqp({
    path: directory.amqpPath,
    owners: ownersOf(service, options.amqpOwner),
    log,
    async openAccounts(dismiss) {
      const opened = await openManagedAccounts({
        path: directory.amqpUsersPath,
        administrator: service,
        crypto,
        log,
        dismiss,
        // Other machines use names that this one does not know.
        ...(options.host === undefined || isLoopback(options.host) ? {} : { hosts: 'any' }),
      });
      await disposables.add(() => opened.close());
      return opened;
    },
  });
  await disposables.add(() => broker.close());
  const nowMs = realTime().nowMs();
  const { plainUrl, tls } = await listenAmqp(broker, { options, directory, nowMs, notices });

  const { host, amqpAdminPort } = options;
  const server = await listenAt('amqpAdmin', amqpAdminPort, notices, (port) =>
    serveHttp({ port, host }, (request, peer) => users.app.fetch(request, peer)),
  );
  await disposables.add(() => server.close());
  return {
    mqttUrl: mqtt.url,
    amqpUrl: withAccount(plainUrl, service),
    amqpsUrl: withAccount(tls.url, service),
    amqpCa: tls.caPath,
    amqpAdminUrl: withAccount(`http://${reachableHost(host)}:${server.port}`, service),
    dataPath: directory.path,
    notices,
  };
}

/** The password of a box. The brokers need no list of boxes: each password is derived from the box id. */
function boxSecrets(
  { credentials }: BrokersPartOptions,
  { boxSecret }: IdentitySecrets,
): (boxId: string) => string | undefined {
  if (credentials === undefined) return boxSecret;
  const passwords = readCredentials(credentials);
  return (boxId) => passwords.get(boxId);
}
