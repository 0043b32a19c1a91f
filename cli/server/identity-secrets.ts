import type { SimProviderName } from '../../simulator/sim-provider/names.ts';
import type { World } from '../../world/world.ts';
import type { Identity } from './data-directory.ts';

/** As whom the service signs in at brokers that are embedded. */
export const BACKEND_USER = 'backend';

/** The client id of the service at the MQTT broker: its own, or what those of its sessions begin with. */
export function serviceClientId(identity: Pick<Identity, 'fleet_id'>): string {
  return `backend-${identity.fleet_id}`;
}

/** Digits of a password that a person may have to type. */
const USER_DIGITS = 20;
/** Digits of a password that a program is given in a URL. */
const CONSUMER_DIGITS = 32;

/**
 * The secrets between the parts of a deployment. All of them follow from what only the data directory knows, so that
 * parts that share its boxtwin.json fit together, in one process or in several.
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
  /** Of whoever uses the simulator's control API from another machine. */
  readonly simulatorPassword: string;
  /** Of a box at the MQTT broker. */
  boxSecret(boxId: string): string;
  /** Of the service at a SIM provider, and at a vehicle maker. */
  simKey(provider: SimProviderName): string;
  makerKey(maker: string): string;
}

/** The secrets of a data directory. */
export function secretsOf(
  crypto: Pick<World['crypto'], 'digest'>,
  identity: Pick<Identity, 'mqtt_password'>,
): IdentitySecrets {
  const root = identity.mqtt_password;
  const derived = (purpose: string) => crypto.digest(`${root}/${purpose}`);
  return {
    mqttPassword: root,
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

/** What is not percent-encoded as it should be is taken as it stands. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
