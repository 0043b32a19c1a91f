import type { SimProviderName } from '../../simulator/box-plan.ts';
import { isLoopback } from '../../world/http/loopback.ts';
import type { World } from '../../world/world.ts';
import type { Identity } from './data-directory.ts';

/** The account of the service at embedded brokers. */
export const BACKEND_USER = 'backend';

/** The client id of the service at the MQTT broker: its own, or the prefix of its sessions' client ids. */
export function serviceClientId(identity: Pick<Identity, 'fleet_id'>): string {
  return `backend-${identity.fleet_id}`;
}

/** Digits of a password that a person may have to type. */
const USER_DIGITS = 20;
/** Digits of a password that a program receives in a URL. */
const CONSUMER_DIGITS = 32;

/**
 * The secrets between the parts of a deployment. All of them are derived from its boxtwin.json, so that parts that
 * share that file fit together, in one process or in several
 * (docs/decisions/0062-the-root-secret-stays-in-its-file.md).
 */
export interface IdentitySecrets {
  /** Of the service at the MQTT broker. */
  readonly mqttPassword: string;
  /** Of the service at the embedded AMQP broker. */
  readonly amqpPassword: string;
  /** Of the person who signs in to the demo fleet. */
  readonly userPassword: string;
  /** Of the consumer who reads the messages of the demo fleet. */
  readonly consumerPassword: string;
  /** Of the console at the API. */
  readonly consoleSecret: string;
  /** Of clients that use the simulator's control API from another machine. */
  readonly simulatorPassword: string;
  /** Of a box at the MQTT broker. */
  boxSecret(boxId: string): string;
  /** Of the service at a SIM provider, and at a vehicle maker. */
  simKey(provider: SimProviderName): string;
  makerKey(maker: string): string;
}

/** The key from which secrets are derived. A file of format 1 has no root secret. */
type SecretSource = Pick<Identity, 'mqtt_password'> & { readonly root_secret?: string };

/** The secrets of a data directory. */
export function secretsOf(
  crypto: Pick<World['crypto'], 'deriveSecret' | 'digest'>,
  identity: SecretSource,
): IdentitySecrets {
  const derived = derivation(crypto, identity);
  return {
    mqttPassword: identity.mqtt_password,
    amqpPassword: derived('amqp'),
    userPassword: derived('user').slice(0, USER_DIGITS),
    consumerPassword: derived('messages').slice(0, CONSUMER_DIGITS),
    consoleSecret: derived('console').slice(0, CONSUMER_DIGITS),
    simulatorPassword: derived('simulator').slice(0, USER_DIGITS),
    boxSecret: derived,
    simKey: (provider) => derived(`sim/${provider}`),
    makerKey: (maker) => derived(`maker/${maker}`),
  };
}

/**
 * The secret for a purpose. The root secret is never sent. A directory of format 1 keeps its secrets, which boxes and
 * clients know and databases hold as hashes: they are derived from its MQTT password.
 */
function derivation(
  crypto: Pick<World['crypto'], 'deriveSecret' | 'digest'>,
  { root_secret: root, mqtt_password: mqttPassword }: SecretSource,
): (purpose: string) => string {
  if (root === undefined) return (purpose) => crypto.digest(`${mqttPassword}/${purpose}`);
  return (purpose) => crypto.deriveSecret(root, purpose);
}

/**
 * Warns where a broker on another machine receives the MQTT password from which the other secrets of this directory are
 * derived. With an account in the URL, or a root secret, it learns nothing about them.
 */
export function noteRevealedSecrets(notices: string[], mqttUrl: string, identity: SecretSource): void {
  const [node = ''] = mqttUrl.split(',');
  if (identity.root_secret !== undefined || !URL.canParse(node)) return;
  const { hostname, username } = new URL(node);
  if (username !== '' || isLoopback(hostname.replace(/^\[|\]$/g, ''))) return;
  notices.push(
    `the MQTT broker ${hostname} receives the password from which all other secrets of this data directory follow (an older version made it): ` +
      'give it an account of its own with --mqtt mqtt://user:password@host, or start over with another --data',
  );
}

/** The account of the service at that broker: that of the URL, or its own with the data directory's password. */
export function serviceAccount(
  url: string,
  password: string,
): { readonly username: string; readonly password: string } {
  // All nodes of a cluster know the same accounts.
  const [node = ''] = url.split(',');
  const given = URL.canParse(node) ? new URL(node) : undefined;
  if (given === undefined || given.username === '') return { username: BACKEND_USER, password };
  return { username: decoded(given.username), password: decoded(given.password) };
}

/** A text with invalid percent-encoding is used unchanged. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The keys of the service at the SIM providers. */
export function simApiKeys({ simKey }: IdentitySecrets): Readonly<Record<SimProviderName, string>> {
  return { meridian: simKey('meridian'), harbour: simKey('harbour'), tundra: simKey('tundra') };
}
