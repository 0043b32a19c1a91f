import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type ChannelModel, type ConsumeMessage, connect } from 'amqplib';
import { openSqliteStore } from '../../../backend/store/sqlite/store.ts';
import { copyDatabase } from '../../../cli/shared/database-copy.ts';
import type { ArrivedMessage } from '../../../judge/ledger/facts.ts';
import { makeLedgerReport } from '../../../judge/ledger/ledger.ts';
import type { LedgerReport } from '../../../judge/ledger/ledger-account.ts';
import { readMessageLine } from '../../../judge/ledger/read-message.ts';
import type { BoxPlan } from '../../../simulator/box-plan.ts';
import { type Fleet, startFleet } from '../../../simulator/fleet/fleet.ts';
import { planFleet } from '../../../simulator/fleet/fleet-plan.ts';
import { makeSigningKey } from '../../../world/crypto/real-crypto.ts';
import { seededRandom } from '../../../world/random/seeded-random.ts';
import { openRealWorld, type RealWorld } from '../../../world/real-world.ts';
import { waitUntil } from '../run/external-services.ts';
import type { CrashingBackendOptions } from './crashing-backend-program.ts';

const script = fileURLToPath(new URL('./crashing-backend-program.ts', import.meta.url));
/** Older than this nothing may be that is still on its way: no verdict of these tests depends on how fast all went. */
const PATIENT_MS = 3_600_000;

/** A service of which only the backend is killed and restarted, while boxes and brokers keep running. */
export class CrashingService {
  readonly folder = mkdtempSync(join(tmpdir(), 'boxtwin-crash-'));
  readonly fleetId = `C${randomUUID().replaceAll('-', '').slice(0, 8).toUpperCase()}`;
  readonly queue = `VehicleState_v1-crash-${this.fleetId}`;
  readonly mqttPassword = randomUUID();
  readonly plans: readonly BoxPlan[];
  /** What consumers got, in its order. */
  readonly arrivals: ArrivedMessage[] = [];
  readonly #amqpUrl: string;
  #world: RealWorld | undefined;
  #fleet: Fleet | undefined;
  #backend: ChildProcess | undefined;
  #consumer: ChannelModel | undefined;
  /** Where the store is; another file system than the rest where a test wants it. */
  storePath = join(this.folder, 'backend.sqlite');

  constructor(options: { readonly amqpUrl: string; readonly vehicles: number }) {
    this.#amqpUrl = options.amqpUrl;
    const random = seededRandom(1);
    // They report each second while they drive.
    this.plans = planFleet(random, options.vehicles).map((plan) => ({
      ...plan,
      driving: true,
      factorySettings: { 'tracking.enabled': 1, 'tracking.timeIntervalS': 1 },
    }));
  }

