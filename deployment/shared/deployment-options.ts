import type { AmqpTap } from '../../brokers/amqp/tap.ts';
import type { MapArchive } from '../../console/server/map-archive.ts';
import type { MapBase } from '../../console/stream/map.ts';
import type { RadioSetting } from '../../simulator/box-plan.ts';
import type { TappedPayload } from '../../simulator/control/frame-stream.ts';
import type { WeatherPresetName } from '../../simulator/weather/presets.ts';
import type { LogLevel } from '../../world/log/real-log.ts';
import type { FixedClient } from './fixed-client.ts';

/** What `up` starts in one process, and with what. */
export interface LocalDeploymentOptions {
  readonly vehicles: number;
  /** Vehicles with their maker's telematics; absent: two, or none beside no vehicle. */
  readonly makerVehicles?: number | undefined;
  /** Devices in no vehicle record, at most three; absent: all of them. */
  readonly unassignedDevices?: number | undefined;
  readonly seed: number | undefined;
  /** Ports: 0 is any free one; undefined the default one, or the next free one. */
  readonly port: number | undefined;
  readonly simulatorPort: number | undefined;
  /** The page that shows the fleet; its port as above. Absent: there is none. */
  readonly console?: ConsoleOptions | undefined;
  /** Where everything listens: an address of this machine; absent: 127.0.0.1. */
  readonly host?: string | undefined;
  /** The address by which clients know the API; absent: where it listens. */
  readonly publicUrl?: string | undefined;
  /** Networks of proxies before the API, whose X-Forwarded-For is trusted, and no other header; absent: none. */
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
  /** A folder with the user's own models, which are loaded; for child processes. */
  readonly models?: string | undefined;
  /** How realistic link, motors and receivers of the boxes are; absent: `ideal`. */
  readonly radio?: RadioSetting;
  /** The network conditions of the fleet; absent: `none`. */
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
  /** The options of an external broker. */
  readonly givenAmqp: GivenAmqp;
  /** Where each 500 is reported; undefined: nowhere. */
  readonly alertUrl?: string | undefined;
  /** The limit of calls of one client in a minute; absent: the service's own. */
  readonly rateLimit?: number;
  /** How long a box may take to answer a command, in seconds; absent: 20. */
  readonly answerTimeoutS?: number;
  /** The demo client's credentials; absent: those that the data directory has, or generated ones. */
  readonly client?: FixedClient | undefined;
  /** Additional redirect URIs of the demo client. */
  readonly redirectUri?: string;
  /** Origins whose web pages may call the API. */
  readonly corsOrigins?: readonly string[];
  /** Whether the fleet has drivers, who take trips and pauses; absent: each vehicle follows its plan. */
  readonly drivers?: boolean;
  readonly logLevel: LogLevel;
  /** Hears each payload between a box and its broker; absent: nothing does. */
  readonly onFrame?: (boxId: string, payload: TappedPayload) => void;
  /** Watches the connections to the embedded AMQP broker; absent: nothing does. */
  readonly amqpTap?: AmqpTap;
  /** Intercepts the API: answers each request itself, or by `answer`. Absent: nothing does. */
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
  /** The account that all consumers receive, as `user:password`. */
  readonly consumer?: string | undefined;
  readonly queueType?: 'classic' | 'quorum' | undefined;
}

/** What `--drive` and `--drive-columns` name. */
export interface DriveFiles {
  readonly files: readonly string[];
  readonly columnsFile: string | undefined;
}

/** The user's options for the console. */
export interface ConsoleOptions {
  /** Undefined: the default one, or the next free one. */
  readonly port: number | undefined;
  /** Undefined: the streets of the routes alone. */
  readonly map: MapGround | undefined;
}

/** What the map shows below the vehicles, and the file where that is one. */
export interface MapGround {
  readonly base: MapBase;
  readonly archive?: MapArchive;
}
