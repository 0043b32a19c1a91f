import { createServer, type Server, type Socket } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { AmqpConnectionLost, type AmqpPublisher, AmqpRefused } from '../../world/amqp/amqp-publisher.ts';
import { realAmqpPublisher } from '../../world/amqp/real-amqp-publisher.ts';
import { waitUntil } from '../support/run/external-services.ts';

/** An AMQP 0-9-1 method of a client, by class and method id: `60.40` is basic.publish. */
type MethodId = `${number}.${number}`;

interface FakeAmqpServer {
  readonly url: string;
  /** Every method that the client sent, in order. */
  readonly methods: MethodId[];
  /** Sends a method on a channel. */
  send(channel: number, method: MethodId, args?: readonly number[]): void;
  /** Whether the client has hung up. */
  isLeft(): boolean;
  /** Severs the connection. */
  cut(): void;
  close(): void;
}

/**
 * A peer that performs the handshake of an AMQP broker and then does only what the test requests. A frame is
 * (section 2.3.5)
 *
 *     type u8 | channel u16 | size u32 | payload | 0xce      payload of a method: class u16, method u16, arguments
 */
function startFakeAmqpServer(unanswered: readonly MethodId[] = []): Promise<FakeAmqpServer> {
  const methods: MethodId[] = [];
  let client: Socket | undefined;
  const send = (channel: number, method: MethodId, args: readonly number[] = []) => {
    const [classId = 0, methodId = 0] = method.split('.').map(Number);
    const payload = [...u16(classId), ...u16(methodId), ...args];
    client?.write(Uint8Array.from([1, ...u16(channel), ...u32(payload.length), ...payload, 0xce]));
  };
  const server = createServer((socket) => {
    client = socket;
    let bytes = Buffer.alloc(0);
    let hasGreeted = false;
    socket.on('error', () => undefined);
    socket.on('data', (chunk: Buffer) => {
      bytes = Buffer.concat([bytes, chunk]);
      if (!hasGreeted && bytes.length >= 8) {
        hasGreeted = true;
        bytes = bytes.subarray(8);
        // connection.start: version 0-9, no properties, the one mechanism, the one locale
        send(0, '10.10', [0, 9, ...u32(0), ...longText('PLAIN'), ...longText('en_US')]);
      }
      while (hasGreeted && bytes.length >= 7 && bytes.length >= 8 + bytes.readUInt32BE(3)) {
        const size = bytes.readUInt32BE(3);
        if (bytes[0] === 1) take(bytes.readUInt16BE(1), `${bytes.readUInt16BE(7)}.${bytes.readUInt16BE(9)}`);
        bytes = bytes.subarray(8 + size);
      }
    });
  });
  function take(channel: number, method: MethodId): void {
    methods.push(method);
    const answer = ANSWERS[method];
    if (answer !== undefined && !unanswered.includes(method)) send(channel, answer.method, answer.args);
  }
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      const port = address !== null && typeof address === 'object' ? address.port : 0;
      resolve({
        url: `amqp://u:p@127.0.0.1:${port}`,
        methods,
        send,
        isLeft: () => client?.closed === true,
        cut: () => void client?.destroy(),
        close: () => {
          client?.destroy();
          server.close();
        },
      });
    });
  });
}

const u16 = (value: number) => [value >> 8, value & 0xff];
const u32 = (value: number) => [...u16(value >>> 16), ...u16(value & 0xffff)];
const longText = (text: string) => [...u32(text.length), ...Buffer.from(text)];
const shortTextBytes = (text: string) => [text.length, ...Buffer.from(text)];
/** The arguments of basic.ack (60.80) and basic.nack (60.120) for one message. */
const deliveryTagBytes = (deliveryTag: number) => [...u32(0), ...u32(deliveryTag), 0];

const ANSWERS: Readonly<
  Partial<Record<MethodId, { readonly method: MethodId; readonly args?: readonly number[] }>>