  get fleet(): Fleet {
    if (this.#fleet === undefined) throw new Error('The boxes have no power yet.');
    return this.#fleet;
  }

  /** Gives the boxes power. Their flash is this process's, and outlives every backend. */
  async power(mqttUrl: string): Promise<void> {
    this.#world = await openRealWorld({
      seed: 1,
      mqttUrl,
      amqpUrl: undefined,
      flash: join(this.folder, 'flash.sqlite'),
      signingKey: { ...(await makeSigningKey()) },
      log: 'silent',
    });
    this.#fleet = await startFleet(this.#world, this.plans);
  }

  /** Starts the backend; resolves once it is ready, or has died before. */
  async startBackend(
    options: Pick<CrashingBackendOptions, 'mqttUrl' | 'brokerIsNew' | 'crash'> & {
      readonly amqpUrl?: string;
    },
  ): Promise<void> {
    const { storePath, mqttPassword, fleetId, queue, plans } = this;
    const all = { amqpUrl: this.#amqpUrl, ...options, storePath, mqttPassword, fleetId, queue, plans };
    const child = spawn(process.execPath, [script, JSON.stringify(all)], {
      stdio: ['ignore', 'pipe', 'inherit'],
      // It starts many times, and compiling is the most of that.
      env: { ...process.env, NODE_COMPILE_CACHE: join(tmpdir(), 'boxtwin-compile-cache') },
    });
    this.#backend = child;
    await Promise.race([once(child.stdout, 'data'), once(child, 'exit')]);
  }

  /** Resolves with the signal that ended the backend. */
  async backendDeath(): Promise<string | null> {
    const child = this.#backend;
    if (child === undefined) return null;
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    return child.signalCode;
  }

  async killBackend(): Promise<void> {
    this.#backend?.kill('SIGKILL');
    await this.backendDeath();
  }

  /** Reads the queue; with `acknowledges: false` like a consumer that crashes before it acknowledges anything. */
  async consume(acknowledges = true): Promise<void> {
    this.#consumer = await connect(this.#amqpUrl);
    const channel = await this.#consumer.createChannel();
    await channel.assertQueue(this.queue, {
      durable: true,
      arguments: { 'x-message-ttl': 7 * 24 * 3_600_000 },
    });
    await channel.prefetch(acknowledges ? 1_000 : 50);
    await channel.consume(this.queue, (message) => {
      if (message === null) return;
      const arrival = readMessageLine(lineOf(this.queue, message));
      if (arrival !== undefined) this.arrivals.push(arrival);
      if (acknowledges) channel.ack(message);
    });
  }

  /** Ends the consumer's connection without an acknowledgement or a close. */
  async endConsumer(): Promise<void> {
    await this.#consumer?.close();
    this.#consumer = undefined;
  }

  /** The ledger of now, while a backend runs or after its death. */
  async ledger(): Promise<LedgerReport> {
    const copy = join(this.folder, `look-${randomUUID()}.sqlite`);
    const flash = this.#world?.flash;
    // The journals first, as the ledger asks for it.
    const journals = new Map<string, ReadonlyMap<string, Uint8Array>>();
    for (const { boxId } of this.plans) journals.set(boxId, (await flash?.load(boxId)) ?? new Map());
    if (!copyDatabase(this.storePath, copy)) throw new Error('The store is written too busily.');
    const nowMs = Date.now();
    const store = openSqliteStore(copy);
    try {
      return await makeLedgerReport(
        {
          flash: { load: (boxId) => Promise.resolve(journals.get(boxId) ?? new Map()) },
          store,
          messages: stream(this.arrivals),
        },
        { nowMs, lateAfterMs: PATIENT_MS, sinceMs: 0 },
      );
    } finally {
      await store.close();
      for (const end of ['', '-wal', '-shm']) rmSync(copy + end, { force: true });
    }
  }

  /** Cuts the boxes' power, lets the backend publish everything, and returns the final ledger. */
  async settled(): Promise<LedgerReport> {
    await this.#fleet?.stop();
    let report = await this.ledger();
    await waitUntil(async () => {
      report = await this.ledger();
      return !report.cases.some(
        ({ fate, hop }) => fate === 'pending' && (hop === 'outbox' || hop === 'queue'),
      );
    }, 20_000);
    return report;
  }

  async close(): Promise<void> {
    await this.#fleet?.stop();
    await this.killBackend();
    await this.endConsumer();
    const admin = await connect(this.#amqpUrl);
    const channel = await admin.createChannel();
    await channel.deleteQueue(this.queue);
    await admin.close();
    await this.#world?.close();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** As `boxtwin tail` writes a message. */
function lineOf(queue: string, { content, fields, properties }: ConsumeMessage): string {
  return JSON.stringify({
    queue,
    redelivered: fields.redelivered,
    properties: { message_id: properties.messageId as string, type: properties.type as string },
    headers: properties.headers,
    body: JSON.parse(content.toString('utf8')) as unknown,
    arrived_at: new Date().toISOString(),
  });
}

async function* stream(arrivals: readonly ArrivedMessage[]): AsyncGenerator<ArrivedMessage> {
  yield* arrivals;
}
