import { connect, type Socket } from 'node:net';
import fc from 'fast-check';
import { connectAsync } from 'mqtt';
import { afterEach, describe, expect, test } from 'vitest';
import { limits } from '../../brokers/limits.ts';
import { PortTaken } from '../../brokers/mqtt/listener.ts';
import { topics } from '../../protocol/topics.ts';
import { MqttConnectionLost, MqttRefused } from '../../world/mqtt/mqtt-client.ts';
import { realMqttClient } from '../../world/mqtt/real-mqtt-client.ts';
import {
  BACKEND_ACCOUNT,
  BOX_ID,
  type EmbeddedMqttBroker,
  OTHER_BOX_ID,
  secrets,
  startEmbeddedMqtt,
} from '../support/mqtt/embedded-mqtt-broker.ts';
import { waitUntil } from '../support/run/external-services.ts';
import { certificate } from '../support/sockets/certificate.ts';

const brokers: EmbeddedMqttBroker[] = [];
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  for (const broker of brokers.splice(0)) await broker.close();
});

async function start(more: Parameters<typeof startEmbeddedMqtt>[0] = {}): Promise<EmbeddedMqttBroker> {
  const broker = await startEmbeddedMqtt(more);
  brokers.push(broker);
  return broker;
}

async function open(url: string, ca?: string) {
  const closings: string[] = [];
  const session = await realMqttClient({ url, ...(ca === undefined ? {} : { ca }) }).open(
    {
      clientId: BOX_ID,
      username: BOX_ID,
      password: secrets[BOX_ID] ?? '',
      clean: true,
      keepAliveS: 60,
      connectTimeoutMs: 5_000,
    },
    {
      message: (_topic, _payload, _retained, acknowledge) => acknowledge(),
      closed: (reason) => closings.push(reason),
    },
  );
  return { session, closings };
}

/** A raw connection that sends any bytes; `received` and `isOver` give the result. */
function raw(port: number) {
  const socket = connect({ host: '127.0.0.1', port });
  sockets.push(socket);
  const seen = { received: Buffer.alloc(0), isOver: false };
  socket.on('data', (chunk) => {
    seen.received = Buffer.concat([seen.received, chunk]);
  });
  socket.on('error', () => undefined);
  socket.on('close', () => {
    seen.isOver = true;
  });
  return { socket, seen };
}

const birth = { topic: topics.presence(BOX_ID), payload: Uint8Array.of(1), retain: true };

