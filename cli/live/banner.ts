import pc from 'picocolors';
import { LOOPBACK_CALLBACK } from '../../deployment/demo/demo-fleet.ts';
import type { BackendFacts, MessageFacts } from '../../deployment/shared/ready-facts.ts';
import { counted } from '../../judge/wording.ts';
import { isLoopback } from '../../world/http/loopback.ts';
import { shellWord } from '../../world/shell-word.ts';
import { dataOption } from '../shared/data-option.ts';

/** One line of JSON, without a line break at its end. */
export function readyLine(facts: BackendFacts): string {
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

/** The length of the banner, and the option that leads commands to the same data directory: ` --data X` or nothing. */
export interface BannerStyle {
  readonly verbose: boolean;
  readonly ofData: string;
}

/**
 * The style that these options ask for. Where other machines reach it, as in a container, people may have nothing but
 * the banner: it has everything.
 */
export function bannerStyle(options: {
  readonly verbose: boolean;
  readonly data: string;
  readonly host: string;
}): BannerStyle {
  return {
    verbose: options.verbose || !isLoopback(options.host),
    ofData: dataOption(options.data),
  };
}

/** The banner for people; colours only where the terminal supports them. */
export function readyBanner(facts: BackendFacts, { verbose, ofData }: BannerStyle): string {
  return verbose ? longBanner(facts) : shortBanner(facts, ofData);
}

/** What most people need to begin: the pages, the address of the API, and how commands find everything else. */
function shortBanner(facts: BackendFacts, ofData: string): string {
  const row = (name: string, value: string, note: string) =>
    `  ${pc.dim(name.padEnd(10))} ${value}${note === '' ? '' : `  ${pc.dim(note)}`}`;
  const vehicle = facts.example?.vehicleId;
  return [
    '',
    `${pc.bold(facts.part === 'backend' ? 'boxtwin backend' : 'boxtwin')} is up: ${fleetOf(facts)}`,
    ...(facts.consoleUrl === null ? [] : [row('console', facts.consoleUrl, `npx boxtwin open${ofData}`)]),
    row('API', facts.baseUrl, `reference: ${facts.baseUrl}/docs`),
    row('use it', `eval "$(npx boxtwin env${ofData})"`, 'addresses and credentials, for your programs'),
    ...(vehicle === undefined
      ? []
      : [
          row('', `npx boxtwin do ${vehicle} coverage none --for 90s${ofData}`, ''),
          row('', `npx boxtwin tail${ofData}`, 'messages as they arrive'),
        ]),
    row('data', facts.storeUrl ?? facts.dataPath, 'the next start continues from here; --fresh starts over'),
    ...(facts.notices.length === 0 ? [] : [row('note', pc.yellow(facts.notices.join('; ')), '')]),
    row('', pc.dim('--verbose shows all addresses and credentials'), ''),
    pc.dim('Ctrl-C ends it; nothing is lost.'),
    '',
  ].join('\n');
}

/** All addresses and credentials, with lines to paste. */
function longBanner(facts: BackendFacts): string {
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
    facts.simulatorUrl === null
      ? row('simulator', 'that of "boxtwin fleet" on the same --data')
      : row('simulator', facts.simulatorUrl, 'what the vehicles really do, and how to break them'),
    row('MQTT', facts.mqttUrl),
    ...messageRows(facts.messages, row),
    row('client', `${facts.clientId}  secret ${facts.clientSecret}`),
    row('user', `${facts.user.name}  password ${facts.user.password}`, 'for the authorization code flow'),
    row(
      'redirect',
      LOOPBACK_CALLBACK.replace('127.0.0.1', '127.0.0.1:<port>'),
      'redirect URI of that flow, on any port; --redirect-uri adds others',
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
  { dataPath, storeUrl }: BackendFacts,
  row: (name: string, value: string, note?: string) => string,
): readonly string[] {
  if (storeUrl === undefined)
    return [row('data', dataPath, 'the next start continues from here; --fresh starts over')];
  return [
    row('data', dataPath, 'who the service is: each backend on that store has the same boxtwin.json'),
    row('store', storeUrl, 'the next start continues from here'),
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
      ? row('consumer', 'none yet', 'shown here once the broker has it')
      : row('consumer', `${account.username}  password ${account.password}`),
  ];
}

/** One command for each scheme; it prints each message on a separate line. */
function consumeLines(messages: MessageFacts | null): readonly string[] {
  // A line that cannot sign in is useless to paste.
  if (messages === null || messages.account === null) return [];
  const { url, tlsUrl, caPath, queue } = messages;
  const rest = `-q ${queue} -- sh -c 'cat; echo'`;
  return [
    ...(url === null ? [] : [`amqp-consume --url=${shellWord(url)} ${rest}`]),
    ...(tlsUrl === null
      ? []
      : [
          `amqp-consume --ssl${caPath === null ? '' : ` --cacert ${shellWord(caPath)}`} --url=${shellWord(tlsUrl)} ${rest}`,
        ]),
  ];
}

function withoutAccount(address: string): string {
  const url = new URL(address);
  url.username = '';
  url.password = '';
  return url.href;
}

/** The fleet: its numbers of vehicles and boxes, its id and its seed. */
function fleetOf({ vehicles, makerVehicles, boxes, fleetId, seed }: BackendFacts): string {
  const shelved = boxes.filter(({ vehicleId }) => vehicleId === null).length;
  return [
    counted(vehicles, 'vehicle'),
    ...(makerVehicles === 0 ? [] : [`${makerVehicles} maker-connected`]),
    ...(shelved === 0 ? [] : [counted(shelved, 'unassigned device')]),
    `fleet ${fleetId}`,
    `seed ${seed}`,
  ].join(', ');
}
