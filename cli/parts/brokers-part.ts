import { type AmqpBroker, openAmqpBroker } from '../../brokers/amqp/broker.ts';
import { type ManagedAccounts, openManagedAccounts } from '../../brokers/amqp/management/managed-accounts.ts';
import type { permitsByPatterns } from '../../brokers/amqp/permission-patterns.ts';
import { areSecretsEqual } from '../../brokers/mqtt/sign-in.ts';
import { openLocalAuthority } from '../../brokers/tls/local-authority.ts';
import { realCrypto } from '../../world/crypto/real-crypto.ts';
import { type LogLevel, realLog } from '../../world/log/real-log.ts';
import { realTime } from '../../world/time/real-time.ts';
import type { DataDirectory } from '../server/data-directory.ts';
import { DEFAULT_PORTS, noteOpenHost, noteOtherPort } from '../server/deployment-options.ts';
import { accountIn, listenAmqp } from '../server/embedded-amqp.ts';
import { startEmbeddedMqtt } from '../server/embedded-mqtt.ts';
import { isLoopback, reachableHost, serveHttp } from '../server/http-server.ts';
import { BACKEND_USER, type IdentitySecrets, secretsOf } from '../server/identity-secrets.ts';
import { openIdentity } from '../server/open-identity.ts';
import { listenOn } from '../server/port.ts';
import { Disposables } from '../shared/disposables.ts';
import { asUserError, withAccount } from '../shared/user-errors.ts';
import { readCredentials } from './credentials-file.ts';
import type { StartedPart } from './run-part.ts';

/** What the embedded brokers are started with where the service is elsewhere. */
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
    ...{ options, log, notices },
    password: secrets.mqttPassword,
    secretOf: boxSecrets(options, secrets),
  });
  await disposables.add(() => mqtt.close());

  const service = { username: BACKEND_USER, password: secrets.amqpPassword };
  let dismiss: (username: string) => void = () => undefined;
  const users = await openManagedAccounts({
    ...{ path: directory.amqpUsersPath, administrator: service, crypto, log },
    dismiss: (username) => dismiss(username),
    // Other machines call by names that this one does not know.
    ...(options.host === undefined || isLoopback(options.host) ? {} : { hosts: 'any' }),
  });
  await disposables.add(() => users.close());
  const broker = await openAmqpBroker({
    path: directory.amqpPath,
    log,
    ...withOwner(users, options.amqpOwner),
  });
  dismiss = (username) => broker.disconnectUser(username);
  await disposables.add(() => broker.close());
  const { plain, tls } = await listen(options, directory, broker, notices);

  const { host, amqpAdminPort } = options;
  const { server } = await listenOn(
    {
      port: amqpAdminPort ?? DEFAULT_PORTS.amqpAdmin,
      isGiven: amqpAdminPort !== undefined,
      option: '--amqp-admin-port',
    },
    (port) => serveHttp({ port, host }, (request) => users.app.fetch(request)),
  );
  await disposables.add(() => server.close());
  noteOtherPort(notices, 'the management of AMQP', DEFAULT_PORTS.amqpAdmin, server.port, amqpAdminPort);
  return {
    mqttUrl: mqtt.url,
    amqpUrl: withAccount(plain, service),
    amqpsUrl: withAccount(tls.url, service),
    amqpCa: tls.caPath,
    amqpAdminUrl: withAccount(`http://${reachableHost(host)}:${server.port}`, service),
    dataPath: directory.path,
    notices,
  };
}

/** Which password a box has. The brokers need no list of boxes: each password follows from the box id. */
function boxSecrets(
  { credentials }: BrokersPartOptions,
  { boxSecret }: IdentitySecrets,
): (boxId: string) => string | undefined {
  if (credentials === undefined) return boxSecret;
  const passwords = readCredentials(credentials);
  return (boxId) => passwords.get(boxId);
}

/** The users of the file, and the owner of the broker, who may do everything. */
function withOwner(users: ManagedAccounts, owner: string | undefined) {
  const account = owner === undefined ? undefined : accountIn(owner);
  // The service's own name stays the service's.
  if (account === undefined || account.username === BACKEND_USER)
    return {
      authenticate: (name: string, password: string) => users.authenticate(name, password),
      permits: users.permits,
    };
  const isOwner = (name: string) => name === account.username;
  const permits: ReturnType<typeof permitsByPatterns> = (name, operation, entity) =>
    isOwner(name) || users.permits(name, operation, entity);
  return {
    permits,
    authenticate: async (name: string, password: string) =>
      isOwner(name) ? areSecretsEqual(password, account.password) : users.authenticate(name, password),
  };
}

async function listen(
  options: BrokersPartOptions,
  directory: Pick<DataDirectory, 'tlsPath'>,
  broker: AmqpBroker,
  notices: string[],
) {
  const authority = await openLocalAuthority(directory.tlsPath, realTime().nowMs());
  const { plain, secure } = await listenAmqp(broker, { options, authority, notices });
  return { plain, tls: { url: `amqps://localhost:${secure}`, caPath: authority.caPath } };
}
