import { connect, createServer, type Server, type Socket } from 'node:net';
import { afterEach, expect, test, vi } from 'vitest';
import { clientIdOf } from '../../world/mqtt/mqtt-client-id.ts';
import { RealNetworkFaults } from '../../world/network/real-network-faults.ts';
import { type RealProxy, startRealProxy } from '../../world/network/real-proxy.ts';

const closings: (() => void | Promise<void>)[] = [];

afterEach(async () => {
  for (const close of closings.splice(0).reverse()) await close();
});

/** A server that sends everything back, behind a proxy that takes what comes up to a colon for a name. */
async function stage() {
  const server: Server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.pipe(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closings.push(() => new Promise((resolve) => server.close(() => resolve())));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const networkFaults = new RealNetworkFaults(() => undefined);
  const proxy: RealProxy = await startRealProxy({
    to: () => ({ host: '127.0.0.1', port }),
    nameOf: (bytes) => /^([^:]*):/.exec(bytes.toString())?.[1],
    conditionsOf: (name) => networkFaults.conditionsOf(name),
    countsOf: (name) => networkFaults.countsOf(name),
    draw: () => 0.5,
  });
  networkFaults.attach(proxy);
  closings.push(() => proxy.close());
  return { networkFaults, proxy, join: (name: string) => join(proxy.port, name) };
}

function join(port: number, name: string) {
  const socket: Socket = connect(port, '127.0.0.1');
  let text = '';
  const closed = new Promise<string>((resolve) => {
    socket.on('error', (error) => resolve(error.message));
    socket.on('close', () => resolve('closed'));
  });
  socket.on('data', (bytes) => {
    text += bytes.toString();
  });
  socket.write(`${name}:`);
  closings.push(() => {
    socket.destroy();
  });
  return {
    socket,
    closed,
    heard: (wanted: string) => expect.poll(() => text, { timeout: 20_000, interval: 10 }).toBe(wanted),
    text: () => text,
  };
}

test('stalled bytes arrive in order once the stall ends, and others are not affected', async () => {
  const { networkFaults, join: enter } = await stage();
  const [one, other] = [enter('one'), enter('other')];
  await one.heard('one:');
  const end = networkFaults.apply('stall', 'one', {});
  one.socket.write('a');
  one.socket.write('b');
  other.socket.write('c');
  await other.heard('other:c');
  expect(one.text()).toBe('one:');
  end();
  await one.heard('one:ab');
});

test('a half-open connection is noticed by neither end, and is reset afterwards if something was lost', async () => {
  const { networkFaults, join: enter } = await stage();
  const one = enter('one');
  await one.heard('one:');
  const end = networkFaults.apply('half_open', 'one', {});
  one.socket.write('lost');
  const other = enter('other');
  other.socket.write('x');
  await other.heard('other:x');
  expect(one.text()).toBe('one:');
  end();
  expect(await one.closed).toMatch(/ECONNRESET/);
});

test('latency and bandwidth delay bytes, and the slower of two layers applies', async () => {
  // The clock and the timers of the proxy advance only on request; sockets need none.
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] });
  try {
    const { networkFaults, join: enter } = await stage();
    networkFaults.apply('latency', 'one', { delayMs: 60, jitterMs: 0 });
    networkFaults.apply('latency', 'one', { delayMs: 10, jitterMs: 0 });
    // The greeting and its headers: 44 bytes, 352 bits.
    networkFaults.apply('bandwidth', 'one', { upBitsPerS: 3_520 });
    const one = enter('one');
    for (const heldMs of [100 + 60, 60]) {
      expect(one.text()).toBe('');
      // What was sent has come to the proxy, which holds it.
      while (vi.getTimerCount() === 0) await new Promise((resolve) => setImmediate(resolve));
      vi.advanceTimersByTime(heldMs - 1);
      expect(vi.getTimerCount()).toBe(1);
      vi.advanceTimersByTime(1);
      expect(vi.getTimerCount()).toBe(0);
    }
    vi.useRealTimers();
    await one.heard('one:');
  } finally {
    vi.useRealTimers();
  }
});

test('a connection is reset once it has passed too many bytes, or is too old', async () => {
  const { networkFaults, join: enter } = await stage();
  networkFaults.apply('limit_data', 'one', { bytes: 12 });
  networkFaults.apply('reset_peer', 'other', { afterMs: 30 });
  const [one, other] = [enter('one'), enter('other')];
  await one.heard('one:');
  one.socket.write('12345');
  expect(await one.closed).toMatch(/ECONNRESET/);
  expect(await other.closed).toMatch(/ECONNRESET/);
});

test('a close is passed on, later if closes are slow; nothing is left of the connection', async () => {
  const { networkFaults, proxy, join: enter } = await stage();
  const one = enter('one');
  await one.heard('one:');
  const end = networkFaults.apply('slow_close', 'one', { delayMs: 60_000 });
  one.socket.end('bye');
  await one.heard('one:bye');
  expect(proxy.names()).toEqual(['one']);
  end();
  expect(await one.closed).toBe('closed');
  await expect.poll(() => proxy.names()).toEqual([]);
});

test('a client that is cut off is reset, and admitted again afterwards', async () => {
  const { networkFaults, proxy, join: enter } = await stage();
  const one = enter('one');
  await one.heard('one:');
  networkFaults.cut('one');
  expect(await one.closed).toMatch(/ECONNRESET/);
  proxy.setDown(true);
  expect(await enter('one').closed).toMatch(/ECONNRESET|EPIPE|closed/);
  proxy.setDown(false);
  await enter('one').heard('one:');
});

test('what faults meet is counted for each client by itself', async () => {
  const { networkFaults, join: enter } = await stage();
  const one = enter('one');
  await one.heard('one:');
  const { packets } = networkFaults.countsOf('one');
  expect(packets).toBeGreaterThan(0);
  const unlimited = networkFaults.apply('limit_data', 'one', { bytes: 4 });
  one.socket.write('more than that');
  await one.closed;
  // Else it may end the next connection before the reset does.
  unlimited();
  expect(networkFaults.countsOf('one')).toMatchObject({ overLimit: 1, resets: 0 });
  expect(networkFaults.countsOf('one').packets).toBeGreaterThan(packets);
  networkFaults.apply('reset_peer', 'one', { afterMs: 1 });
  await enter('one').closed;
  expect(networkFaults.countsOf('one').resets).toBe(1);
  expect(networkFaults.countsOf('other')).toMatchObject({ packets: 0, overLimit: 0, resets: 0 });
  expect(networkFaults.cut('other')).toBe(0);
});

test('the client id is read from a CONNECT in any chunks', () => {
  const connectPacket = Buffer.from([
    0x10,
    18,
    0,
    4,
    ...Buffer.from('MQTT'),
    4,
    2,
    0,
    60,
    0,
    6,
    ...Buffer.from('box-17'),
  ]);
  for (let end = 0; end < connectPacket.length; end++)
    expect(clientIdOf(connectPacket.subarray(0, end))).toBeUndefined();
  expect(clientIdOf(connectPacket)).toBe('box-17');
  expect(clientIdOf(Buffer.from('GET / HTTP/1.1'))).toBe('');
});
