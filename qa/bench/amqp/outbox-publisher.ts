import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from 'amqplib';
import { makeCounters } from '../../../backend/base/counters.ts';
import { EXCHANGE } from '../../../backend/events/message.ts';
import { startOutboxPublisher } from '../../../backend/events/outbox-publisher.ts';
import type { OutgoingMessage } from '../../../backend/store/port/outbox-store.ts';
import type { Store } from '../../../backend/store/port/store.ts';
import { openThreadedStore } from '../../../backend/store/sqlite/threaded-store.ts';
import { PARTITIONS } from '../../../protocol/partitions.ts';
import { realAmqpPublisher } from '../../../world/amqp/real-amqp-publisher.ts';
import { realLog } from '../../../world/log/real-log.ts';
import { realRandom } from '../../../world/random/real-random.ts';
import { realTime } from '../../../world/time/real-time.ts';
import type { Figure } from '../measure/figures.ts';

/**
 * Messages per second from outbox to confirm, compared with bare amqplib with 500 unconfirmed publications, to a
 * durable queue of the same RabbitMQ with the same bodies and headers.
 */
const load = { messages: 30_000, vehicles: 1_000, bodyBytes: 500, barelyInFlight: 500 } as const;
const QUEUE = 'boxtwin-bench';
const FLEET = 'BENCH';
const url = process.env['AMQP_URL'] ?? 'amqp://guest:guest@127.0.0.1:5672';

export async function outboxPublisher(count: number): Promise<Figure | string> {
  const probe = await connect(url).catch((error: unknown) => String(error));
  if (typeof probe === 'string') return `no RabbitMQ at ${new URL(url).host}: ${probe}`;
  await probe.close();
  const rounds: { bare: number; ours: number }[] = [];
  for (let round = 0; round <= count; round += 1) {
    const bare = await measureBare();
    const ours = await measureOurs();
    if (round > 0) rounds.push({ bare, ours });
  }
  return { name: 'courier, outbox to confirm', unit: 'messages/s', rounds, aim: 1 };
}

function message(index: number): OutgoingMessage {
  return {
    messageId: index.toString().padStart(26, '0'),
    vehicleId: `V${(index % load.vehicles).toString().padStart(5, '0')}`,
    fleetId: FLEET,
    partition: index % PARTITIONS,
    name: 'VehicleStateReceived',
    version: '2.0.0',
    flowId: '00000000-0000-4000-8000-000000000000',
    createdMs: 1_700_000_000_000,
    body: JSON.stringify({ filling: 'x'.repeat(load.bodyBytes - 14) }),
  };
}

async function measureBare(): Promise<number> {
  const connection = await connect(url);
  const channel = await connection.createConfirmChannel();
  await channel.assertExchange(EXCHANGE, 'topic', { durable: true });
  await channel.assertQueue(QUEUE, { durable: true });
  await channel.bindQueue(QUEUE, EXCHANGE, `${FLEET}.#`);
  const from = performance.now();
  await new Promise<void>((resolve) => {
    let next = 0;
    let confirmed = 0;
    const send = () => {
      if (next === load.messages) return;
      const one = message(next);
      next += 1;
      const headers = { 'Flow-ID': one.flowId, 'Message-Type': one.name, 'Message-Version': one.version };
      channel.publish(
        EXCHANGE,
        `${FLEET}.${one.name}`,
        Buffer.from(one.body),
        {
          persistent: true,
          mandatory: true,
          messageId: one.messageId,
          contentType: 'application/json',
          headers,
        },
        () => {
          confirmed += 1;
          if (confirmed === load.messages) resolve();
          send();
        },
      );
    };
    for (let open = 0; open < load.barelyInFlight; open += 1) send();
  });
  const rate = load.messages / ((performance.now() - from) / 1_000);
  await channel.deleteQueue(QUEUE);
  await connection.close();
  return rate;
}

async function measureOurs(): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'boxtwin-bench-'));
  const store = await openThreadedStore(join(folder, 'backend.sqlite'));
  await fill(store);
  const time = realTime();
  const from = performance.now();
  const running = startOutboxPublisher({
    world: { time, random: realRandom(1), log: realLog('error') },
    amqp: realAmqpPublisher({ url }),
    outbox: store.outbox,
    queues: [{ name: QUEUE, fleetId: FLEET }],
    counters: makeCounters(),
  });
  running.wake();
  while ((await store.outbox.size()).messages > 0)
    await new Promise((resolve) => time.alarm(time.nowMs() + 5, () => resolve(0)));
  const rate = load.messages / ((performance.now() - from) / 1_000);
  await running.stop();
  await store.close();
  rmSync(folder, { recursive: true, force: true });
  const connection = await connect(url);
  const channel = await connection.createChannel();
  await channel.deleteQueue(QUEUE);
  await connection.close();
  return rate;
}

async function fill(store: Store): Promise<void> {
  const messages = Array.from({ length: load.messages }, (_, index) => message(index));
  await store.ingest.commit({ boxes: [], records: [], replies: [], messages, quarantine: [] });
}
