import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ChannelModel, connect } from 'amqplib';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { waitUntil } from '../support/run/external-services.ts';

const CHILD = new URL('../support/amqp/amqp-broker-program.ts', import.meta.url).pathname;

let folder: string;
let child: ChildProcess | undefined;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'boxtwin-amqp-kill-'));
});
afterEach(async () => {
  await kill();
  rmSync(folder, { recursive: true });
});

/** Starts the broker as a process; gives its address. */
async function start(): Promise<string> {
  const started = spawn(process.execPath, [CHILD, join(folder, 'amqp.db')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  child = started;
  const port = await new Promise<string>((resolve, reject) => {
    started.stdout.once('data', (bytes: Buffer) => resolve(bytes.toString().trim()));
    started.once('exit', (code) => reject(new Error(`The broker ended with ${code}`)));
  });
  return `amqp://owner:owner@127.0.0.1:${port}`;
}

/** Kills it, so that it cannot write anything more. */
async function kill(): Promise<void> {
  const running = child;
  child = undefined;
  if (running === undefined || running.exitCode !== null || running.signalCode !== null) return;
  const ended = new Promise((resolve) => running.once('exit', resolve));
  running.kill('SIGKILL');
  await ended;
}

async function signIn(url: string): Promise<ChannelModel> {
  const connection = await connect(url, { noDelay: true });
  connection.on('error', () => undefined);
  return connection;
}

test('kill -9 during publishing and acknowledging: all confirmed messages are kept, in order', async () => {
  const acknowledged = new Set<number>();
  const confirmed = new Set<number>();
  let published = 0;
  for (let round = 0; round < 2; round++) {
    const connection = await signIn(await start());
    const channel = await connection.createConfirmChannel();
    channel.on('error', () => undefined);
    await channel.assertQueue('kept', { durable: true });
    await channel.assertQueue('passing', { durable: false });
    await channel.bindQueue('kept', 'amq.topic', 'a.#');
    const before = (await channel.checkQueue('kept')).messageCount;
    expect(before).toBeGreaterThanOrEqual(confirmed.size - acknowledged.size);
    channel.publish('amq.topic', 'a.b', Buffer.from('not persistent'), { persistent: false });
    const wanted = confirmed.size + 150;
    const send = () => {
      const number = published++;
      channel.publish(
        'amq.topic',
        'a.b',
        Buffer.from(`${number}`),
        { persistent: true },
        (error: unknown) => {
          if (error === null) confirmed.add(number);
        },
      );
    };
    for (let count = 0; count < 400; count++) send();
    const reader = await connection.createChannel();
    reader.on('error', () => undefined);
    await reader.prefetch(10);
    await reader.consume('kept', (message) => {
      if (message === null) return;
      const number = Number(message.content.toString());
      if (number % 3 !== 0) return;
      acknowledged.add(number);
      reader.ack(message);
    });
    await waitUntil(() => confirmed.size >= wanted);
    await kill();
    connection.close().catch(() => undefined);
  }
  const connection = await signIn(await start());
  const channel = await connection.createChannel();
  const left: number[] = [];
  const { messageCount } = await channel.checkQueue('kept');
  await channel.consume('kept', (message) => left.push(Number(message?.content.toString())), { noAck: true });
  await waitUntil(() => left.length === messageCount);
  expect(left.some(Number.isNaN)).toBe(false);
  expect(new Set(left).size).toBe(left.length);
  expect(left).toEqual([...left].sort((one, other) => one - other));
  expect([...confirmed].filter((each) => !acknowledged.has(each) && !left.includes(each))).toEqual([]);
  await connection.close();
});
