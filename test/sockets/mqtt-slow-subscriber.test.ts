import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connectAsync, type IClientOptions, type MqttClient } from 'mqtt';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { limits } from '../../brokers/limits.ts';
import { topics } from '../../protocol/topics.ts';
import {
  BACKEND_ACCOUNT,
  BOX_ID,
  type EmbeddedMqttBroker,
  secrets,
  startEmbeddedMqtt,
} from '../support/mqtt/embedded-mqtt-broker.ts';
import { mosquitto, waitUntil, withService } from '../support/run/external-services.ts';

const UP = topics.up(BOX_ID);
const PAYLOAD_BYTES = 16 * 1_024;
const AT_ONCE = 500;

let broker: EmbeddedMqttBroker;
const clients: MqttClient[] = [];
beforeEach(async () => {
  broker = await startEmbeddedMqtt();
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

/** A subscriber with the account of the backend, and what it has received: the number at the start of each payload. */
async function subscriber(clientId: string, clean = true, qos: 0 | 1 = 1) {
  const made = await client(BACKEND_ACCOUNT.username, BACKEND_ACCOUNT.password, { clientId, clean });
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
  const box = await client(BOX_ID, secrets[BOX_ID] ?? '', { clientId: BOX_ID });
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
  test('delays no others: 1,500 publications are acknowledged, and another subscriber receives them all in order', async () => {
    const slow = await subscriber('backend-slow', false);
    const other = await subscriber('backend-other');
    slow.stall();
    await publish(1_500);
    await waitUntil(() => other.heard.length === 1_500, 20_000);
    expect(other.heard).toEqual(upTo(1_500));
    expect(slow.heard.length).toBeLessThan(1_500);
  });

  test('uses memory up to its limit: its connection ends, and its session gets all messages in the next one', async () => {
    const slow = await subscriber('backend-slow', false);
    slow.stall();
    const enough = Math.ceil((2 * limits.mqtt.untakenBytes) / PAYLOAD_BYTES) - 512;
    await publish(enough);
    await waitUntil(() => broker.lines.some((line) => line.includes('it reads too slowly')));
    slow.made.stream.destroy();
    const back = await subscriber('backend-slow', false);
    await waitUntil(() => new Set([...slow.heard, ...back.heard]).size === enough, 30_000);
  }, 90_000);

  test('with QoS 0 loses messages over its limit, and stays connected', async () => {
    const slow = await subscriber('backend-slow', true, 0);
    slow.stall();
    const enough = Math.ceil((2 * limits.mqtt.untakenBytes) / PAYLOAD_BYTES);
    await publish(enough, 0);
    await waitUntil(() => broker.lines.some((line) => line.includes('A publication was dropped')), 20_000);
    expect(broker.lines.filter((line) => line.includes('severed'))).toEqual([]);
  }, 90_000);
});

await withService(mosquitto, ({ subscriber: program, publisher }) => {
  test('a stopped mosquitto_sub does not delay mosquitto_pub', async () => {
    const account = ['-h', '127.0.0.1', '-p', `${broker.port}`];
    const backend = ['-u', BACKEND_ACCOUNT.username, '-P', BACKEND_ACCOUNT.password];
    const options = [...account, ...backend, '-i', 'backend-stopped', '-c', '-q', '1', '-t', UP];
    // Into a pipe it would keep its lines to itself until it ends.
    const stopped = spawn('stdbuf', ['-oL', program, '-d', ...options]);
    try {
      let said = '';
      stopped.stdout.on('data', (chunk) => {
        said += String(chunk);
      });
      await waitUntil(() => said.includes('SUBACK'));
      const other = await subscriber('backend-other');
      stopped.kill('SIGSTOP');
      const box = ['-u', BOX_ID, '-P', secrets[BOX_ID] ?? '', '-i', BOX_ID, '-q', '1', '-t', UP, '-l'];
      const pub = spawn(publisher, [...account, ...box]);
      // One publication a line; the number is what `heard` reads of it.
      for (let line = 0; line < 1_500; line += 1) pub.stdin.write(`${'x'.repeat(PAYLOAD_BYTES)}\n`);
      pub.stdin.end();
      const [code] = (await once(pub, 'exit')) as [number];
      expect(code).toBe(0);
      await waitUntil(() => other.heard.length === 1_500, 20_000);
    } finally {
      stopped.kill('SIGKILL');
    }
  });
});
