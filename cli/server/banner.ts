import pc from 'picocolors';
import { LOOPBACK_CALLBACK } from '../demo/demo-fleet.ts';

/** What a user needs to begin. The JSON form is the contract for scripts; the text form is for people. */
export interface ReadyFacts {
  /** The service alone, or all parts in processes of their own; absent: all of them in one process. */
  readonly part?: 'backend' | 'processes';
  readonly baseUrl: string;
  readonly simulatorUrl: string;
  /** Null: there is none. */
  readonly consoleUrl: string | null;
  readonly mqttUrl: string;
  /** Null with no broker for messages. */
  readonly messages: MessageFacts | null;
  readonly fleetId: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Who signs in where a client asks a person. */
  readonly user: { readonly name: string; readonly password: string };
  readonly vehicles: number;
  /** Those beside them that have their maker's telematics. */
  readonly makerVehicles: number;
  /** Every simulated box; those on the shelf have no vehicle id. */
  readonly boxes: readonly {
    readonly vehicleId: string | null;
    readonly boxId: string;
    readonly model: string;
    readonly vin: string;
    readonly licensePlate: string;
  }[];
  /** For the third curl line. Undefined with no vehicles. */
  readonly example: { readonly vehicleId: string; readonly command: string } | undefined;
  readonly dataPath: string;
  /** The database of the store, without its password; absent: it is in `dataPath`. */
  readonly storeUrl?: string | undefined;
  readonly seed: number;
  /** Sentences such as: port 8080 is taken, 8081 is used. */
  readonly notices: readonly string[];
}

/** How the messages of the fleet are read. */
export interface MessageFacts {
  /**
   * With the account where there is one, ready for a client: `amqp://demo-fleet1:...@127.0.0.1:5672`. Null where
   * there is TLS alone.
   */
  readonly url: string | null;
  /** The same by TLS; null where there is none. */
  readonly tlsUrl: string | null;
  /** The file with the certificate authority that clients check it by; null where they know it. */
  readonly caPath: string | null;
  /** Null: it is not there yet. Whoever makes it, at the user's broker, does not answer. */
  readonly account: { readonly username: string; readonly password: string } | null;
  /** Of the vehicle states: `VehicleState_v1-demo`. */
  readonly queue: string;
}

/** One line of JSON, without a line break at its end. */
export function readyLine(facts: ReadyFacts): string {
  return JSON.stringify({
    ready: true,
    base_url: facts.baseUrl,
    simulator_url: facts.simulatorUrl,
    console_url: facts.consoleUrl,
    mqtt_url: facts.mqttUrl,
    amqp_url: facts.messages?.url ?? facts.messages?.tlsUrl ?? null,
    amqps_url: facts.messages?.tlsUrl ?? null,
    amqp_ca: facts.messages?.caPath ?? null,
    amqp_username: facts.messages?.account?.username ?? null,
    amqp_password: facts.messages?.account?.password ?? null,
    queue: facts.messages?.queue ?? null,
    fleet_id: facts.fleetId,
    client_id: facts.clientId,
    client_secret: facts.clientSecret,
    user_name: facts.user.name,
    user_password: facts.user.password,
  });
}

