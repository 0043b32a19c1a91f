import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect as connectSocket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Channel, type ChannelModel, connect } from 'amqplib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { methodFrame } from '../../brokers/amqp/sending.ts';
import { MessageStoreUnusable } from '../../brokers/amqp/store/message-store.ts';
import { PortTaken } from '../../brokers/mqtt/listener.ts';
import { type EmbeddedAmqp, startEmbeddedAmqp } from '../support/amqp/embedded-amqp-broker.ts';
import { waitUntil } from '../support/run/external-services.ts';
import { certificate } from '../support/sockets/certificate.ts';

/** Everything a client sends until its channel 1 is open, without waiting for an answer. */
const SIGN_IN = Buffer.concat([
  Buffer.from('AMQP\0\0\u0009\u0001'),
  methodFrame(0, 'connection.start-ok', {
    clientProperties: new Map(),
    mechanism: 'PLAIN',
    response: Buffer.from('\0owner\0owner'),
    locale: 'en_US',
  }),
  methodFrame(0, 'connection.tune-ok', { channelMax: 10, frameMax: 131_072, heartbeatS: 0 }),
  methodFrame(0, 'connection.open', { virtualHost: '/', reserved1: '', reserved2: false }),
  methodFrame(1, 'channel.open', { reserved1: '' }),
]);

