import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { waitUntil } from '../run/external-services.ts';
import { freePort } from '../run/free-port.ts';
import { limits } from './limits.ts';
import { isOk, type Node, startNode } from './node.ts';
import { startTogether, stopTogether } from './together.ts';

export interface RabbitNode extends Node {
  /** With the account of an administrator, as `adminUrl`. */
  readonly url: string;
  /** Of its management interface. */
  readonly adminUrl: string;
}

/** Three nodes of RabbitMQ that are one broker, each with its management interface. */
export interface RabbitCluster {
  readonly nodes: readonly RabbitNode[];
  /** Of all nodes, with commas between them; as `adminUrl`. */
  readonly url: string;
  readonly adminUrl: string;
  stop(): Promise<void>;
}

interface Place {
  /** In Erlang's network. */
  readonly name: string;
  readonly folder: string;
  readonly amqpPort: number;
  readonly adminPort: number;
  readonly clusterPort: number;
}

const ACCOUNT = 'guest:guest';
/** The node that the others join. */
const FIRST = 'lab1@localhost';

/**
 * Starts three nodes, each with ports and a folder of its own, beside whatever RabbitMQ runs on this machine: they have
 * a port mapper and a cookie of their own. Resolves once the first one knows that all three run. Rejects where they do
 * not in time. Takes some 15 s, and 150 MB for each node.
 */
export async function startRabbitCluster(programs: {
  readonly server: string;
  readonly portMapper: string;
}): Promise<RabbitCluster> {
  const home = mkdtempSync(join(tmpdir(), 'boxtwin-rabbit-'));
  writeFileSync(join(home, '.erlang.cookie'), 'BOXTWIN', { mode: 0o400 });
  const remove = () => rmSync(home, { recursive: true, force: true });
  const mapperPort = await freePort();
  const places: Place[] = [];
  for (const name of [FIRST, 'lab2@localhost', 'lab3@localhost']) {
    const folder = join(home, name);
    mkdirSync(folder);
    const [amqpPort, adminPort, clusterPort] = [await freePort(), await freePort(), await freePort()];
    places.push({ name, folder, amqpPort, adminPort, clusterPort });
  }
  const [first, ...others] = places;
  if (first === undefined) throw new Error('There is no first node.');
  const begin = (place: Place) => startRabbit(programs.server, home, mapperPort, place);
  const [mapper] = await startTogether([startMapper(programs.portMapper, home, mapperPort)], remove);
  const begun: Node[] = mapper === undefined ? [] : [mapper];
  const end = () => stopTogether(begun, remove);
  try {
    // Nodes that all look for each other at once may form two clusters.
    const seed = await begin(first);
    begun.push(seed);
    const joined = await startTogether(others.map(begin), () => undefined);
    begun.push(...joined);
    const nodes = [seed, ...joined];
    await waitUntil(() => allRun(seed.adminUrl, nodes.length).catch(() => false), limits.startMs);
    return {
      nodes,
      url: nodes.map(({ url }) => url).join(','),
      adminUrl: nodes.map(({ adminUrl }) => adminUrl).join(','),
      stop: async () => {
        await stopTogether(nodes, () => undefined);
        await end();
      },
    };
  } catch (error) {
    await end();
    throw error;
  }
}

/** Erlang's port mapper, by which nodes find each other's ports. */
function startMapper(program: string, folder: string, port: number): Promise<Node> {
  return startNode({
    name: 'port mapper',
    program,
    args: ['-address', '127.0.0.1', '-port', String(port)],
    folder,
    serves: () => listens(port),
  });
}

async function startRabbit(
  program: string,
  home: string,
  mapperPort: number,
  place: Place,
): Promise<RabbitNode> {
  const { name, folder, amqpPort, adminPort, clusterPort } = place;
  const file = (base: string, text: string) => {
    writeFileSync(join(folder, base), text);
    return join(folder, base);
  };
  const node = await startNode({
    name,
    program,
    args: [],
    folder,
    environment: {
      HOME: home,
      ERL_EPMD_PORT: String(mapperPort),
      ERL_EPMD_ADDRESS: '127.0.0.1',
      // Erlang then takes the place of the script, so that a signal reaches it.
      RUNNING_UNDER_SYSTEMD: 'true',
      // In place of the settings of this machine.
      RABBITMQ_CONF_ENV_FILE: file('rabbitmq-env.conf', ''),
      RABBITMQ_NODENAME: name,
      RABBITMQ_DIST_PORT: String(clusterPort),
      RABBITMQ_MNESIA_BASE: folder,
      RABBITMQ_LOG_BASE: folder,
      RABBITMQ_CONFIG_FILE: file('rabbitmq.conf', settingsOf(place)),
      RABBITMQ_ENABLED_PLUGINS_FILE: file('enabled_plugins', '[rabbitmq_management].'),
      RABBITMQ_PID_FILE: join(folder, 'pid'),
      RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS: '-kernel inet_dist_use_interface {127,0,0,1}',
    },
    serves: async () => (await listens(amqpPort)) && isOk(`http://127.0.0.1:${adminPort}/`),
  });
  return Object.assign(node, {
    url: `amqp://${ACCOUNT}@127.0.0.1:${amqpPort}`,
    adminUrl: `http://${ACCOUNT}@127.0.0.1:${adminPort}`,
  });
}

function settingsOf({ amqpPort, adminPort }: Place): string {
  return [
    `listeners.tcp.default = 127.0.0.1:${amqpPort}`,
    'management.tcp.ip = 127.0.0.1',
    `management.tcp.port = ${adminPort}`,
    'cluster_formation.peer_discovery_backend = classic_config',
    `cluster_formation.classic_config.nodes.1 = ${FIRST}`,
    'log.console = true',
    'log.file = false',
    '',
  ].join('\n');
}

/** Whether the node knows so many that run. */
async function allRun(adminUrl: string, count: number): Promise<boolean> {
  const { origin } = new URL(adminUrl);
  const answer = await fetch(`${origin}/api/nodes?columns=running`, {
    headers: { authorization: `Basic ${btoa(ACCOUNT)}` },
    signal: AbortSignal.timeout(limits.askMs),
  });
  const found = (await answer.json()) as readonly { readonly running: boolean }[];
  return found.filter(({ running }) => running).length === count;
}

function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port });
    const say = (isThere: boolean) => () => {
      socket.destroy();
      resolve(isThere);
    };
    socket.once('connect', say(true)).once('error', say(false));
  });
}
