import { randomUUID } from 'node:crypto';
import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { jsonLine } from '../../../cli/commands/tail-rows.ts';
import { partitionOf } from '../../../protocol/partitions.ts';
import { waitUntil } from '../run/external-services.ts';
import { freePort } from '../run/free-port.ts';
import { PROGRAM } from '../run/product.ts';
import { startPostgresServer } from '../sockets/postgres-server.ts';
import { runCommand } from '../sockets/up-process.ts';
import { type Balancer, startBalancer } from './balancer.ts';
import { type BackendHealth, healthText, isWell, readHealth } from './deployment-health.ts';
import { limits } from './limits.ts';
import { startNatsCluster } from './nats-cluster.ts';
import { isOk, type Node, startNode } from './node.ts';
import { type QueueReader, startQueueReader } from './queue-reader.ts';
import { startRabbitCluster } from './rabbit-cluster.ts';
import { startWireWitness } from './wire-witness.ts';

/**
 * Starts a command of boxtwin that listens at `port`, such as `backend`, and resolves once it answers at `path`. `restart`
 * starts it again until it serves, as a supervisor does: what it needs may be away.
 */
async function startBoxtwin(plan: {
  readonly name: string;
  readonly args: readonly string[];
  readonly folder: string;
  readonly port: number;
  /** Answered with 200 once it serves. */
  readonly path: string;
}): Promise<Node> {
  const { name, args, folder, port, path } = plan;
  const node = await startNode({
    name,
    folder,
    program: process.execPath,
    args: [PROGRAM, ...args],
    // They start many times, and compiling is the most of that.
    environment: { NODE_COMPILE_CACHE: join(tmpdir(), 'boxtwin-compile-cache') },
    serves: () => isOk(`http://127.0.0.1:${port}${path}`),
  });
  return {
    name,
    get log() {
      return node.log;
    },
    kill: () => node.kill(),
    stop: () => node.stop(),
    restart: () =>
      waitUntil(
        () =>
          node.restart().then(
            () => true,
            () => false,
          ),
        limits.startMs,
      ),
  };
}

/** The programs that are not ours. */
export interface DeploymentPrograms {
  readonly nats: { readonly server: string };
  readonly rabbit: { readonly server: string; readonly portMapper: string };
  readonly postgres: { readonly initdb: string; readonly postgres: string };
  readonly balancer: { readonly program: string };
}

export interface DeploymentPlan {
  readonly vehicles: number;
  readonly seed: number;
  /** Of the boxes, at their broker. */
  readonly subscribeQos: '0' | '1';
}

export type PartService = 'backend' | 'shard' | 'postgres' | 'nats' | 'rabbitmq';

/** One process that may be killed while the others go on. */
export interface Part extends Node {
  readonly service: PartService;
}

/** How `boxtwin ledger --json` ended, and as much of its report as is judged. */
export interface LedgerEnd {
  readonly code: number | null;
  readonly records: number;
  readonly delivered: number;
  readonly counts: Readonly<Record<string, number>>;
  readonly text: string;
}

/**
 * Three backends behind a balancer, a fleet in two shards, and what they stand on: PostgreSQL, three nodes of NATS, three
 * of RabbitMQ with quorum queues. All of it with ports and folders of its own; a reader takes all states from their queue.
 */
export interface Deployment {
  readonly parts: readonly Part[];
  /** Where clients call, and as whom. */
  readonly api: { readonly url: string; readonly clientId: string; readonly clientSecret: string };
  /** The vehicles with a box. */
  readonly vehicleIds: readonly string[];
  of(service: PartService): readonly Part[];
  /** Of each backend, in its order; undefined: it does not answer. */
  health(): Promise<readonly (BackendHealth | undefined)[]>;
  /** Whether all backends are ready, and all partitions are served. */
  isWell(): Promise<boolean>;
  /** What became of each command in the store, by the flow id of its request: an outcome for each row. */
  outcomes(): Promise<ReadonlyMap<string, readonly string[]>>;
  /** What the MQTT broker has carried for a vehicle from one moment to another, and what its partition is. */
  wire(vehicleId: string, fromMs: number, toMs: number): readonly string[];
  /** Ends the boxes, waits until all that is stored is out of the queue, and keeps the ledger. Boxes go on afterwards. */
  ledger(): Promise<LedgerEnd>;
  stop(): Promise<void>;
}

const SIMULATED_SHARDS = [1, 2];
const BACKENDS = ['backend-1', 'backend-2', 'backend-3'];
const STATES = 'VehicleState_v1-demo';

