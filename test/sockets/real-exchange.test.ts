import { createServer, type Server, type Socket } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { ExchangeLost, ExchangeRefused } from '../../world/exchange.ts';
import { realExchange } from '../../world/real-exchange.ts';
import { until } from '../services.ts';
import { type AmqpPeer, type Method, shortText, startAmqpPeer, tag } from './amqp-peer.ts';

const peers: AmqpPeer[] = [];
const servers: Server[] = [];
const sockets: Socket[] = [];
afterEach(() => {
  for (const peer of peers.splice(0)) peer.close();
  for (const socket of sockets.splice(0)) socket.destroy();
  for (const server of servers.splice(0)) server.close();
});

async function start(unanswered: readonly Method[] = []): Promise<AmqpPeer> {
  const peer = await startAmqpPeer(unanswered);
  peers.push(peer);
  return peer;
}

async function open(url: string, connectTimeoutMs = 5_000) {
  const told: string[] = [];
  const session = await realExchange({ url }).open(
    { connectTimeoutMs },
    {
      closed: (reason) => told.push(`closed: ${reason}`),
      blocked: (isBlocked) => told.push(`blocked: ${isBlocked}`),
    },
  );
  return { session, told };
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
const PUBLISH: Method = '60.40';
const count = (peer: AmqpPeer, method: Method) => peer.methods.filter((each) => each === method).length;

describe('the real exchange and a peer with a mind of its own', () => {
  test('one that never answers is given up after the time-out, also when it drips bytes', async () => {
    const drip = createServer((socket) => {
      sockets.push(socket);
      socket.on('error', () => undefined);
      // The beginning of a frame whose end never comes.
      const timer = setInterval(() => socket.write(Uint8Array.of(1)), 20);
      socket.once('close', () => clearInterval(timer));
    });
    servers.push(drip);
    await new Promise<void>((resolve) => {
      drip.listen(0, '127.0.0.1', () => resolve());
    });
    const address = drip.address();
    const port = address !== null && typeof address === 'object' ? address.port : 0;
    await expect(open(`amqp://127.0.0.1:${port}`, 150)).rejects.toBeInstanceOf(ExchangeRefused);
    const silent = await start(['10.11']);
    await expect(open(silent.url, 150)).rejects.toThrow(/150 ms|ETIMEDOUT/);
    const noChannel = await start(['20.10']);
    await expect(open(noChannel.url, 150)).rejects.toBeInstanceOf(ExchangeRefused);
  });

  test('a refusal never shows the password', async () => {
    const silent = await start(['10.11']);
    const url = silent.url.replace('u:p@', 'user:geheim@');
    await expect(open(url, 100)).rejects.not.toThrow(/geheim/);
  });

  test('blocked and unblocked are told', async () => {
    const peer = await start();
    const { told } = await open(peer.url);
    peer.send(0, '10.60', shortText('low on memory'));
    peer.send(0, '10.61');
    await until(() => told.length === 2);
    expect(told).toEqual(['blocked: true', 'blocked: false']);
  });

  test('ack, nack and no answer at all are three different words', async () => {
    const peer = await start();
    const { session, told } = await open(peer.url);
    const words = [1, 2, 3].map((id) =>
      session.publish({ ...message, messageId: `${id}` }).catch((error: unknown) => error),
    );
    await until(() => count(peer, PUBLISH) === 3);
    peer.send(1, '60.120', tag(2));
    peer.send(1, '60.80', tag(1));
    expect(await words[0]).toBe('confirmed');
    expect(await words[1]).toBe('refused');
    peer.cut();
    expect(await words[2]).toBeInstanceOf(ExchangeLost);
    await until(() => told.length > 0);
    expect(told).toHaveLength(1);
    await expect(session.publish(message)).rejects.toBeInstanceOf(ExchangeLost);
  });

  test('a connection that the broker closes says the broker`s reason', async () => {
    const peer = await start();
    const { session, told } = await open(peer.url);
    const word = session.publish(message).catch((error: unknown) => error);
    await until(() => count(peer, PUBLISH) === 1);
    // connection.close: 320 CONNECTION_FORCED, as RabbitMQ says when it goes down.
    peer.send(0, '10.50', [320 >> 8, 320 & 0xff, ...shortText('going down'), 0, 0, 0, 0]);
    expect(await word).toBeInstanceOf(ExchangeLost);
    await until(() => told.length === 1);
    expect(told[0]).toMatch(/going down/);
  });

  test('a peer that answers no goodbye does not hold us for ever, and what it never confirmed is in doubt', async () => {
    const peer = await start(['10.50']);
    const { session, told } = await open(peer.url);
    const word = session.publish(message).catch((error: unknown) => error);
    await session.close();
    expect(told).toEqual(['closed: ended']);
    await until(() => peer.isLeft());
    expect(await word).toBeInstanceOf(ExchangeLost);
    expect(told).toHaveLength(1);
  });

  test('a peer that falls silent is noticed by the heartbeat', async () => {
    const peer = await start();
    const { told } = await open(`${peer.url}?heartbeat=1`);
    await until(() => told.length === 1);
    expect(told[0]).toMatch(/heartbeat/i);
  });

  test('a declaration that is under way when the connection ends is lost, not refused', async () => {
    const peer = await start();
    const { session } = await open(peer.url);
    const declaring = session.declareExchange('test.events', 'topic').catch((error: unknown) => error);
    await until(() => count(peer, '40.10') === 1);
    peer.cut();
    expect(await declaring).toBeInstanceOf(ExchangeLost);
  });

  test('a message that does not fit the wire is refused, and the session lives on', async () => {
    const peer = await start();
    const { session } = await open(peer.url);
    const tooLong = session.publish({ ...message, routingKey: 'x'.repeat(300) });
    await expect(tooLong).rejects.toBeInstanceOf(ExchangeRefused);
    const word = session.publish(message);
    await until(() => count(peer, PUBLISH) === 1);
    peer.send(1, '60.80', tag(1));
    expect(await word).toBe('confirmed');
  });
});