> = {
  // start-ok → tune: 100 channels, frames of 128 KiB, no own heartbeat
  '10.11': { method: '10.30', args: [...u16(100), ...u32(131_072), ...u16(0)] },
  // open → open-ok
  '10.40': { method: '10.41', args: [0] },
  // close → close-ok
  '10.50': { method: '10.51' },
  // channel.open → open-ok, channel.close → close-ok
  '20.10': { method: '20.11', args: u32(0) },
  '20.40': { method: '20.41' },
  // confirm.select → select-ok
  '85.10': { method: '85.11' },
};

const peers: FakeAmqpServer[] = [];
const servers: Server[] = [];
const sockets: Socket[] = [];
afterEach(() => {
  for (const peer of peers.splice(0)) peer.close();
  for (const socket of sockets.splice(0)) socket.destroy();
  for (const server of servers.splice(0)) server.close();
});

async function start(unanswered: readonly MethodId[] = []): Promise<FakeAmqpServer> {
  const peer = await startFakeAmqpServer(unanswered);
  peers.push(peer);
  return peer;
}

async function open(url: string, connectTimeoutMs = 5_000) {
  const notified: string[] = [];
  const session = await realAmqpPublisher({ url }).open(
    { connectTimeoutMs },
    {
      closed: (reason) => notified.push(`closed: ${reason}`),
      blocked: (isBlocked) => notified.push(`blocked: ${isBlocked}`),
    },
  );
  return { session, notified };
}

const message = {
  exchange: 'test.events',
  routingKey: 'F.M',
  body: Uint8Array.of(1),
  messageId: '1',
  type: 't',
  timestampS: 1,
  contentType: 'application/json',
  headers: {},
};
const PUBLISH: MethodId = '60.40';
const count = (peer: FakeAmqpServer, method: MethodId) =>
  peer.methods.filter((each) => each === method).length;

describe('the real AMQP publisher and the nodes of a cluster', () => {
  const connections = (peer: FakeAmqpServer) => count(peer, '10.40');
  const openOne = (publisher: AmqpPublisher, closed: (reason: string) => void = () => undefined) =>
    publisher.open({ connectTimeoutMs: 2_000 }, { closed, blocked: () => undefined });

  test('begins at the first one, and goes to the next one where a session ends, whoever ends it', async () => {
    const [one, two] = [await start(), await start()];
    const publisher = realAmqpPublisher({ url: [one.url, two.url] });
    const lost = Promise.withResolvers<string>();
    await openOne(publisher, lost.resolve);
    one.cut();
    await lost.promise;
    const given = await openOne(publisher);
    expect([connections(one), connections(two)]).toEqual([1, 1]);
    await given.close();
    await openOne(publisher);
    expect([connections(one), connections(two)]).toEqual([2, 1]);
  });

  test('tries each one within the time for connecting, and stays at that which takes it', async () => {
    const silent = await start(['10.11']);
    const down = await start();
    down.close();
    const [up, spare] = [await start(), await start()];
    const publisher = realAmqpPublisher({ url: [silent.url, down.url, up.url, spare.url] });
    await openOne(publisher);
    await openOne(publisher);
    expect([connections(silent), connections(up), connections(spare)]).toEqual([0, 2, 0]);
  });

  test('is refused with the reason of each one where none takes it', async () => {
    const peers = [await start(), await start()];
    for (const peer of peers) peer.close();
    const refused = openOne(realAmqpPublisher({ url: peers.map(({ url }) => url) }));
    await expect(refused).rejects.toBeInstanceOf(AmqpRefused);
    for (const { url } of peers) await expect(refused).rejects.toThrow(new URL(url).host);
  });
});

