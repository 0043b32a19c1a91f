import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from 'amqplib';
import type { Figure } from '../measure/figures.ts';

/**
 * Messages per second that one consumer reads from a durable queue, each acknowledged individually: the embedded
 * broker, in a separate process and with its file on disk, compared with RabbitMQ on this machine.
 */
const load = { messages: 5_000, bodyBytes: 500 } as const;
const QUEUE = 'boxtwin-bench-consume';
const BROKER = new URL('../../../test/support/amqp/amqp-broker-program.ts', import.meta.url).pathname;
const rabbit = process.env['AMQP_URL'] ?? 'amqp://guest:guest@127.0.0.1:5672';

/** With one message at a time. */
export const consumeOne = (count: number) => consume(1, count);
/** With two hundred on their way. */
export const consumeMany = (count: number) => consume(200, count);

async function consume(prefetch: number, count: number): Promise<Figure | string> {
  const probe = await connect(rabbit).catch((error: unknown) => String(error));
  if (typeof probe === 'string') return `no RabbitMQ at ${new URL(rabbit).host}: ${probe}`;
  await probe.close();
  const folder = mkdtempSync(join(tmpdir(), 'boxtwin-bench-'));
  const { child, url } = await startBroker(join(folder, 'amqp.sqlite'));
  const rounds: { bare: number; ours: number }[] = [];
  for (let round = 0; round <= count; round += 1) {
    const bare = await measure(rabbit, prefetch);
    const ours = await measure(url, prefetch);
    if (round > 0) rounds.push({ bare, ours });
  }
  child.kill();
  rmSync(folder, { recursive: true, force: true });
  return { name: `consuming with a prefetch of ${prefetch}`, unit: 'messages/s', rounds, aim: 1 };
}

function startBroker(path: string): Promise<{ readonly child: ChildProcess; readonly url: string }> {
  const child = spawn(process.execPath, [BROKER, path], { stdio: ['ignore', 'pipe', 'inherit'] });
  return new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`The broker ended with ${code}.`)));
    child.stdout.once('data', (bytes: Buffer) => {
      resolve({ child, url: `amqp://owner:owner@127.0.0.1:${bytes.toString().trim()}` });
    });
  });
}

async function measure(url: string, prefetch: number): Promise<number> {
  const connection = await connect(url, { noDelay: true });
  const channel = await connection.createConfirmChannel();
  await channel.assertQueue(QUEUE, { durable: true });
  await channel.purgeQueue(QUEUE);
  for (let index = 0; index < load.messages; index += 1)
    channel.sendToQueue(QUEUE, Buffer.alloc(load.bodyBytes, 120), { persistent: true });
  await channel.waitForConfirms();
  await channel.prefetch(prefetch);
  const from = performance.now();
  await new Promise<void>((resolve) => {
    let taken = 0;
    void channel.consume(QUEUE, (message) => {
      if (message === null) return;
      channel.ack(message);
      taken += 1;
      if (taken === load.messages) resolve();
    });
  });
  const rate = load.messages / ((performance.now() - from) / 1_000);
  await channel.deleteQueue(QUEUE);
  await connection.close();
  return rate;
}
