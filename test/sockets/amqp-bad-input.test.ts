import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { limits } from '../../brokers/amqp/limits.ts';
import { limits as brokerLimits } from '../../brokers/limits.ts';
import { type Account, greet, openWire, Wire } from '../contracts/amqp-consumer-wire.ts';
import { until } from '../services.ts';
import { type EmbeddedAmqp, startEmbeddedAmqp } from './amqp-broker-kit.ts';

describe('clients of the embedded AMQP broker that do harm', () => {
  let broker: EmbeddedAmqp;
  let account: Account;
  let wires: Wire[];
  let good: Wire;

  beforeAll(async () => {
    broker = await startEmbeddedAmqp();
    account = { host: '127.0.0.1', port: broker.port, username: 'owner', password: 'owner' };
  });
  afterAll(() => broker.close());
  beforeEach(async () => {
    good = await openWire(account);
    wires = [good];
  });
  afterEach(async () => {
    // Whatever happened: somebody else's connection still works.
    expect((await good.ask('basic.qos', { prefetchCount: 1 }))?.name).toBe('basic.qos-ok');
    for (const wire of wires) wire.cut();
  });

  const signIn = async (greeting = {}) => {
    const wire = await openWire(account, greeting);
    wires.push(wire);
    return wire;
  };

  test.each([
    ['noise', Buffer.alloc(100, 7)],
    ['a greeting of TLS', Buffer.from('16030100a5010000a1', 'hex')],
    ['a megabyte of noise', Buffer.alloc(1_000_000, 'AMQ')],
  ])('%s in place of a greeting is answered with the right header, and the end', async (_, bytes) => {
    const wire = new Wire(account);
    wires.push(wire);
    wire.bytes(bytes);
    await wire.closed();
    if (bytes.length <= 100) expect(wire.refusedWith?.toString('latin1')).toBe('AMQP\0\0\u0009\u0001');
  });

  test('what follows a sign-in that is not answered is bounded', async () => {
    const { wire } = await greet(account, { response: '\0owner\0wrong', capabilities: [] });
    wires.push(wire);
    await wire.closed();
    expect(wire.isClosed).toBe(true);
  });

  test('refused sign-ins of very many names are a few lines of the log, and a long name is cut', async () => {
    const own = await startEmbeddedAmqp();
    for (let name = 0; name < brokerLimits.loggedPerKind + 10; name += 1) {
      const response = `\0${name}-${'stranger'.repeat(40)}\0guess`;
      const { wire } = await greet({ ...account, port: own.port }, { response, capabilities: [] });
      await wire.closed();
    }
    const refused = own.lines.filter((line) => line.includes('stranger'));
    await own.close();
    expect(refused).toHaveLength(brokerLimits.loggedPerKind);
    for (const line of refused)
      expect((JSON.parse(line) as { id: string }).id).toHaveLength(brokerLimits.loggedIdLength);
  });

  test('a body that never ends on many channels is bounded by 506', async () => {
    const wire = await signIn();
    const size = limits.messageBytes;
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
    await until(() => wire.words.some((word) => word.name === 'connection.close'));
    const close = wire.words.find((word) => word.name === 'connection.close');
    expect(close?.args['replyText']).toBe(
      `RESOURCE_ERROR - more than ${limits.halfReceivedBytes} bytes of bodies are not complete`,
    );
  });

  test('one channel more than agreed, one consumer more than allowed', async () => {
    const wire = await signIn({ channelMax: 2 });
    wire.send(2, 'channel.open');
    await wire.next();
    wire.send(3, 'channel.open');
    expect((await wire.next())?.args['replyText']).toBe(
      'NOT_ALLOWED - number of channels opened (2) has reached the negotiated channel_max (2)',
    );
    const eager = await signIn();
    await eager.ask('queue.declare', { queue: 'eager', exclusive: true });
    for (let count = 0; count <= limits.consumersPerChannel; count++)
      eager.send(1, 'basic.consume', { queue: 'eager', noWait: true });
    expect((await eager.next())?.args['replyText']).toBe(
      `PRECONDITION_FAILED - a channel may have ${limits.consumersPerChannel} consumers`,
    );
  });

  test('who hangs up in the middle of anything leaves nothing', async () => {
    const before = (await good.ask('queue.declare', { queue: 'watch', exclusive: true }))?.name;
    expect(before).toBe('queue.declare-ok');
    await Promise.all(
      Array.from({ length: 30 }, async (_, index) => {
        const wire = await openWire(account);
        wire.send(1, 'queue.declare', { queue: `left-${index}`, exclusive: true });
        wire.send(1, 'basic.publish', { routingKey: 'watch' });
        wire.bytes(Uint8Array.of(2, 0, 1, 0));
        await wire.next();
        wire.cut();
      }),
    );
    await until(async () => {
      // An exclusive queue that is still there closes the channel of whoever asks for it.
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
