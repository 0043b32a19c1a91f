import { connect, createServer, type Server, type Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { clientIdOf } from '../../world/mqtt-greeting.ts';
import { type RealProxy, startRealProxy } from '../../world/real-proxy.ts';
import { RealWeather } from '../../world/real-weather.ts';

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
  const weather = new RealWeather(() => undefined);
  const proxy: RealProxy = await startRealProxy({
    to: () => ({ host: '127.0.0.1', port }),
    nameOf: (bytes) => /^([^:]*):/.exec(bytes.toString())?.[1],
    conditionsOf: (name) => weather.conditionsOf(name),
    draw: () => 0.5,
  });
  weather.attach(proxy);
  closings.push(() => proxy.close());
  return { weather, proxy, join: (name: string) => join(proxy.port, name) };
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

test('what is stalled arrives in order once it is over, and others are not met by it', async () => {
  const { weather, join: enter } = await stage();
  const [one, other] = [enter('one'), enter('other')];
  await one.heard('one:');
  const end = weather.lay('stall', 'one', {});
  one.socket.write('a');
  one.socket.write('b');
  other.socket.write('c');
  await other.heard('other:c');
  expect(one.text()).toBe('one:');
  end();
  await one.heard('one:ab');
});

test('a half-open connection tells neither end, and is reset at its end where something was lost', async () => {
  const { weather, join: enter } = await stage();
  const one = enter('one');
  await one.heard('one:');
  const end = weather.lay('half_open', 'one', {});
  one.socket.write('lost');
  const other = enter('other');
  other.socket.write('x');
  await other.heard('other:x');
  expect(one.text()).toBe('one:');
  end();
  expect(await one.closed).toMatch(/ECONNRESET/);
});

test('latency and bandwidth take their time, and the slower of two layers is in force', async () => {
  const { weather, join: enter } = await stage();
  weather.lay('latency', 'one', { delayMs: 60, jitterMs: 0 });
  weather.lay('latency', 'one', { delayMs: 10, jitterMs: 0 });
  // The greeting and its headers: 44 bytes, 352 bits.
  weather.lay('bandwidth', 'one', { upBitsPerS: 3_520 });
  const from = performance.now();
  const one = enter('one');
  await one.heard('one:');
  expect(performance.now() - from).toBeGreaterThanOrEqual(2 * 60 + 100 - 5);
});

test('a connection is reset once too much has passed on it, or it is too old', async () => {
  const { weather, join: enter } = await stage();
  weather.lay('limit_data', 'one', { bytes: 12 });
  weather.lay('reset_peer', 'other', { afterMs: 30 });
  const [one, other] = [enter('one'), enter('other')];
  await one.heard('one:');
  one.socket.write('12345');
  expect(await one.closed).toMatch(/ECONNRESET/);
  expect(await other.closed).toMatch(/ECONNRESET/);
});

test('a goodbye is passed on, later where closes are slow; nothing of it is left', async () => {
  const { weather, proxy, join: enter } = await stage();
  const one = enter('one');
  await one.heard('one:');
  const end = weather.lay('slow_close', 'one', { delayMs: 60_000 });
  one.socket.end('bye');
  await one.heard('one:bye');
  expect(proxy.names()).toEqual(['one']);
  end();
  expect(await one.closed).toBe('closed');
  await expect.poll(() => proxy.names(), { timeout: 20_000 }).toEqual([]);
});

test('who is cut or down is reset, and let in again afterwards', async () => {
  const { weather, proxy, join: enter } = await stage();
  const one = enter('one');
  await one.heard('one:');
  weather.cut('one');
  expect(await one.closed).toMatch(/ECONNRESET/);
  proxy.setDown(true);
  expect(await enter('one').closed).toMatch(/ECONNRESET|EPIPE|closed/);
  proxy.setDown(false);
  await enter('one').heard('one:');
});

test('the client id is read from a CONNECT in any pieces', () => {
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
