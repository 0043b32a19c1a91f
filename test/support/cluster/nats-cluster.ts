import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { topics } from '../../../protocol/topics.ts';
import type { MqttConnectOptions } from '../../../world/mqtt/mqtt-client.ts';
import { realMqttClient } from '../../../world/mqtt/real-mqtt-client.ts';
import { fileOnPage } from '../docs/page-files.ts';
import { freePort } from '../run/free-port.ts';
import { limits } from './limits.ts';
import { type Node, startNode } from './node.ts';
import { startTogether, stopTogether } from './together.ts';

export interface NatsNode extends Node {
  readonly url: string;
}

/** Three NATS servers that are one MQTT broker. */
export interface NatsCluster {
  readonly nodes: readonly NatsNode[];
  /** Of all nodes, with commas between them. */
  readonly url: string;
  stop(): Promise<void>;
}

export interface NatsAccounts {
  /** Of the user `backend`. */
  readonly service: string;
  /** By box id. */
  readonly boxes: ReadonlyMap<string, string>;
  /** Of the user `witness`, who may read all topics. Absent: there is none. */
  readonly witness?: string;
}

interface Place {
  readonly name: string;
  readonly folder: string;
  readonly clientPort: number;
  readonly clusterPort: number;
  readonly mqttPort: number;
}

const SERVICE = { username: 'backend' };
const PAGE = 'docs/mqtt-brokers.md';

/**
 * Starts three servers with the settings of docs/mqtt-brokers.md, each with ports and a folder of its own. Resolves once
 * each of them takes a persistent MQTT session, which needs all of JetStream. Rejects where they do not in time.
 */
export async function startNatsCluster(
  { server }: { readonly server: string },
  accounts: NatsAccounts,
): Promise<NatsCluster> {
  const home = mkdtempSync(join(tmpdir(), 'boxtwin-nats-'));
  const places: Place[] = [];
  for (const name of ['nats-1', 'nats-2', 'nats-3']) {
    const folder = join(home, name);
    mkdirSync(folder);
    const [clientPort, clusterPort, mqttPort] = [await freePort(), await freePort(), await freePort()];
    places.push({ name, folder, clientPort, clusterPort, mqttPort });
  }
  const begun = places.map(async (place) => {
    const config = join(place.folder, 'nats.conf');
    writeFileSync(config, settingsOf(place, places, accounts), { mode: 0o600 });
    const url = `mqtt://127.0.0.1:${place.mqttPort}`;
    const node = await startNode({
      name: place.name,
      program: server,
      args: ['-c', config],
      folder: place.folder,
      // Not its /healthz: with 2.9 that stays bad after a kill, for a consumer that the dead server had.
      serves: () => takesSession(url, { ...SERVICE, password: accounts.service, clientId: place.name }),
    });
    return Object.assign(node, { url });
  });
  const remove = () => rmSync(home, { recursive: true, force: true });
  const nodes = await startTogether(begun, remove);
  return {
    nodes,
    url: nodes.map(({ url }) => url).join(','),
    stop: () => stopTogether(nodes, remove),
  };
}

/** The file of the page, with this machine's places in it, and the users of the page's other file. */
function settingsOf(place: Place, places: readonly Place[], accounts: NatsAccounts): string {
  const { name, clientPort, mqttPort, clusterPort } = place;
  let text = fileOnPage(PAGE, 'boxtwin-nats-cluster.conf')
    .replace('server_name: nats-1', `server_name: ${name}`)
    .replace('0.0.0.0:4222', `127.0.0.1:${clientPort}`)
    .replace('0.0.0.0:6222', `127.0.0.1:${clusterPort}`)
    .replace('0.0.0.0:1883', `127.0.0.1:${mqttPort}`);
  for (const other of places) text = text.replace(`${other.name}:6222`, `127.0.0.1:${other.clusterPort}`);
  return text + usersOf(accounts);
}

/** The block `authorization` of the page, with these users. */
function usersOf({ service, boxes, witness }: NatsAccounts): string {
  const text = /^authorization: \{[\s\S]*?^\}/m.exec(fileOnPage(PAGE, 'boxtwin-nats.conf'))?.[0] ?? '';
  const box = / +\{ user: "0123456789abcdef"[\s\S]*?\] \} \}\n/.exec(text)?.[0] ?? '';
  const all = [...boxes].map(([boxId, secret]) =>
    box.replaceAll('0123456789abcdef', boxId).replace('secret of the box', secret),
  );
  if (witness !== undefined) all.push(`    { user: "witness", password: "${witness}" }\n`);
  return text.replace(box, all.join('')).replace('secret of the service', service);
}

/** Whether it keeps a session for a client, which it then removes: that takes all of the cluster. */
async function takesSession(
  url: string,
  account: Pick<MqttConnectOptions, 'username' | 'password' | 'clientId'>,
): Promise<boolean> {
  const events = {
    message: (_topic: string, _payload: Uint8Array, _retained: boolean, acknowledge: () => void) =>
      acknowledge(),
    closed: () => undefined,
  };
  for (const clean of [false, true]) {
    const options = { ...account, clean, keepAliveS: 60, connectTimeoutMs: limits.askMs };
    const session = await realMqttClient({ url }).open(options, events);
    if (!clean) await session.subscribe(topics.installation);
    await session.end();
  }
  return true;
}
