import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connectAsync, type IClientOptions, type MqttClient } from 'mqtt';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { limits } from '../../brokers/mqtt/limits.ts';
import { mosquitto, until, withService } from '../services.ts';
import { BACKEND, BOX, type EmbeddedBroker, secrets, startEmbedded } from './embedded-broker.ts';

const UP = `boxes/${BOX}/up`;
const PAYLOAD_BYTES = 16 * 1_024;
const AT_ONCE = 500;

let broker: EmbeddedBroker;
const clients: MqttClient[] = [];
beforeEach(async () => {
  broker = await startEmbedded();
});
afterEach(async () => {
  for (const client of clients.splice(0)) client.stream.destroy();
  await broker.close();
});

async function client(username: string, password: string, more: IClientOptions): Promise<MqttClient> {
  const made = await connectAsync(broker.url, { username, password, reconnectPeriod: 0, ...more });
  made.on('error', () => undefined);
  clients.push(made);
  return made;
}

/** A subscriber with the backend's account, and what it has heard: the number that each payload begins with. */
async function subscriber(clientId: string, clean = true, qos: 0 | 1 = 1) {
  const made = await client(BACKEND.username, BACKEND.password, { clientId, clean });
  const heard: number[] = [];
  made.on('message', (_topic, payload) => heard.push(payload.readUInt32BE(0)));
  await made.subscribeAsync(UP, { qos });
  return {
    heard,
    made,
    /** Reads nothing any more. */
    stall() {
      made.stream.unpipe();
      made.stream.pause();
    },
  };
}

/** Publishes these numbers as a box, hundreds at once; resolves once every one is acknowledged. */
async function publish(count: number, qos: 0 | 1 = 1): Promise<void> {
  const box = await client(BOX, secrets[BOX] ?? '', { clientId: BOX });
  for (let from = 0; from < count; from += AT_ONCE) {
    const some = upTo(Math.min(AT_ONCE, count - from)).map((index) => {
      const payload = Buffer.alloc(PAYLOAD_BYTES);
      payload.writeUInt32BE(from + index, 0);
      return box.publishAsync(UP, payload, { qos });
    });
    await Promise.all(some);
  }
  await box.endAsync();
}

const upTo = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index);

describe('a subscriber that reads nothing', () => {
  test('holds up nobody: 1,500 publications are acknowledged, and another subscriber has them all in order', async () => {
    const slow = await subscriber('backend-slow', false);
    const other = await subscriber('backend-other');
    slow.stall();
    await publish(1_500);
    await until(() => other.heard.length === 1_500, 20_000);
    expect(other.heard).toEqual(upTo(1_500));
    expect(slow.heard.length).toBeLessThan(1_500);
  });

  test('keeps no more than its bound in memory: its connection ends, and its session has all at the next one', async () => {
    const slow = await subscriber('backend-slow', false);
    slow.stall();
    const enough = Math.ceil((2 * limits.untakenBytes) / PAYLOAD_BYTES) - 512;
    await publish(enough);
    await until(() => broker.lines.some((line) => line.includes('does not take what it has subscribed')));
    slow.made.stream.destroy();
    const back = await subscriber('backend-slow', false);
    await until(() => new Set([...slow.heard, ...back.heard]).size === enough, 30_000);
  }, 90_000);

  test('of QoS 0 loses what is beyond its bound, and stays connected', async () => {
    const slow = await subscriber('backend-slow', true, 0);
    slow.stall();
    const enough = Math.ceil((2 * limits.untakenBytes) / PAYLOAD_BYTES);
    await publish(enough, 0);
    await until(() => broker.lines.some((line) => line.includes('A publication was dropped')), 20_000);
    expect(broker.lines.filter((line) => line.includes('severed'))).toEqual([]);
  }, 90_000);
});

await withService(mosquitto, ({ subscriber: program, publisher }) => {
  test('a mosquitto_sub that is stopped holds up no mosquitto_pub', async () => {
    const account = ['-h', '127.0.0.1', '-p', `${broker.port}`];
    const backend = ['-u', BACKEND.username, '-P', BACKEND.password];
    const options = [...account, ...backend, '-i', 'backend-stopped', '-c', '-q', '1', '-t', UP];
    // Into a pipe it would keep its lines to itself until it ends.
    const stopped = spawn('stdbuf', ['-oL', program, '-d', ...options]);
    try {
      let said = '';
      stopped.stdout.on('data', (chunk) => {
        said += String(chunk);
      });
      await until(() => said.includes('SUBACK'));
      const other = await subscriber('backend-other');
      stopped.kill('SIGSTOP');
      const box = ['-u', BOX, '-P', secrets[BOX] ?? '', '-i', BOX, '-q', '1', '-t', UP, '-l'];
      const pub = spawn(publisher, [...account, ...box]);
      // One publication a line; the number is what `heard` reads of it.
      for (let line = 0; line < 1_500; line += 1) pub.stdin.write(`${'x'.repeat(PAYLOAD_BYTES)}\n`);
      pub.stdin.end();
      const [code] = (await once(pub, 'exit')) as [number];
      expect(code).toBe(0);
      await until(() => other.heard.length === 1_500, 20_000);
    } finally {
      stopped.kill('SIGKILL');
    }
  }, 60_000);
});
