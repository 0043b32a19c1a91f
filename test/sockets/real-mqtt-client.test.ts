import { createServer, type Server, type Socket } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { type MqttClient, MqttConnectionLost, MqttRefused } from '../../world/mqtt/mqtt-client.ts';
import { realMqttClient } from '../../world/mqtt/real-mqtt-client.ts';
import { waitUntil } from '../support/run/external-services.ts';

const servers: Server[] = [];
const sockets: Socket[] = [];
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
  for (const server of servers.splice(0)) server.close();
});

const CONNACK = Uint8Array.of(0x20, 2, 0, 0);

/** A misbehaving broker: `behave` handles each connection. Resolves with its URL. */
function serve(behave: (socket: Socket) => void): Promise<string> {
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    sockets.push(socket);
    socket.on('error', () => undefined);
    behave(socket);
  });
  servers.push(server);
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      resolve(`mqtt://127.0.0.1:${address !== null && typeof address === 'object' ? address.port : 0}`);
    });
  });
}

async function open(url: string, connectTimeoutMs = 5_000) {
  const closings: string[] = [];
  const session = await realMqttClient({ url }).open(
    { clientId: 'x', username: 'x', password: 'x', clean: true, keepAliveS: 60, connectTimeoutMs },
    {
      message: (_topic, _payload, _retained, acknowledge) => acknowledge(),
      closed: (reason) => closings.push(reason),
    },
  );
  return { session, closings };
}

const report = { topic: 'boxes/x/up', payload: Uint8Array.of(1), retain: false };
/** Answers the first bytes with a CONNACK and then sends nothing more. */
const accept = (socket: Socket) => void socket.once('data', () => socket.write(CONNACK));

describe('the real MQTT client and the quality of service that it subscribes at', () => {
  test.each([
    ['1, if nothing else is said', undefined, 1],
    ['1', 1, 1],
    ['0', 0, 0],
  ] as const)('asks for %s', async (_told, subscribeQos, asked) => {
    // The last byte of a SUBSCRIBE with one filter is the quality of service (MQTT 3.1.1 section 3.8.3).
    const subscribed = Promise.withResolvers<number | undefined>();
    const url = await serve((socket) => {
      accept(socket);
      socket.on('data', (bytes) => {
        if (bytes[0] !== 0x82) return;
        subscribed.resolve(bytes.at(-1));
        socket.write(Uint8Array.of(0x90, 3, bytes[2] ?? 0, bytes[3] ?? 0, asked));
      });
    });
    const session = await realMqttClient({ url, subscribeQos }).open(
      { clientId: 'x', username: 'x', password: 'x', clean: true, keepAliveS: 60, connectTimeoutMs: 5_000 },
      { message: () => undefined, closed: () => undefined },
    );
    await session.subscribe('boxes/0/x/down');
    expect(await subscribed.promise).toBe(asked);
  });
});

describe('the real MQTT client and the nodes of a cluster', () => {
  const connectAs = (
    client: MqttClient,
    clientId: string,
    closed: (reason: string) => void = () => undefined,
  ) =>
    client.open(
      { clientId, username: 'x', password: 'x', clean: true, keepAliveS: 60, connectTimeoutMs: 5_000 },
      { message: () => undefined, closed },
    );

  test('spreads its clients over them, and goes to the next one where a connection fails or ends', async () => {
    const asked: string[] = [];
    const accepted: Socket[] = [];
    const node = (name: string) =>
      serve((socket) => {
        asked.push(name);
        accepted.push(socket);
        accept(socket);
      });
    const down = await serve((socket) => {
      asked.push('down');
      socket.destroy();
    });
    const client = realMqttClient({ url: [await node('a'), down, await node('b')].join(',') });
    const lost = Promise.withResolvers<string>();
    await connectAs(client, 'one', lost.resolve);
    await expect(connectAs(client, 'two')).rejects.toBeInstanceOf(MqttRefused);
    await connectAs(client, 'two');
    expect(asked).toEqual(['a', 'down', 'b']);
    accepted[0]?.destroy();
    await lost.promise;
    await expect(connectAs(client, 'one')).rejects.toBeInstanceOf(MqttRefused);
    await connectAs(client, 'one');
    await connectAs(client, 'three');
    expect(asked.slice(3)).toEqual(['down', 'b', 'b']);
  });

  test('is no client where one of them is not the address of a broker', () => {
    expect(() => realMqttClient({ url: 'mqtt://127.0.0.1,http://127.0.0.1' })).toThrow('http://127.0.0.1');
  });
});