/** Starts all of it; resolves once all backends are ready. Rejects, with nothing left, where a part does not start. */
export async function startDeployment(
  programs: DeploymentPrograms,
  plan: DeploymentPlan,
): Promise<Deployment> {
  const folder = mkdtempSync(join(tmpdir(), 'boxtwin-deployment-'));
  const ends: (() => Promise<unknown>)[] = [];
  const stop = async () => {
    for (const end of ends.splice(0).reverse()) await end();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const built = await build(programs, folder, plan, (end) => void ends.push(end));
    return { ...built, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function build(
  programs: DeploymentPrograms,
  folder: string,
  { vehicles, seed, subscribeQos }: DeploymentPlan,
  onStop: (end: () => Promise<unknown>) => void,
): Promise<Omit<Deployment, 'stop'>> {
  const data = join(folder, 'data');
  const fleet = ['--vehicles', String(vehicles), '--seed', String(seed), '--data', data];
  const boxes = await listBoxes(fleet);
  const identity = JSON.parse(readFileSync(join(data, 'boxtwin.json'), 'utf8')) as Identity;
  const simulatorPorts = await freePorts(SIMULATED_SHARDS.length);
  const ports = await freePorts(BACKENDS.length);
  const secrets = new Map(boxes.map(({ boxId, password }) => [boxId, password]));
  const witnessed = { username: 'witness', password: randomUUID(), clientId: 'witness' };
  const nats = await startNatsCluster(programs.nats, {
    service: identity.mqtt_password,
    boxes: secrets,
    witness: witnessed.password,
  });
  onStop(() => nats.stop());
  const witness = await startWireWitness(nats.url, witnessed);
  onStop(() => witness.close());
  const rabbit = await startRabbitCluster(programs.rabbit);
  onStop(() => rabbit.stop());
  const server = await startPostgresServer(programs.postgres);
  onStop(() => server.remove());
  const postgres: Part = {
    name: 'postgres',
    service: 'postgres',
    log: '',
    kill: () => server.end('SIGKILL'),
    stop: () => server.end('SIGINT'),
    restart: async () => {
      await server.end('SIGINT');
      await server.start();
    },
  };
  const places = BACKENDS.map((name, index) => ({ name, port: ports[index] ?? 0 }));
  const balancer = await startBalancer(programs.balancer, places);
  onStop(() => balancer.stop());
  const ofAll = ['--store', server.url(), '--data', data];
  const begun = async (service: PartService, plan: Parameters<typeof startBoxtwin>[0]): Promise<Part> => {
    const node = await startBoxtwin(plan);
    onStop(() => node.stop());
    return withService(service, node);
  };
  const backend = ({ name, port }: { readonly name: string; readonly port: number }) =>
    begun('backend', {
      name,
      folder,
      port,
      path: '/health/ready',
      args: [
        ...['backend', ...ofAll, '--vehicles', String(vehicles), '--seed', String(seed)],
        ...['--port', String(port), '--simulator', `http://127.0.0.1:${simulatorPorts[0]}`],
        ...['--mqtt', nats.url, '--amqp', rabbit.url, '--amqp-admin', rabbit.adminUrl],
        ...['--amqp-queue-type', 'quorum', '--rate-limit', String(limits.callsPerMinute)],
        ...['--public-url', balancer.url, '--trusted-proxy', '127.0.0.0/8'],
      ],
    });
  const shard = (index: number, port: number) =>
    begun('shard', {
      name: `shard-${index}`,
      folder,
      port,
      path: '/',
      args: [
        ...['fleet', ...fleet, '--shard', `${index}/${SIMULATED_SHARDS.length}`, '--radio', 'ideal'],
        ...['--subscribe-qos', subscribeQos],
        ...['--mqtt', nats.url, '--simulator-port', String(port)],
      ],
    });
  const backends: Part[] = [];
  for (const place of places) backends.push(await backend(place));
  const shards: Part[] = [];
  for (const [place, port] of simulatorPorts.entries()) shards.push(await shard(place + 1, port));
  const messages = join(folder, 'messages.ndjson');
  const reader = startQueueReader(rabbit.url, STATES, (delivery) =>
    appendFileSync(messages, `${jsonLine(delivery, Date.now())}\n`),
  );
  onStop(() => reader.close());
  const parts = [
    ...backends,
    ...shards,
    postgres,
    ...nats.nodes.map((node) => withService('nats', node)),
    ...rabbit.nodes.map((node) => withService('rabbitmq', node)),
  ];
  const health = () => Promise.all(ports.map(readHealth));
  return {
    parts,
    health,
    api: apiOf(balancer, identity),
    vehicleIds: boxes.flatMap(({ vehicleId }) => (vehicleId === '' ? [] : [vehicleId])),
    of: (service) => parts.filter((part) => part.service === service),
    isWell: async () => isWell(await health()),
    outcomes: () => outcomesIn(server.url()),
    wire(vehicleId, fromMs, toMs) {
      const boxId = boxes.find((one) => one.vehicleId === vehicleId)?.boxId ?? '';
      return [`partition ${partitionOf(boxId)}`, ...witness.linesOf(boxId, fromMs, toMs)];
    },
    async ledger() {
      await Promise.all(shards.map((one) => one.stop()));
      try {
        await waitUntil(() => isDrained(server.url(), reader), limits.drainMs).catch(
          async (error: unknown) => {
            const waiting = await waitingIn(server.url());
            const logs = backends.map(({ name, log }) => `--- ${name}\n${log.slice(-limits.toldCharacters)}`);
            throw new Error(`Not drained: ${waiting}; ${healthText(await health())}\n${logs.join('\n')}`, {
              cause: error,
            });
          },
        );
        return await keepLedger([...ofAll, '--messages', messages]);
      } finally {
        await Promise.all(shards.map((one) => one.restart()));
      }
    },
  };
}

interface Identity {
  readonly client_id: string;
  readonly client_secret: string;
  readonly mqtt_password: string;
}

function apiOf({ url }: Balancer, { client_id, client_secret }: Identity): Deployment['api'] {
  return { url, clientId: client_id, clientSecret: client_secret };
}

function withService(service: PartService, node: Node): Part {
  return {
    name: node.name,
    service,
    get log() {
      return node.log;
    },
    kill: () => node.kill(),
    restart: () => node.restart(),
    stop: () => node.stop(),
  };
}

async function freePorts(count: number): Promise<readonly number[]> {
  const ports: number[] = [];
  while (ports.length < count) ports.push(await freePort());
  return ports;
}

/** All boxes of the fleet, as `fleet --write-credentials` writes them; those in stock without a vehicle. */
async function listBoxes(fleet: readonly string[]) {
  const { code, output, errors } = await runCommand(['fleet', ...fleet, '--write-credentials', '-']);
  if (code !== 0) throw new Error(`fleet --write-credentials ended with ${code}: ${errors}`);
  const [, ...lines] = output.trim().split('\n');
  return lines.map((line) => {
    const [boxId = '', password = '', vehicleId = ''] = line.split(',');
    return { boxId, password, vehicleId };
  });
}

async function outcomesIn(url: string): Promise<ReadonlyMap<string, readonly string[]>> {
  const rows = await rowsOf<{ flow_id: string; outcome: string }>(
    url,
    'select flow_id, outcome from commands',
  );
  const outcomes = new Map<string, string[]>();
  for (const { flow_id: id, outcome } of rows) outcomes.set(id, [...(outcomes.get(id) ?? []), outcome]);
  return outcomes;
}

/** Nothing waits in the outbox, and nothing has come out of the queue for a while. */
async function isDrained(url: string, reader: QueueReader): Promise<boolean> {
  const [row] = await rowsOf<{ waiting: number }>(url, 'select count(*)::int as waiting from outbox').catch(
    () => [],
  );
  const last = reader.arrivals.at(-1)?.arrivedMs ?? 0;
  return row?.waiting === 0 && Date.now() - last > limits.quietMs;
}

/** For people: how many messages of which partitions wait, and how long. */
async function waitingIn(url: string): Promise<string> {
  const rows = await rowsOf<{ partition: number; messages: number; oldest_s: number }>(
    url,
    `select partition, count(*)::int as messages,
       (extract(epoch from now()) - min(created_ms) / 1000)::int as oldest_s from outbox group by partition`,
  ).catch((error: unknown) => String(error));
  return typeof rows === 'string' ? rows : JSON.stringify(rows);
}

async function rowsOf<Row extends object>(url: string, sql: string): Promise<readonly Row[]> {
  const client = new Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query<Row>(sql)).rows;
  } finally {
    await client.end();
  }
}

async function keepLedger(args: readonly string[]): Promise<LedgerEnd> {
  const all = ['ledger', ...args, '--late-after', '1'];
  const { code, output, errors } = await runCommand([...all, '--json']);
  if (code !== 0 && output === '') throw new Error(`The ledger ended with ${code}: ${errors}`);
  const report = JSON.parse(output) as Pick<LedgerEnd, 'records' | 'delivered' | 'counts'>;
  const { output: text } = code === 0 ? { output: '' } : await runCommand(all);
  return { code, records: report.records, delivered: report.delivered, counts: report.counts, text };
}