/** The banner for people; colours only where the terminal shows them. */
export function readyBanner(facts: ReadyFacts): string {
  const row = (name: string, value: string, note = '') =>
    `  ${pc.dim(name.padEnd(10))} ${value}${note === '' ? '' : `  ${pc.dim(note)}`}`;
  const token = `TOKEN=$(curl -s -X POST -u ${facts.clientId}:${facts.clientSecret} -H 'Content-Type: application/json' '${facts.baseUrl}/auth/oauth/token?grant_type=client_credentials' | sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')`;
  const bearer = '-H "Authorization: Bearer $TOKEN"';
  const curls = [
    token,
    `curl -s ${bearer} '${facts.baseUrl}/vehicles?limit=3'`,
    ...(facts.example === undefined
      ? []
      : [
          `curl -s -X POST ${bearer} ${facts.baseUrl}/vehicles/${facts.example.vehicleId}/commands/${facts.example.command}`,
        ]),
    ...consumeLines(facts.messages),
  ];
  return [
    '',
    `${pc.bold(facts.part === 'backend' ? 'boxtwin backend' : 'boxtwin')} is up: ${fleetOf(facts)}`,
    '',
    row('API', facts.baseUrl, `reference: ${facts.baseUrl}/docs`),
    ...(facts.consoleUrl === null
      ? []
      : [row('console', facts.consoleUrl, 'a page that shows the fleet, for your browser')]),
    row('simulator', facts.simulatorUrl, 'what the vehicles really do, and how to break them'),
    row('MQTT', facts.mqttUrl),
    ...messageRows(facts.messages, row),
    row('client', `${facts.clientId}  secret ${facts.clientSecret}`),
    row('user', `${facts.user.name}  password ${facts.user.password}`, 'for the authorization code flow'),
    row(
      'redirect',
      LOOPBACK_CALLBACK.replace('127.0.0.1', '127.0.0.1:<port>'),
      'where that flow may lead back to, on any port; --redirect-uri adds others',
    ),
    ...storeRows(facts, row),
    ...facts.notices.map((notice) => `  ${pc.yellow('note')}       ${notice}`),
    '',
    'Paste these:',
    ...curls.map((line) => `  ${line}`),
    '',
    pc.dim('Ctrl-C ends it; nothing is lost.'),
    '',
  ].join('\n');
}

function storeRows(
  { dataPath, storeUrl }: ReadyFacts,
  row: (name: string, value: string, note?: string) => string,
): readonly string[] {
  if (storeUrl === undefined)
    return [row('data', dataPath, 'goes on from here at the next start; --fresh starts anew')];
  return [
    row('data', dataPath, 'who the service is: each backend on that store has the same boxtwin.json'),
    row('store', storeUrl, 'goes on from here at the next start'),
  ];
}

function messageRows(
  messages: MessageFacts | null,
  row: (name: string, value: string, note?: string) => string,
): readonly string[] {
  if (messages === null) return [row('AMQP', 'none', 'no message is kept')];
  const { url, tlsUrl, caPath, account, queue } = messages;
  return [
    ...(url === null ? [] : [row('AMQP', withoutAccount(url))]),
    ...(tlsUrl === null ? [] : [row('AMQPS', withoutAccount(tlsUrl))]),
    ...(caPath === null ? [] : [row('CA', caPath, 'the certificate by which clients check that address')]),
    row('queue', queue, 'the other topics have theirs: docs/messages.md'),
    account === null
      ? row('consumer', 'none yet', 'told here once the broker has it')
      : row('consumer', `${account.username}  password ${account.password}`),
  ];
}

/** One for each way in, each message on a line of its own. */
function consumeLines(messages: MessageFacts | null): readonly string[] {
  // A line that cannot sign in is no line to paste.
  if (messages === null || messages.account === null) return [];
  const { url, tlsUrl, caPath, queue } = messages;
  const rest = `-q ${queue} -- sh -c 'cat; echo'`;
  return [
    ...(url === null ? [] : [`amqp-consume --url=${quoted(url)} ${rest}`]),
    ...(tlsUrl === null
      ? []
      : [
          `amqp-consume --ssl${caPath === null ? '' : ` --cacert ${quoted(caPath)}`} --url=${quoted(tlsUrl)} ${rest}`,
        ]),
  ];
}

/** For a shell, where it has to be. */
function quoted(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

function withoutAccount(address: string): string {
  const url = new URL(address);
  url.username = '';
  url.password = '';
  return url.href;
}

/** What there is to see, and which fleet it is. */
function fleetOf({ vehicles, makerVehicles, boxes, fleetId, seed }: ReadyFacts): string {
  const shelved = boxes.filter(({ vehicleId }) => vehicleId === null).length;
  return [
    `${vehicles} ${vehicles === 1 ? 'vehicle' : 'vehicles'}`,
    ...(makerVehicles === 0 ? [] : [`${makerVehicles} with their maker's telematics`]),
    ...(shelved === 0 ? [] : [`${shelved} ${shelved === 1 ? 'box' : 'boxes'} on the shelf`]),
    `fleet ${fleetId}`,
    `seed ${seed}`,
  ].join(', ');
}
