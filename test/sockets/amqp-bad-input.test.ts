import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { limits } from '../../brokers/limits.ts';
import { type EmbeddedAmqp, startEmbeddedAmqp } from '../support/amqp/embedded-amqp-broker.ts';
import {
  type AmqpAccount,
  greet,
  openRawAmqpClient,
  RawAmqpClient,
} from '../support/amqp/raw-amqp-client.ts';
import { waitUntil } from '../support/run/external-services.ts';

describe('malicious clients of the embedded AMQP broker', () => {
  let broker: EmbeddedAmqp;
  let account: AmqpAccount;
  let wires: RawAmqpClient[];
  let good: RawAmqpClient;

  beforeAll(async () => {
    broker = await startEmbeddedAmqp();
    account = { host: '127.0.0.1', port: broker.port, username: 'owner', password: 'owner' };
  });
  afterAll(() => broker.close());
  beforeEach(async () => {
    good = await openRawAmqpClient(account);
    wires = [good];
  });
  afterEach(async () => {
    // In any case the connection of another client still works.
    expect((await good.ask('basic.qos', { prefetchCount: 1 }))?.name).toBe('basic.qos-ok');
    for (const wire of wires) wire.cut();
  });

  const signIn = async (greeting = {}) => {
    const wire = await openRawAmqpClient(account, greeting);
    wires.push(wire);
    return wire;
  };

  test.each([
    ['noise', Buffer.alloc(100, 7)],
    ['a greeting of TLS', Buffer.from('16030100a5010000a1', 'hex')],
    ['a megabyte of noise', Buffer.alloc(1_000_000, 'AMQ')],
  ])(
    '%s instead of a protocol header is answered with the right header, and the connection ends',
    async (_, bytes) => {
      const wire = new RawAmqpClient(account);
      wires.push(wire);
      wire.bytes(bytes);
      await wire.closed();
      if (bytes.length <= 100) expect(wire.refusedWith?.toString('latin1')).toBe('AMQP\0\0\u0009\u0001');
    },
  );

  test('bytes sent after an unanswered sign-in are limited', async () => {
    const { wire } = await greet(account, { response: '\0owner\0wrong', capabilities: [] });
    wires.push(wire);
    await wire.closed();
    expect(wire.isClosed).toBe(true);
  });

  test('refused sign-ins of very many names write only a few lines to the log, and long names are cut', async () => {
    const own = await startEmbeddedAmqp();
    for (let name = 0; name < limits.log.loggedPerKind + 10; name += 1) {
      const response = `\0${name}-${'stranger'.repeat(40)}\0guess`;
      const { wire } = await greet({ ...account, port: own.port }, { response, capabilities: [] });
      await wire.closed();
    }
    const refused = own.lines.filter((line) => line.includes('stranger'));
    await own.close();
    expect(refused).toHaveLength(limits.log.loggedPerKind);
    for (const line of refused)
      expect((JSON.parse(line) as { id: string }).id).toHaveLength(limits.log.loggedIdLength);
  });

  test('endless bodies on many channels are ended with 506', async () => {
    const wire = await signIn();
    const size = limits.amqp.messageBytes;
    const header = Buffer.alloc(14);
    header.writeUInt16BE(60);
    header.writeBigUInt64BE(BigInt(size), 4);
    const chunk = Buffer.alloc(131_064);
    const frame = (type: number, channel: number, payload: Buffer) =>
      Buffer.concat([
        Uint8Array.of(type, 0, channel, 0, ...u24(payload.length)),
        payload,
        Uint8Array.of(0xce),
      ]);
    for (let channel = 2; channel < 8; channel++) {
      wire.send(channel, 'channel.open');
      wire.send(channel, 'basic.publish', { routingKey: 'x' });
      wire.bytes(frame(2, channel, header));
      for (let sent = 0; sent + chunk.length < size; sent += chunk.length)
        wire.bytes(frame(3, channel, chunk));
    }
    await waitUntil(() => wire.words.some((word) => word.name === 'connection.close'));
    const close = wire.words.find((word) => word.name === 'connection.close');
    expect(close?.args['replyText']).toBe(
      `RESOURCE_ERROR - more than ${limits.amqp.partialBodyBytes} bytes of bodies are not complete`,
    );
  });

  test('one channel or consumer over the limit is refused', async () => {
    const wire = await signIn({ channelMax: 2 });
    wire.send(2, 'channel.open');
    await wire.next();
    wire.send(3, 'channel.open');
    expect((await wire.next())?.args['replyText']).toBe(
      'NOT_ALLOWED - number of channels opened (2) has reached the negotiated channel_max (2)',
    );
    const eager = await signIn();
    await eager.ask('queue.declare', { queue: 'eager', exclusive: true });
    for (let count = 0; count <= limits.amqp.consumersPerChannel; count++)
      eager.send(1, 'basic.consume', { queue: 'eager', noWait: true });
    expect((await eager.next())?.args['replyText']).toBe(
      `PRECONDITION_FAILED - a channel may have ${limits.amqp.consumersPerChannel} consumers`,
    );
  });

  test('a client that disconnects at any point leaves nothing behind', async () => {
    const before = (await good.ask('queue.declare', { queue: 'watch', exclusive: true }))?.name;
    expect(before).toBe('queue.declare-ok');
    await Promise.all(
      Array.from({ length: 30 }, async (_, index) => {
        const wire = await openRawAmqpClient(account);
        wire.send(1, 'queue.declare', { queue: `left-${index}`, exclusive: true });
        wire.send(1, 'basic.publish', { routingKey: 'watch' });
        wire.bytes(Uint8Array.of(2, 0, 1, 0));
        await wire.next();
        wire.cut();
      }),
    );
    await waitUntil(async () => {
      // An exclusive queue that still exists closes the channel of a client that declares it.
      const asker = await signIn();
      const words: unknown[] = [];
      for (let index = 0; index < 30 && words.at(-1) !== 'channel.close'; index++)
        words.push((await asker.ask('queue.declare', { queue: `left-${index}`, exclusive: true }))?.name);
      asker.cut();
      return words.at(-1) === 'queue.declare-ok';
    });
    expect((await good.ask('basic.get', { queue: 'watch', noAck: true }))?.name).toBe('basic.get-empty');
  });
});

const u24 = (value: number) => [value >>> 16, (value >>> 8) & 0xff, value & 0xff];