describe('the real AMQP publisher and a misbehaving broker', () => {
  test('one that never answers is abandoned after the time-out, even if it sends single bytes', async () => {
    const drip = createServer((socket) => {
      sockets.push(socket);
      socket.on('error', () => undefined);
      // The beginning of a frame that is never completed.
      const timer = setInterval(() => socket.write(Uint8Array.of(1)), 20);
      socket.once('close', () => clearInterval(timer));
    });
    servers.push(drip);
    await new Promise<void>((resolve) => {
      drip.listen(0, '127.0.0.1', () => resolve());
    });
    const address = drip.address();
    const port = address !== null && typeof address === 'object' ? address.port : 0;
    await expect(open(`amqp://127.0.0.1:${port}`, 150)).rejects.toBeInstanceOf(AmqpRefused);
    const silent = await start(['10.11']);
    await expect(open(silent.url, 150)).rejects.toThrow(/150 ms|ETIMEDOUT/);
    const noChannel = await start(['20.10']);
    await expect(open(noChannel.url, 150)).rejects.toBeInstanceOf(AmqpRefused);
  });

  test('a refusal never shows the password', async () => {
    const silent = await start(['10.11']);
    const url = silent.url.replace('u:p@', 'user:geheim@');
    await expect(open(url, 100)).rejects.not.toThrow(/geheim/);
  });

  test('blocked and unblocked are reported', async () => {
    const peer = await start();
    const { notified } = await open(peer.url);
    peer.send(0, '10.60', shortTextBytes('low on memory'));
    peer.send(0, '10.61');
    await waitUntil(() => notified.length === 2);
    expect(notified).toEqual(['blocked: true', 'blocked: false']);
  });

  test('ack, nack and no answer are three different outcomes', async () => {
    const peer = await start();
    const { session, notified } = await open(peer.url);
    const words = [1, 2, 3].map((id) =>
      session.publish({ ...message, messageId: `${id}` }).catch((error: unknown) => error),
    );
    await waitUntil(() => count(peer, PUBLISH) === 3);
    peer.send(1, '60.120', deliveryTagBytes(2));
    peer.send(1, '60.80', deliveryTagBytes(1));
    expect(await words[0]).toBe('confirmed');
    expect(await words[1]).toBe('refused');
    peer.cut();
    expect(await words[2]).toBeInstanceOf(AmqpConnectionLost);
    await waitUntil(() => notified.length > 0);
    expect(notified).toHaveLength(1);
    await expect(session.publish(message)).rejects.toBeInstanceOf(AmqpConnectionLost);
  });

  test('a connection that the broker closes gives the reason of the broker', async () => {
    const peer = await start();
    const { session, notified } = await open(peer.url);
    const word = session.publish(message).catch((error: unknown) => error);
    await waitUntil(() => count(peer, PUBLISH) === 1);
    // connection.close: 320 CONNECTION_FORCED, as sent by RabbitMQ when it shuts down.
    peer.send(0, '10.50', [320 >> 8, 320 & 0xff, ...shortTextBytes('going down'), 0, 0, 0, 0]);
    expect(await word).toBeInstanceOf(AmqpConnectionLost);
    await waitUntil(() => notified.length === 1);
    expect(notified[0]).toMatch(/going down/);
  });

  test('one that does not answer a close does not block the publisher for ever, and unconfirmed messages are in doubt', async () => {
    const peer = await start(['10.50']);
    const { session, notified } = await open(peer.url);
    const word = session.publish(message).catch((error: unknown) => error);
    await session.close();
    expect(notified).toEqual(['closed: ended']);
    await waitUntil(() => peer.isLeft());
    expect(await word).toBeInstanceOf(AmqpConnectionLost);
    expect(notified).toHaveLength(1);
  });

  test('one that stops responding is detected by the heartbeat', async () => {
    const peer = await start();
    const { notified } = await open(`${peer.url}?heartbeat=1`);
    await waitUntil(() => notified.length === 1);
    expect(notified[0]).toMatch(/heartbeat/i);
  });

  test('a declaration in progress when the connection ends is lost, not refused', async () => {
    const peer = await start();
    const { session } = await open(peer.url);
    const declaring = session.declareExchange('test.events', 'topic').catch((error: unknown) => error);
    await waitUntil(() => count(peer, '40.10') === 1);
    peer.cut();
    expect(await declaring).toBeInstanceOf(AmqpConnectionLost);
  });

  test('a message that cannot be encoded is refused, and the session stays open', async () => {
    const peer = await start();
    const { session } = await open(peer.url);
    const tooLong = session.publish({ ...message, routingKey: 'x'.repeat(300) });
    await expect(tooLong).rejects.toBeInstanceOf(AmqpRefused);
    const word = session.publish(message);
    await waitUntil(() => count(peer, PUBLISH) === 1);
    peer.send(1, '60.80', deliveryTagBytes(1));
    expect(await word).toBe('confirmed');
  });
});
