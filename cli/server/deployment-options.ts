import type { AmqpTap } from '../../brokers/amqp/tap.ts';
import type { RadioSetting } from '../../simulator/radio/radio-setting.ts';
import type { WeatherPresetName } from '../../simulator/weather/presets.ts';
import type { LogLevel } from '../../world/log/real-log.ts';
import type { ConsoleOptions } from '../console/start-console.ts';
import type { DriveFiles } from '../shared/drive-files.ts';
import { isLoopback, reachableHost } from './http-server.ts';

/** What `up` starts in one process, and with what. */
export interface LocalDeploymentOptions {
  readonly vehicles: number;
  readonly seed: number | undefined;
  /** Ports: 0 is any free one; undefined the usual one, or the next that is free. */
  readonly port: number | undefined;
  readonly simulatorPort: number | undefined;
  /** The page that shows the fleet; its port as above. Absent: there is none. */
  readonly console?: ConsoleOptions | undefined;
  /** Where everything listens: an address of this machine; absent: 127.0.0.1. */
  readonly host?: string | undefined;
  /** The address by which clients know the API; absent: where it listens. */
  readonly publicUrl?: string | undefined;
  /** Networks of proxies before the API, whose X-Forwarded-For is believed, and no other header; absent: none. */
  readonly trustedProxies?: readonly string[] | undefined;
  readonly mqttPort: number | undefined;
  /** Of the embedded AMQP broker. */
  readonly amqpPort: number | undefined;
  readonly amqpsPort: number | undefined;
  /** Of the embedded AMQP broker's management, where the broker has a process of its own. */
  readonly amqpAdminPort?: number | undefined;
  /** Boxes that get power in each second; absent: the simulator's own. */
  readonly rampPerSecond?: number | undefined;
  /** A GPX or GeoJSON file along which the vehicles with boxes drive; absent: the routes of their plans. */
  readonly routeFile?: string;
  /** Recorded drives that the first vehicles with boxes replay, and which columns of tables among them hold what. */
  readonly drives?: DriveFiles | undefined;
  /** A folder with models of the user's own, which are loaded; for processes that are started. */
  readonly models?: string | undefined;
  /** How true to the road link, motors and receivers of the boxes are; absent: `ideal`. */
  readonly radio?: RadioSetting;
  /** What networks do to the fleet; absent: `none`. */
  readonly weather?: WeatherPresetName | undefined;
  readonly data: string;
  /** The URL of a database of PostgreSQL; absent: the store is a file in the data directory. */
  readonly store?: string | undefined;
  /** A file with the authority of that database's certificate, in PEM form. */
  readonly storeCa?: string | undefined;
  readonly isFresh: boolean;
  readonly mqtt: string;
  /** A file with the certificate authority of an mqtts:// broker, in PEM form. */
  readonly mqttCa?: string | undefined;
  /** `embedded`, `none`, or URLs of the nodes of one broker with commas between them. */
  readonly amqp: string;
  /** An account with every right at the embedded broker, as `user:password`; absent: only the service has one. */
  readonly amqpOwner?: string;
  /** What belongs to a broker of the user's. */
  readonly givenAmqp: GivenAmqp;
  /** Where each 500 is told; undefined: nowhere. */
  readonly alertUrl?: string | undefined;
  /** Calls of one client in a minute; absent: the service's own. */
  readonly rateLimit?: number;
  /** How long a box may stay silent on a command, in seconds; absent: 20. */
  readonly answerTimeoutS?: number;
  /** Where else the demo client's code flow may lead back to. */
  readonly redirectUri?: string;
  /** Origins whose web pages may call the API. */
  readonly corsOrigins?: readonly string[];
  /** Whether the fleet has drivers, who take trips and pauses; absent: each vehicle does what its plan says. */
  readonly drivers?: boolean;
  readonly logLevel: LogLevel;
  /** Watches the connections to the embedded AMQP broker; absent: nobody does. */
  readonly amqpTap?: AmqpTap;
  /** Stands before the API: answers each request of its own accord, or by `answer`. Absent: nothing does. */
  readonly beforeApi?: (
    request: Request,
    answer: (request: Request) => Promise<Response>,
  ) => Promise<Response>;
}

export interface GivenAmqp {
  /** A file with the certificate authority of amqps, in PEM. */
  readonly caFile?: string | undefined;
  /** The URL of RabbitMQ's management interface, with user and password; of a cluster several, with commas between. */
  readonly adminUrl?: string | undefined;
  /** The account that all consumers are handed, as `user:password`. */
  readonly consumer?: string | undefined;
  readonly queueType?: 'classic' | 'quorum' | undefined;
}

export const DEFAULT_PORTS = {
  api: 8080,
  simulator: 8090,
  console: 8100,
  mqtt: 1883,
  amqp: 5672,
  amqps: 5671,
  amqpAdmin: 15672,
} as const;

/** Says where something (`the API`) listens that would usually listen elsewhere. */
export function noteOtherPort(
  notices: string[],
  name: string,
  usual: number,
  port: number,
  given: number | undefined,
): void {
  if (given === undefined && port !== usual)
    notices.push(`port ${usual} is taken, so ${name} listens on ${port}`);
}

/**
 * The address by which clients know the API, without a slash at its end: what is given, or where it listens. The issuer of
 * tokens and the beginning of all links (RFC 8414, 2: no query, no fragment).
 */
export function baseUrlOf(publicUrl: string | undefined, host: string | undefined, port: number): string {
  return publicUrl?.replace(/\/+$/, '') ?? `http://${reachableHost(host)}:${port}`;
}

/**
 * Says that clients behind a proxy know the service by another address than the one that its links and tokens name, where
 * nobody has given it: no header of a proxy changes that address, since it is the issuer of tokens.
 */
export function noteProxiedAddress(
  notices: string[],
  { trustedProxies = [], publicUrl }: Pick<LocalDeploymentOptions, 'trustedProxies' | 'publicUrl'>,
  baseUrl: string,
): void {
  if (trustedProxies.length === 0 || publicUrl !== undefined) return;
  notices.push(
    `links and tokens name ${baseUrl}, also for clients behind the proxy of --trusted-proxy: give the address by which they know the API with --public-url`,
  );
}

/** What guards each listener where other machines reach it. */
const GUARDS = {
  api: 'the API by its clients',
  brokers: 'the brokers by their accounts',
  simulator:
    "the simulator, and the console where there is one, by the user and the password in the simulator's address",
} as const;

/** Says what it means that these listen elsewhere than on loopback: who gets in, and that others can read along. */
export function noteOpenHost(
  notices: string[],
  host: string | undefined,
  listening: readonly (keyof typeof GUARDS)[],
): void {
  if (host === undefined || isLoopback(host)) return;
  const guards = listening.map((name) => GUARDS[name]);
  const last = guards.pop() ?? '';
  const all = guards.length === 0 ? last : `${guards.join(', ')}, and ${last}`;
  notices.push(
    `other machines reach ${host}: ${all}; without TLS, but for AMQPS, others can read along (docs/parts.md)`,
  );
}