describe('the embedded AMQP broker', () => {
  let broker: EmbeddedAmqp;
  let folder: string;
  let connections: ChannelModel[];

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'boxtwin-amqp-'));
    connections = [];
    broker = await startEmbeddedAmqp({ path: join(folder, 'amqp.db') });
  });
  afterEach(async () => {
    for (const each of connections) await each.close().catch(() => undefined);
    await broker.close();
    rmSync(folder, { recursive: true });
  });

  async function signIn(user = 'owner'): Promise<ChannelModel> {
    const connection = await connect(broker.urlOf(user), { noDelay: true });
    connection.on('error', () => undefined);
    connections.push(connection);
    return connection;
  }

  /** A channel, and the reason for which it was closed once it was. */
  async function channelOf(connection: ChannelModel): Promise<{ channel: Channel; reasons: string[] }> {
    const channel = await connection.createChannel();
    const reasons: string[] = [];
    channel.on('error', (error: Error) => reasons.push(error.message));
    return { channel, reasons };
  }

  const restart = async () => {
    await broker.close();
    broker = await startEmbeddedAmqp({ path: join(folder, 'amqp.db') });
  };

  test('durable queues, bindings and persistent messages survive a restart, in order and as redelivered', async () => {
    const channel = await (await signIn()).createConfirmChannel();
    await channel.assertExchange('events', 'topic', { durable: true });
    await channel.assertQueue('kept', { durable: true, messageTtl: 600_000 });
    await channel.assertQueue('lost', { durable: false });
    await channel.bindQueue('kept', 'events', 'a.#');
    for (let count = 0; count < 100; count++)
      channel.publish('events', 'a.b', Buffer.from(`${count}`), {
        persistent: true,
        messageId: `id-${count}`,
      });
    channel.publish('events', 'a.b', Buffer.from('passing'), { persistent: false });
    await channel.waitForConfirms();
    const first = await channel.get('kept', { noAck: true });
    expect(first === false ? '' : first.content.toString()).toBe('0');
    // Acknowledgements have no confirm: the next confirm shows that they are on disk too.
    channel.publish('events', 'a.b', Buffer.from('100'), { persistent: true });
    await channel.waitForConfirms();
    await restart();

    const { channel: again, reasons } = await channelOf(await signIn());
    const bodies: string[] = [];
    for (let next = await again.get('kept'); next !== false; next = await again.get('kept')) {
      bodies.push(next.content.toString());
      expect(next.fields.redelivered).toBe(true);
      again.ack(next);
    }
    expect(bodies).toEqual(Array.from({ length: 100 }, (_, index) => `${index + 1}`));
    again.publish('events', 'a.c', Buffer.from('still bound'));
    await waitUntil(async () => (await again.checkQueue('kept')).messageCount === 1);
    await again.checkQueue('lost').catch(() => undefined);
    expect(reasons[0]).toContain("NOT_FOUND - no queue 'lost' in vhost '/'");
  });

  test('confirmed messages are in the file at once, as after a crash of the process', async () => {
    const channel = await (await signIn()).createConfirmChannel();
    await channel.assertQueue('kept');
    for (let count = 0; count < 20; count++)
      channel.sendToQueue('kept', Buffer.from(`${count}`), { persistent: true });
    await channel.waitForConfirms();
    const copy = join(folder, 'copy');
    for (const tail of ['', '-wal']) cpSync(join(folder, `amqp.db${tail}`), join(copy, `amqp.db${tail}`));
    const second = await startEmbeddedAmqp({ path: join(copy, 'amqp.db') });
    const connection = await connect(second.urlOf('owner'), { noDelay: true });
    expect((await (await connection.createChannel()).checkQueue('kept')).messageCount).toBe(20);
    await connection.close();
    await second.close();
  });

  test('a removed user is disconnected with a reason, and another stays', async () => {
    const [reader, owner] = [await signIn('reader'), await signIn()];
    const errors: string[] = [];
    reader.on('close', (error?: Error) => errors.push(error?.message ?? ''));
    broker.disconnectUser('reader');
    await waitUntil(() => errors.length === 1);
    expect(errors[0]).toContain('CONNECTION_FORCED');
    await (await owner.createChannel()).close();
  });

  test('a deleted queue stays deleted, and a purged one empty', async () => {
    const { channel } = await channelOf(await signIn());
    for (const queue of ['gone', 'empty']) {
      await channel.assertQueue(queue);
      channel.sendToQueue(queue, Buffer.from('x'), { persistent: true });
    }
    await channel.purgeQueue('empty');
    await channel.deleteQueue('gone');
    await restart();
    const { channel: again } = await channelOf(await signIn());
    expect((await again.assertQueue('empty')).messageCount).toBe(0);
    expect((await again.assertQueue('gone')).messageCount).toBe(0);
  });

  test('a consumer gets its prefetch, acknowledges several messages at once, and the others go to the next consumer', async () => {
    const connection = await signIn();
    const { channel } = await channelOf(connection);
    await channel.assertQueue('work');
    for (let count = 0; count < 10; count++) channel.sendToQueue('work', Buffer.from(`${count}`));
    const dying = await signIn();
    const { channel: worker } = await channelOf(dying);
    await worker.prefetch(3);
    const seen: number[] = [];
    await worker.consume('work', (message) => {
      if (message === null) return;
      seen.push(Number(message.content.toString()));
      if (seen.length === 3) worker.ack(message, true);
    });
    await waitUntil(() => seen.length === 6);
    expect(seen).toEqual([0, 1, 2, 3, 4, 5]);
    await dying.close();
    const next = await channel.get('work');
    expect(next === false ? undefined : [next.content.toString(), next.fields.redelivered]).toEqual([
      '3',
      true,
    ]);
  });

  test('a subscriber reads its queue and nothing else', async () => {
    const { channel } = await channelOf(await signIn());
    await channel.assertQueue('states-reader');
    await channel.assertQueue('states-other');
    channel.sendToQueue('states-reader', Buffer.from('x'));
    const reader = await signIn('reader');
    const deeds: readonly ((on: Channel) => Promise<unknown>)[] = [
      (on) => on.get('states-other'),
      (on) => on.consume('states-other', () => undefined),
      (on) => on.assertQueue('mine'),
      (on) => on.deleteQueue('states-reader'),
      (on) => on.purgeQueue('states-other'),
      (on) => on.bindQueue('states-reader', 'amq.topic', '#'),
      (on) => on.assertExchange('mine', 'topic'),
    ];
    for (const deed of deeds) {
      const { channel: on, reasons } = await channelOf(reader);
      await expect(deed(on)).rejects.toThrow(/403|closed/);
      expect(reasons[0]).toMatch(
        /ACCESS_REFUSED - (configure|write|read) access to .* refused for user 'reader'/,
      );
    }
    const { channel: on, reasons } = await channelOf(reader);
    on.publish('', 'states-other', Buffer.from('x'));
    await waitUntil(() => reasons.length > 0);
    expect(reasons[0]).toContain("write access to exchange 'amq.default' in vhost '/' refused");
    const { channel: good } = await channelOf(reader);
    expect(await good.get('states-reader', { noAck: true })).not.toBe(false);
    expect((await channel.checkQueue('states-other')).messageCount).toBe(0);
  });

  test('an unknown virtual host is refused', async () => {
    await expect(connect(`${broker.urlOf('owner')}/nope`)).rejects.toThrow();
  });

  test('a client that never reads does not affect others', async () => {
    const { channel } = await channelOf(await signIn());
    await channel.assertQueue('flood');
    const sleepy = connectSocket({ host: '127.0.0.1', port: broker.port });
    sleepy.pause();
    const consume = { queue: 'flood', consumerTag: 'c', noAck: true };
    const flags = { reserved1: 0, noLocal: false, exclusive: false, noWait: false, arguments: new Map() };
    sleepy.write(Buffer.concat([SIGN_IN, methodFrame(1, 'basic.consume', { ...consume, ...flags })]));
    await waitUntil(async () => (await channel.checkQueue('flood')).consumerCount === 1);
    const body = Buffer.alloc(64_000);
    for (let count = 0; count < 300; count++) channel.sendToQueue('flood', body);
    await channel.assertQueue('other');
    expect((await channel.checkQueue('flood')).messageCount).toBeGreaterThan(100);
    sleepy.resume();
    await waitUntil(async () => (await channel.checkQueue('flood')).messageCount === 0);
    sleepy.destroy();
  });

  test('noise, half a handshake and a disconnect do not affect the broker', async () => {
    for (const words of [
      'GET / HTTP/1.1\r\n\r\n',
      'AMQP\0\0\u0009\u0001',
      'AMQP\0\0\u0009\u0001xxxxxxxxxxxxx',
    ]) {
      const socket = connectSocket({ host: '127.0.0.1', port: broker.port });
      const closed = new Promise((resolve) => socket.once('close', resolve));
      socket.on('error', () => undefined);
      socket.end(words);
      socket.resume();
      await closed;
    }
    const { channel } = await channelOf(await signIn());
    expect((await channel.assertQueue('q')).queue).toBe('q');
  });

  test('its shutdown is announced with 320, and a port in use and a foreign file are refused by name', async () => {
    const taken = startEmbeddedAmqp({ port: broker.port });
    await expect(taken).rejects.toBeInstanceOf(PortTaken);
    const foreign = join(folder, 'foreign.db');
    writeFileSync(foreign, 'this is no database, and long enough to be told from one'.repeat(20));
    await expect(startEmbeddedAmqp({ path: foreign })).rejects.toBeInstanceOf(MessageStoreUnusable);
    await expect(startEmbeddedAmqp({ path: join(folder, 'amqp.db') })).rejects.toBeInstanceOf(
      MessageStoreUnusable,
    );
    const connection = await signIn();
    const errors: string[] = [];
    const closed = new Promise<void>((resolve) => connection.once('close', () => resolve()));
    connection.on('close', (error?: Error) => errors.push(error?.message ?? ''));
    await broker.close();
    await closed;
    expect(errors[0]).toContain('CONNECTION_FORCED');
    broker = await startEmbeddedAmqp();
  });

  test('it accepts amqps over TLS', async () => {
    const secure = await startEmbeddedAmqp({ tls: certificate });
    expect(secure.url).toMatch(/^amqps:/);
    const connection = await connect(secure.urlOf('owner'), { ca: [certificate.cert] });
    const channel = await connection.createChannel();
    expect((await channel.assertQueue('')).queue).toMatch(/^amq\.gen-/);
    await connection.close();
    await secure.close();
  });
});
