import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { connect } from 'amqplib';
import { connectAsync, type MqttClient } from 'mqtt';
import { encodeFrame } from '../../../protocol/codec/frame.ts';
import { topics } from '../../../protocol/topics.ts';
import { endChild, forkProgram, lineOf, messageOf } from '../measure/children.ts';
import { bestOf, type Latencies, type Percentiles, percentilesOf } from '../measure/figures.ts';
import type { FramesPlan } from './frames.ts';
import { boxIdsOf, frameOf, QUEUE, vehicleIdOf } from './frames-fleet.ts';

/**
 * From the moment a frame is made to its message at the consumer, with half of the frames that the service can take to
 * the consumer at all; beside it, at the same rate, the bare chain of the same parts. Boxes and consumer are in this
 * process, the embedded AMQP broker is in one of its own, for both.
 */
const load = {
  boxes: 100,
  burst: 10_000,
  window: 20,
  seconds: 8,
  prefetch: 200,
  patienceMs: 60_000,
} as const;
const BROKER = fileURLToPath(new URL('../../../test/support/amqp/amqp-broker-program.ts', import.meta.url));
const VARIANTS = ['bare', 'service'] as const;
type Variant = (typeof VARIANTS)[number];

export async function frameToMessage(rounds: number): Promise<Latencies> {
  // The rate is that of the first round for all, so that they can be compared.
  const perS = Math.round((await inChain('service', (chain) => capacityOf(chain))) / 2);
  const measured: Record<Variant, Percentiles[]> = { bare: [], service: [] };
  for (let round = 0; round < rounds; round += 1)
    for (const variant of VARIANTS)
      measured[variant].push(
        await inChain(variant, async (chain) => {
          // Warms it.
          await capacityOf(chain);
          return steady(chain, perS);
        }),
      );
  return {
    name: `frame made to message, ${load.boxes} boxes, half of what the service can take`,
    latencies: [{ perS, bare: bestOf(measured.bare), ours: bestOf(measured.service) }],
    aim: undefined,
  };
}

/** A chain that runs, with its boxes and its consumer. */
interface Chain {
  publish(index: number, done?: () => void): void;
  /** Called for each message, with how long it took since its frame was made. */
  onMessage(heard: (tookMs: number) => void): void;
}

async function inChain<T>(variant: Variant, use: (chain: Chain) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'boxtwin-bench-'));
  const broker = spawn(process.execPath, [BROKER, join(folder, 'amqp.sqlite')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let server: ChildProcess | undefined;
  try {
    const amqpUrl = `amqp://owner:owner@127.0.0.1:${await lineOf<number>(broker)}`;
    const plan: FramesPlan = { variant: 'service', boxes: load.boxes, framesPerBox: 0, window: 0, amqpUrl };
    server =
      variant === 'bare'
        ? forkProgram(new URL('./frame-to-message-bare.ts', import.meta.url), { amqpUrl })
        : forkProgram(new URL('./frames-server.ts', import.meta.url), plan);
    const { port } = await messageOf<{ readonly port: number }>(server);
    const { chain, close } = await openChain(port, amqpUrl);
    try {
      return await use(chain);
    } finally {
      await close();
    }
  } finally {
    if (server?.connected === true) {
      const exit = once(server, 'exit');
      server.send('end');
      await exit;
    }
    await endChild(broker, 'SIGTERM');
    rmSync(folder, { recursive: true, force: true });
  }
}

async function openChain(mqttPort: number, amqpUrl: string) {
  const boxIds = boxIdsOf(load.boxes);
  const clients = await Promise.all(
    boxIds.map((clientId) =>
      connectAsync(`mqtt://127.0.0.1:${mqttPort}`, { clientId, username: clientId, password: 'bench' }),
    ),
  );
  const indexOf = new Map(boxIds.map((boxId, index) => [vehicleIdOf(boxId), index]));
  /** Of each box the moments at which its frames were made; messages of one vehicle come in their order. */
  const made: number[][] = boxIds.map(() => []);
  const heard: number[] = boxIds.map(() => 0);
  let listener: (tookMs: number) => void = () => undefined;

  const connection = await connect(amqpUrl, { noDelay: true });
  const channel = await connection.createChannel();
  await thereIs(amqpUrl, QUEUE);
  await channel.prefetch(load.prefetch);
  await channel.consume(QUEUE, (message) => {
    if (message === null) return;
    const arrivedMs = performance.now();
    channel.ack(message);
    const body = JSON.parse(message.content.toString('utf8')) as {
      readonly data: { readonly vehicle_id: string };
    };
    const index = indexOf.get(body.data.vehicle_id);
    if (index === undefined) return;
    const madeMs = made[index]?.[heard[index] ?? 0];
    heard[index] = (heard[index] ?? 0) + 1;
    if (madeMs !== undefined) listener(arrivedMs - madeMs);
  });

  const chain: Chain = {
    publish(index, done) {
      const [client, times] = [clients[index], made[index]];
      if (client === undefined || times === undefined) return;
      times.push(performance.now());
      const frame = encodeFrame(frameOf(times.length, Date.now()));
      client.publish(topics.up(boxIds[index] ?? ''), Buffer.from(frame), { qos: 1 }, () => done?.());
    },
    onMessage(next) {
      listener = next;
    },
  };
  const close = async () => {
    await connection.close();
    await Promise.all(clients.map((client: MqttClient) => client.endAsync(true)));
  };
  return { chain, close };
}

/** Resolves once the queue is there: the service makes it when it has connected. */
async function thereIs(amqpUrl: string, queue: string): Promise<void> {
  const endMs = performance.now() + load.patienceMs;
  for (;;) {
    const connection = await connect(amqpUrl);
    // A channel on which a queue was missed is closed by the broker.
    const channel = await connection.createChannel();
    channel.on('error', () => undefined);
    const isThere = await channel.checkQueue(queue).then(
      () => true,
      () => false,
    );
    await connection.close();
    if (isThere) return;
    if (performance.now() > endMs) throw new Error(`There is no queue ${queue}.`);
    await sleep(100);
  }
}

/** Messages a second at the consumer, with as many frames as the chain takes. */
async function capacityOf(chain: Chain): Promise<number> {
  const all = arrivals(chain, load.burst);
  const beganMs = performance.now();
  let sent = 0;
  const send = (index: number) => {
    if (sent === load.burst) return;
    sent += 1;
    chain.publish(index, () => send(index));
  };
  for (let index = 0; index < load.boxes; index += 1)
    for (let open = 0; open < load.window; open += 1) send(index);
  await all;
  return load.burst / ((performance.now() - beganMs) / 1_000);
}

/** Frames at their times, whatever becomes of those before. */
async function steady(chain: Chain, perS: number): Promise<Percentiles> {
  const count = perS * load.seconds;
  const all = arrivals(chain, count);
  const beganMs = performance.now();
  for (let index = 0; index < count; index += 1) {
    const leftMs = beganMs + (index * 1_000) / perS - performance.now();
    if (leftMs > 1) await sleep(leftMs);
    chain.publish(index % load.boxes);
  }
  return percentilesOf(await all, 0);
}

/** Resolves with how long each took once so many messages have come. Rejects where they do not in time. */
function arrivals(chain: Chain, count: number): Promise<readonly number[]> {
  return new Promise((resolve, reject) => {
    const tookMs: number[] = [];
    const late = setTimeout(
      () => reject(new Error(`${tookMs.length} of ${count} messages came.`)),
      load.patienceMs,
    );
    chain.onMessage((ms) => {
      tookMs.push(ms);
      if (tookMs.length < count) return;
      clearTimeout(late);
      resolve(tookMs);
    });
  });
}