describe('the real MQTT client and a misbehaving broker', () => {
  test('one that never answers is abandoned after the time-out', async () => {
    const url = await serve((socket) => void socket.resume());
    await expect(open(url, 100)).rejects.toBeInstanceOf(MqttRefused);
    await expect(open(url, 100)).rejects.toThrow(/timeout/);
  });

  test('one that disconnects at once is a refusal with a reason', async () => {
    const url = await serve((socket) => void socket.end());
    await expect(open(url)).rejects.toThrow(/the broker closed the connection/);
  });

  test('one that sends invalid bytes is a refusal, and after the CONNACK ends the session', async () => {
    const nonsense = await serve((socket) => void socket.write('HTTP/1.1 400 Bad Request\r\n\r\n'));
    await expect(open(nonsense)).rejects.toBeInstanceOf(MqttRefused);
    const later = await serve((socket) => {
      accept(socket);
      socket.once('data', () =>
        socket.once('data', () => socket.write(Uint8Array.of(0xff, 0xff, 0xff, 0xff, 0xff))),
      );
    });
    const { session, closings } = await open(later);
    await expect(session.publish(report)).rejects.toBeInstanceOf(MqttConnectionLost);
    expect(closings).toHaveLength(1);
  });

  test('a refusal by return code gives its meaning', async () => {
    for (const [code, words] of [
      [4, /username or password/i],
      [5, /not authorized/i],
    ] as const) {
      const url = await serve((socket) => {
        socket.once('data', () => socket.write(Uint8Array.of(0x20, 2, 0, code)));
      });
      await expect(open(url)).rejects.toThrow(words);
    }
  });

  test('one that acknowledges nothing leaves publications in doubt until the connection ends', async () => {
    const url = await serve(accept);
    const { session, closings } = await open(url);
    const outcomes = Promise.allSettled([
      session.publish(report),
      session.publish(report),
      session.subscribe('a/b'),
    ]);
    await waitUntil(() => sockets.length === 1);
    sockets[0]?.destroy();
    for (const outcome of await outcomes) {
      expect(outcome.status === 'rejected' && outcome.reason).toBeInstanceOf(MqttConnectionLost);
    }
    expect(closings).toHaveLength(1);
  });

  test('one that gets a DISCONNECT and never closes the connection does not block the client for ever', async () => {
    const heard: number[] = [];
    const url = await serve((socket) => {
      accept(socket);
      socket.on('data', (chunk: Buffer) => heard.push(...chunk));
    });
    const { session, closings } = await open(url);
    const publishing = expect(session.publish(report)).rejects.toBeInstanceOf(MqttConnectionLost);
    await session.end();
    await publishing;
    expect(closings).toEqual(['ended']);
    // DISCONNECT (MQTT 3.1.1 section 3.14) was the last packet it received.
    await waitUntil(() => heard.length > 2);
    expect(heard.slice(-2)).toEqual([0xe0, 0x00]);
  });

  test('one that stops answering pings is detected by the keep-alive', async () => {
    const url = await serve(accept);
    const closings: string[] = [];
    await realMqttClient({ url }).open(
      { clientId: 'x', username: 'x', password: 'x', clean: true, keepAliveS: 1, connectTimeoutMs: 5_000 },
      { message: () => undefined, closed: (reason) => closings.push(reason) },
    );
    await waitUntil(() => closings.length === 1);
    expect(closings[0]).toMatch(/keepalive/i);
  });
});