describe('the embedded MQTT broker', () => {
  test('a port in use is reported as such, and the next attempt gets another', async () => {
    const first = await start();
    const taken = startEmbeddedMqtt({ port: first.port });
    await expect(taken).rejects.toBeInstanceOf(PortTaken);
    await expect(taken).rejects.toMatchObject({ port: first.port });
    await expect(startEmbeddedMqtt({ host: '203.0.113.1' })).rejects.not.toBeInstanceOf(PortTaken);
    const next = await start();
    expect(next.port).not.toBe(first.port);
  });

  test('close ends sessions, frees the port, and closes the connections of the clients', async () => {
    const first = await start();
    const { session, closings } = await open(first.url);
    const stranger = raw(first.port);
    await waitUntil(() => !stranger.socket.connecting);
    await first.close();
    await waitUntil(() => closings.length === 1 && stranger.seen.isOver);
    await expect(session.publish(birth)).rejects.toBeInstanceOf(MqttConnectionLost);
    const again = await start({ port: first.port });
    expect(again.port).toBe(first.port);
  });

  test('uses TLS if it has a certificate, with clients that trust it', async () => {
    const broker = await start({ tls: certificate });
    expect(broker.url).toBe(`mqtts://127.0.0.1:${broker.port}`);
    const { session } = await open(broker.url, certificate.cert);
    await session.publish(birth);
    await session.end();
    await expect(open(broker.url)).rejects.toBeInstanceOf(MqttRefused);
    await expect(open(broker.url)).rejects.toThrow(/self-signed|self signed|certificate/i);
    const byName = await open(`mqtts://localhost:${broker.port}`, certificate.cert);
    byName.session.drop();
    await expect(open(`mqtt://127.0.0.1:${broker.port}`)).rejects.toBeInstanceOf(MqttRefused);
  });

  test('a box whose secret cannot be checked now is refused temporarily, and admitted later', async () => {
    const store = { isAway: true };
    const broker = await start({
      authenticate: async () => {
        if (store.isAway) throw new Error('the store is away');
        return true;
      },
    });
    await expect(open(broker.url)).rejects.toThrow(/Server unavailable/);
    store.isAway = false;
    await (await open(broker.url)).session.end();
  });

  test('packets sent with the CONNECT wait for a slow sign-in, and a client that disconnects meanwhile does not affect others', async () => {
    const waiting: ((isRight: boolean) => void)[] = [];
    const broker = await start({ authenticate: () => new Promise((resolve) => waiting.push(resolve)) });
    const opening = open(broker.url);
    await waitUntil(() => waiting.length === 1);
    const leaver = raw(broker.port);
    leaver.socket.write(connectPacket(OTHER_BOX_ID, 'x'));
    await waitUntil(() => waiting.length === 2);
    leaver.socket.destroy();
    for (const answer of waiting) answer(true);
    const { session } = await opening;
    await session.publish(birth);
    await session.end();
  });

  test.each([0, 2, 5, 6, 127])(
    'a CONNECT of protocol level %i gets CONNACK 1, and its connection ends',
    async (level) => {
      const broker = await start();
      const { socket, seen } = raw(broker.port);
      const packet = connectPacket(BOX_ID, secrets[BOX_ID] ?? '', level);
      // Level 5 has a list of properties behind the keep-alive: an empty one.
      const sent =
        level === 5
          ? Uint8Array.from([
              0x10,
              (packet[1] ?? 0) + 1,
              ...packet.subarray(2, 12),
              0,
              ...packet.subarray(12),
            ])
          : packet;
      socket.write(sent.subarray(0, 5));
      await new Promise((resolve) => setTimeout(resolve, 20));
      socket.write(sent.subarray(5));
      await waitUntil(() => seen.isOver);
      expect([...seen.received]).toEqual([0x20, 2, 0, 1]);
    },
  );

  test('unacknowledged messages are sent again with DUP, queued ones without', async () => {
    const broker = await start();
    const backend = {
      username: BACKEND_ACCOUNT.username,
      password: BACKEND_ACCOUNT.password,
      reconnectPeriod: 0,
    };
    const sender = await connectAsync(broker.url, { ...backend, clientId: 'backend-1' });
    const own = connectPacket(BOX_ID, secrets[BOX_ID] ?? '', 4, 0b1100_0000);
    const down = topics.down(BOX_ID);
    const first = raw(broker.port);
    first.socket.write(own);
    await waitUntil(() => first.seen.received.length >= 4);
    first.socket.write(
      Uint8Array.from([0x82, 5 + down.length, 0, 1, 0, down.length, ...Buffer.from(down), 1]),
    );
    await waitUntil(() => first.seen.received.length >= 9);
    await sender.publishAsync(down, 'sent', { qos: 1 });
    await waitUntil(() => first.seen.received.includes('sent'));
    expect(headsOf(first.seen.received.subarray(9))).toEqual([0x32]);
    first.socket.destroy();
    await waitUntil(() => first.seen.isOver);
    await sender.publishAsync(down, 'waits', { qos: 1, dup: true });
    const second = raw(broker.port);
    second.socket.write(own);
    await waitUntil(() => second.seen.received.includes('waits'));
    expect(headsOf(second.seen.received.subarray(4))).toEqual([0x3a, 0x32]);
    await sender.endAsync();
  });

  test('refused sign-ins of very many names write only a few lines to the log', async () => {
    const broker = await start();
    for (let name = 0; name < 3 * limits.log.loggedPerKind; name += 1) {
      const { socket, seen } = raw(broker.port);
      socket.write(connectPacket(`stranger-${name}`, 'guess'));
      await waitUntil(() => seen.isOver);
    }
    const lines = broker.lines.filter((line) => line.includes('A sign-in at the MQTT broker was refused.'));
    expect(lines).toHaveLength(limits.log.loggedPerKind);
  });

  test('bytes that are not MQTT end only their own connection', async () => {
    const broker = await start();
    const { session } = await open(broker.url);
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ minLength: 1, maxLength: 200 }), async (bytes) => {
        const { socket, seen } = raw(broker.port);
        socket.write(bytes);
        socket.end();
        await waitUntil(() => seen.isOver);
        await session.publish(birth);
      }),
      { numRuns: 60 },
    );
    // After a good beginning, too.
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ minLength: 1, maxLength: 200 }), async (bytes) => {
        const { socket, seen } = raw(broker.port);
        socket.write(connectPacket(OTHER_BOX_ID, secrets[OTHER_BOX_ID] ?? ''));
        await waitUntil(() => seen.received.length >= 4);
        expect([...seen.received.subarray(0, 4)]).toEqual([0x20, 2, 0, 0]);
        socket.write(bytes);
        socket.end();
        await waitUntil(() => seen.isOver);
        await session.publish(birth);
      }),
      { numRuns: 60 },
    );
    await session.end();
  });

  test('a packet with a length of 256 MB is refused at its fifth byte, before and after the sign-in', async () => {
    const broker = await start();
    const announcement = Uint8Array.of(0x30, 0xff, 0xff, 0xff, 0x7f);
    const stranger = raw(broker.port);
    stranger.socket.write(announcement);
    await waitUntil(() => stranger.seen.isOver);
    const box = raw(broker.port);
    box.socket.write(connectPacket(BOX_ID, secrets[BOX_ID] ?? ''));
    await waitUntil(() => box.seen.received.length >= 4);
    box.socket.write(announcement);
    await waitUntil(() => box.seen.isOver);
    expect(broker.lines.filter((line) => line.includes('too-large'))).toHaveLength(1);
  });

  test('a second CONNECT on one connection ends it', async () => {
    const broker = await start();
    const { socket, seen } = raw(broker.port);
    socket.write(connectPacket(BOX_ID, secrets[BOX_ID] ?? ''));
    await waitUntil(() => seen.received.length >= 4);
    socket.write(connectPacket('backend-1', BACKEND_ACCOUNT.password));
    await waitUntil(() => seen.isOver);
  });

  test('the limits are consistent', () => {
    // MQTT has 65,535 packet identifiers; a queue beyond them would use one twice.
    expect(limits.mqtt.queuedMessages).toBeLessThan(65_535);
    expect(limits.mqtt.firstPacketBytes).toBeLessThan(limits.mqtt.packetBytes);
    expect(limits.mqtt.queuedBytes).toBeGreaterThan(limits.mqtt.packetBytes);
  });
});

/** A CONNECT (MQTT 3.1.1 section 3.1) with user name and password, clean session, 60 s. */
/** The first bytes of the packets in a stream; each is shorter than 128 bytes. */
function headsOf(stream: Uint8Array): readonly number[] {
  const heads: number[] = [];
  for (let at = 0; at < stream.length; at += 2 + (stream[at + 1] ?? 0)) heads.push(stream[at] ?? 0);
  return heads;
}

function connectPacket(username: string, password: string, level = 4, flags = 0b1100_0010): Uint8Array {
  const text = (words: string) => [words.length >> 8, words.length & 0xff, ...Buffer.from(words)];
  const body = [
    ...text('MQTT'),
    level,
    flags,
    0,
    60,
    ...text(username),
    ...text(username),
    ...text(password),
  ];
  return Uint8Array.from([0x10, body.length, ...body]);
}
