import { RADIO_SETTINGS } from '../../simulator/box-plan.ts';
import { WEATHER_PRESET_NAMES } from '../../simulator/weather/presets.ts';
import { USUAL_DATA } from '../shared/data-option.ts';
import { limits } from '../shared/limits.ts';
import { PARTS, type Part, type Setting } from './setting.ts';
import * as value from './values.ts';

const STARTS: readonly Part[] = ['up', 'fleet', 'backend', 'brokers'];
const SERVES: readonly Part[] = ['up', 'backend'];
const RUNS_BOXES: readonly Part[] = ['up', 'fleet'];
const KEEPS_STORE: readonly Part[] = ['up', 'backend', 'doctor', 'ledger'];
const HAS_BROKERS: readonly Part[] = ['up', 'brokers'];

const port = (help: string, parts: readonly Part[], usual: number) =>
  ({
    schema: value.port,
    reading: 'number',
    placeholder: 'port',
    parts,
    help: `${help} (default: ${usual}, or the next free one)`,
  }) as const satisfies Setting;

const file = (help: string, parts: readonly Part[]) =>
  ({ schema: value.path, reading: 'text', placeholder: 'file', parts, help }) as const satisfies Setting;

/** All settings by their names, in the order of the help. A row is the only place that defines one. */
export const SETTINGS = {
  vehicles: {
    schema: value.wholeNumber(0, limits.memoryVehicles),
    reading: 'number',
    placeholder: 'n',
    help: 'how many vehicles',
    parts: ['up', 'fleet', 'backend', 'doctor'],
    fallback: 25,
  },
  stock: {
    schema: value.wholeNumber(0, limits.memoryVehicles),
    reading: 'number',
    placeholder: 'n',
    parts: ['backend'],
    fallback: 0,
    help: 'boxes of the seed behind those vehicles that are in stock, for "fleet --url" to set up',
  },
  seed: {
    schema: value.wholeNumber(0, 0xffff_ffff),
    reading: 'number',
    placeholder: 'n',
    parts: STARTS,
    help: 'the seed of the fleet (default: that of the data directory, or 1)',
  },
  shard: {
    schema: value.shard,
    reading: 'text',
    placeholder: 'K/N',
    parts: ['fleet'],
    help: 'only the Kth of N equal parts of the fleet: 1/2 and 2/2 together are the whole fleet',
  },
  ramp: {
    schema: value.wholeNumber(1, 10_000),
    reading: 'number',
    placeholder: 'n',
    parts: RUNS_BOXES,
    help: 'boxes that are switched on per second (default: 200)',
  },
  driving: {
    schema: value.wholeNumber(0, 100),
    reading: 'number',
    placeholder: 'percent',
    parts: ['fleet'],
    help: 'percentage of vehicles that drive (default: 80, and 8 in a fleet in memory)',
  },
  link: {
    schema: value.oneOf(['sockets', 'memory']),
    reading: 'text',
    placeholder: 'how',
    parts: ['fleet'],
    help: 'boxes connect over "sockets", or within this process, which keeps everything in "memory"',
    fallback: 'sockets',
  },
  subscribeQos: {
    schema: value.oneOf(['0', '1']),
    reading: 'text',
    placeholder: 'qos',
    parts: ['fleet'],
    help: 'at which MQTT quality of service boxes subscribe: 0 spares a broker its bookkeeping for each of many boxes (default: 1)',
  },
  localAddress: {
    schema: value.localAddresses,
    reading: 'list',
    placeholder: 'address',
    parts: ['fleet'],
    help: 'an address of this machine that boxes connect from; may be given several times: each has some 28,000 ports',
  },
  processes: {
    schema: value.oneOf(['auto', 'one', 'several']),
    reading: 'text',
    placeholder: 'how',
    parts: ['up', 'doctor'],
    help: '"one" process for everything, or "several": brokers, service and fleet each have one, and are started again if they die; "auto": several with 2,000 vehicles and more, where there are cores',
    fallback: 'auto',
  },
  credentials: file('the passwords of the boxes, as CSV (default: those of the data directory)', [
    'fleet',
    'brokers',
  ]),
  url: {
    schema: value.httpUrl,
    reading: 'text',
    placeholder: 'url',
    parts: ['fleet'],
    formerly: 'api',
    help: 'the API at which to onboard vehicles that it does not know (default: none)',
  },
  clientId: {
    schema: value.word,
    reading: 'text',
    placeholder: 'id',
    parts: ['fleet'],
    help: 'who asks there (default: the client of the data directory)',
  },
  clientSecret: {
    schema: value.word,
    reading: 'text',
    placeholder: 'secret',
    parts: ['fleet'],
    secret: 'all',
    help: 'the secret of that client',
  },
  host: {
    schema: value.host,
    reading: 'text',
    placeholder: 'address',
    parts: STARTS,
    fallback: '127.0.0.1',
    help: 'the address of this machine to listen on; elsewhere than on loopback the simulator asks for a password',
  },
  publicUrl: {
    schema: value.httpUrl,
    reading: 'text',
    placeholder: 'url',
    parts: SERVES,
    formerly: 'baseUrl',
    help: 'the address by which clients know the API, that of its links and the issuer of its tokens (default: where it listens)',
  },
  trustedProxy: {
    schema: value.networks,
    reading: 'list',
    placeholder: 'cidr',
    parts: SERVES,
    help: 'the network of a proxy whose X-Forwarded-For is believed, such as 10.0.0.0/8; may be given several times',
  },
  port: port('port of the API', [...SERVES, 'doctor'], 8080),
  simulatorPort: port('port of the simulator', [...RUNS_BOXES, 'doctor'], 8090),
  console: {
    schema: value.oneOf(['on', 'off']),
    reading: 'text',
    placeholder: 'on|off',
    parts: [...RUNS_BOXES, 'doctor'],
    help: 'a page that shows the fleet, for a browser',
    fallback: 'on',
  },
  consolePort: port('port of that page', [...RUNS_BOXES, 'doctor'], 8100),
  map: {
    schema: value.path,
    reading: 'text',
    placeholder: 'file|url',
    parts: RUNS_BOXES,
    help: 'what the map of that page shows below the vehicles: a PMTiles file, or the URL of a MapLibre style (default: the streets of the routes)',
  },
  mqttPort: port('port of the embedded MQTT broker', [...HAS_BROKERS, 'doctor'], 1883),
  amqpPort: port('port of the embedded AMQP broker', [...HAS_BROKERS, 'doctor'], 5672),
  amqpsPort: port('the same with TLS', [...HAS_BROKERS, 'doctor'], 5671),
  amqpAdminPort: port('port of its management interface, in its own process', HAS_BROKERS, 15672),
  simulator: {
    schema: value.httpUrl,
    reading: 'text',
    placeholder: 'url',
    parts: ['backend'],
    help: 'URL of the simulator, with the SIM providers and the vehicle maker of the fleet (default: that of the data directory)',
  },
  controlPort: {
    schema: value.port,
    reading: 'number',
    placeholder: 'port',
    parts: ['backend'],
    help: 'port on loopback at which clients and faults of the service are made, for "certify --admin" (default: none)',
  },
  route: file('a GPX or GeoJSON file along which the vehicles drive (default: built-in routes)', RUNS_BOXES),
  drive: {
    schema: value.paths,
    reading: 'list',
    placeholder: 'file',
    parts: RUNS_BOXES,
    help: 'a recorded drive that a vehicle replays: GPX or GeoJSON with times, or CSV; may be given several times, and the first vehicles take them in order',
  },
  driveColumns: file(
    'a YAML file that maps the columns of those CSV files (default: by their names)',
    RUNS_BOXES,
  ),
  models: {
    schema: value.path,
    reading: 'text',
    placeholder: 'dir',
    parts: ['up', 'fleet', 'backend', 'doctor'],
    help: 'a folder with vehicle models of your own, of which the first vehicles are; "fleet" and "backend" need the same',
  },
  radio: {
    schema: value.oneOf(RADIO_SETTINGS),
    reading: 'text',
    placeholder: 'how',
    parts: RUNS_BOXES,
    help: 'link, motors and receivers of the boxes: as on a "road", or "ideal", without any delay',
    fallback: 'road',
  },
  weather: {
    schema: value.oneOf(WEATHER_PRESET_NAMES),
    reading: 'text',
    placeholder: 'how',
    parts: RUNS_BOXES,
    help: 'what networks do to the fleet, by the seed: gaps, weak signals, severed connections; "none", or as on a "calm" day, in a "city", "rural", in a "storm"',
    fallback: 'none',
  },
  data: {
    schema: value.path,
    reading: 'text',
    placeholder: 'dir',
    parts: PARTS,
    fallback: USUAL_DATA,
    help: 'the data directory',
  },
  store: {
    schema: value.storeUrl,
    reading: 'text',
    placeholder: 'url',
    parts: KEEPS_STORE,
    secret: 'url',
    help: 'the postgres:// URL of a database for what the service knows; several backends may share it (default: a file in the data directory)',
  },
  storeCa: file('the certificate authority of that database, in PEM form', KEEPS_STORE),
  mqtt: {
    schema: value.brokerUrls(['mqtt:', 'mqtts:'], 'embedded'),
    reading: 'text',
    placeholder: 'url',
    parts: ['up', 'fleet', 'backend', 'doctor'],
    fallback: { up: 'embedded', doctor: 'embedded' },
    secret: 'url',
    help: '"embedded" (with "up"), or the mqtt:// or mqtts:// URL of a broker, of a cluster with commas between; "fleet" and "backend" find the "brokers" of the data directory',
  },
  mqttCa: file('the certificate authority of an mqtts:// broker, in PEM form', [
    'up',
    'fleet',
    'backend',
    'doctor',
  ]),
  amqp: {
    schema: value.amqpUrls,
    reading: 'text',
    placeholder: 'url',
    parts: [...SERVES, 'doctor'],
    secret: 'url',
    help: '"embedded" (with "up"), "none", or the amqp:// or amqps:// URL of a broker; of a cluster with commas between',
    fallback: { up: 'embedded', doctor: 'embedded' },
  },
  amqpCa: file('the certificate authority of an amqps:// broker, in PEM form', [...SERVES, 'doctor']),
  amqpAdmin: {
    schema: value.adminUrls,
    reading: 'text',
    placeholder: 'url',
    parts: [...SERVES, 'doctor'],
    secret: 'url',
    help: "RabbitMQ's management interface, which makes a user for each subscription: http://user:password@host:15672; of a cluster with commas between",
  },
  amqpConsumer: {
    schema: value.account,
    reading: 'text',
    placeholder: 'user:password',
    parts: SERVES,
    secret: 'all',
    help: 'the account that all subscriptions are handed',
  },
  amqpOwner: {
    schema: value.account,
    reading: 'text',
    placeholder: 'user:password',
    parts: HAS_BROKERS,
    secret: 'all',
    help: 'an administrator account at the embedded broker, for example to declare queues',
  },
  amqpQueueType: {
    schema: value.oneOf(['classic', 'quorum']),
    reading: 'text',
    placeholder: 'type',
    parts: SERVES,
    help: 'of the queues that are declared: "classic" or "quorum"',
  },
  alertUrl: {
    schema: value.httpUrl,
    reading: 'text',
    placeholder: 'url',
    parts: SERVES,
    help: 'where each answer with 500 is posted as JSON',
  },
  rateLimit: {
    schema: value.wholeNumber(1, 1_000_000),
    reading: 'number',
    placeholder: 'n',
    parts: SERVES,
    help: 'requests of one client in a minute (default: 600)',
  },
  answerTimeout: {
    schema: value.wholeNumber(1, 600),
    reading: 'number',
    placeholder: 's',
    parts: SERVES,
    help: 'reply timeout of a vehicle in seconds (default: 20)',
  },
  client: {
    schema: value.fixedClient,
    reading: 'text',
    placeholder: 'id:secret',
    parts: SERVES,
    secret: 'all',
    help: 'the credentials of the client that is made for you, the same at every start; only where no other machine reaches the service (default: generated once)',
  },
  redirectUri: {
    schema: value.redirectUri,
    reading: 'text',
    placeholder: 'uri',
    parts: SERVES,
    help: 'an additional redirect URI of the client',
  },
  corsOrigin: {
    schema: value.corsOrigins,
    reading: 'list',
    placeholder: 'origin',
    parts: SERVES,
    help: 'an origin whose web pages may call the API, such as http://localhost:3000; may be given several times',
  },
  drivers: {
    schema: value.oneOf(['on', 'off']),
    reading: 'text',
    placeholder: 'on|off',
    parts: ['up', 'doctor'],
    help: 'whether the vehicles have drivers, who rent them for trips; "off": four of five drive round their routes without end, the others stay parked',
    fallback: 'on',
  },
  live: {
    schema: value.oneOf(['auto', 'on', 'off']),
    reading: 'text',
    placeholder: 'on|off|auto',
    help: 'progress output on stderr: on a terminal one live line, in a pipe the progress of the boxes; "auto": not with --json',
    parts: STARTS,
    fallback: 'auto',
  },
  logLevel: {
    schema: value.oneOf(['debug', 'info', 'warn', 'error']),
    reading: 'text',
    placeholder: 'level',
    help: 'what is logged to stderr: "debug", "info", "warn" or "error"',
    parts: STARTS,
    fallback: 'warn',
  },
  logFormat: {
    schema: value.oneOf(['auto', 'text', 'json']),
    reading: 'text',
    placeholder: 'format',
    help: 'the form of those lines: "text", a sentence each, or "json", an object each; "auto": text on a terminal',
    parts: STARTS,
    fallback: 'auto',
  },
} as const satisfies Readonly<Record<string, Setting>>;

export type SettingName = keyof typeof SETTINGS;

/** The rows of a command, with their names. */
export function settingsOf(part: Part): readonly (readonly [SettingName, Setting])[] {
  const rows = Object.entries(SETTINGS) as [SettingName, Setting][];
  return rows.filter(([, { parts }]) => parts.includes(part));
}
