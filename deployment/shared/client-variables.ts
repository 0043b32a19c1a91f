// Environment variables by which programs of users find a service. They are no settings: this program ignores them.

/** What `certify-client` passes to the client that it starts. */
export const CLIENT_VARIABLES = [
  'BOXTWIN_API_URL',
  'BOXTWIN_CLIENT_ID',
  'BOXTWIN_CLIENT_SECRET',
  'BOXTWIN_AMQP_URL',
  'BOXTWIN_AMQP_QUEUE',
  'BOXTWIN_AMQP_CA',
  'BOXTWIN_WITNESS_URL',
] as const;

export type ClientVariables = Readonly<Record<(typeof CLIENT_VARIABLES)[number], string>>;

/** What `env` prints, and the field of the ready line that each has the value of. */
export const SERVICE_VARIABLES = {
  BOXTWIN_API_URL: 'base_url',
  BOXTWIN_CLIENT_ID: 'client_id',
  BOXTWIN_CLIENT_SECRET: 'client_secret',
  BOXTWIN_AMQP_URL: 'amqp_url',
  BOXTWIN_AMQP_QUEUE: 'queue',
  BOXTWIN_AMQP_CA: 'amqp_ca',
  BOXTWIN_MQTT_URL: 'mqtt_url',
  BOXTWIN_SIMULATOR_URL: 'simulator_url',
  BOXTWIN_CONSOLE_URL: 'console_url',
} as const;
