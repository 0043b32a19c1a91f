import type { SettingName } from './settings.ts';

/** The groups of options in the help of a command that has settings, in their order. */
const GROUPS = ['Fleet', 'Addresses', 'Data', 'MQTT', 'AMQP', 'Service', 'Output'] as const;
type OptionGroup = (typeof GROUPS)[number];

const GROUP_OF: Readonly<Record<SettingName, OptionGroup>> = {
  vehicles: 'Fleet',
  stock: 'Fleet',
  seed: 'Fleet',
  shard: 'Fleet',
  ramp: 'Fleet',
  driving: 'Fleet',
  link: 'Fleet',
  subscribeQos: 'MQTT',
  localAddress: 'Addresses',
  processes: 'Fleet',
  credentials: 'Fleet',
  url: 'Addresses',
  clientId: 'Addresses',
  clientSecret: 'Addresses',
  host: 'Addresses',
  publicUrl: 'Addresses',
  trustedProxy: 'Addresses',
  port: 'Addresses',
  simulatorPort: 'Addresses',
  console: 'Output',
  consolePort: 'Addresses',
  map: 'Output',
  mqttPort: 'MQTT',
  amqpPort: 'AMQP',
  amqpsPort: 'AMQP',
  amqpAdminPort: 'AMQP',
  simulator: 'Addresses',
  controlPort: 'Addresses',
  route: 'Fleet',
  drive: 'Fleet',
  driveColumns: 'Fleet',
  models: 'Fleet',
  radio: 'Fleet',
  weather: 'Fleet',
  data: 'Data',
  store: 'Data',
  storeCa: 'Data',
  mqtt: 'MQTT',
  mqttCa: 'MQTT',
  amqp: 'AMQP',
  amqpCa: 'AMQP',
  amqpAdmin: 'AMQP',
  amqpConsumer: 'AMQP',
  amqpOwner: 'AMQP',
  amqpQueueType: 'AMQP',
  alertUrl: 'Service',
  rateLimit: 'Service',
  answerTimeout: 'Service',
  client: 'Service',
  redirectUri: 'Service',
  corsOrigin: 'Service',
  drivers: 'Fleet',
  live: 'Output',
  logLevel: 'Output',
  logFormat: 'Output',
};

/** The settings that most people use: the help of a command shows them first, and the others only with --help-all. */
const USUAL: readonly SettingName[] = [
  'vehicles',
  'seed',
  'weather',
  'data',
  'port',
  'mqtt',
  'amqp',
  'console',
];

/** The heading below which the help shows a setting. */
export function groupOf(name: SettingName): string {
  return `${GROUP_OF[name]}:`;
}

/** Whether the short help of a command shows a setting. */
export function isUsual(name: SettingName): boolean {
  return USUAL.includes(name);
}

/** The rows of a command in the order of its help. */
export function byGroup<Row>(
  rows: readonly (readonly [SettingName, Row])[],
): readonly (readonly [SettingName, Row])[] {
  return GROUPS.flatMap((group) => rows.filter(([name]) => GROUP_OF[name] === group));
}
