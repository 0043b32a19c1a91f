import { createServer, type Server } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { listenAt, listenOn } from '../../../../deployment/http/port.ts';
import { CommandError } from '../../../../deployment/shared/command-error.ts';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

function listen(port: number): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      servers.push(server);
      resolve(server);
    });
  });
}

async function takenPort(): Promise<number> {
  const address = (await listen(0)).address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

describe('listening on a port', () => {
  test('a default port in use is replaced by the next free one', async () => {
    const taken = await takenPort();
    const { port } = await listenOn({ port: taken, isGiven: false, option: '--port' }, listen);
    expect(port).toBeGreaterThan(taken);
  });

  test('a given port in use is an error that names port and option', async () => {
    const taken = await takenPort();
    const wish = { port: taken, isGiven: true, option: '--mqtt-port' };
    await expect(listenOn(wish, listen)).rejects.toThrow(`Port ${taken} (--mqtt-port) is taken`);
    await expect(listenOn(wish, listen)).rejects.toBeInstanceOf(CommandError);
  });

  test('the reason may be in the cause of the error', async () => {
    const wrapped = () =>
      Promise.reject(new Error('no', { cause: Object.assign(new Error('x'), { code: 'EADDRINUSE' }) }));
    await expect(listenOn({ port: 1, isGiven: true, option: '--port' }, wrapped)).rejects.toBeInstanceOf(
      CommandError,
    );
  });

  test('another error is passed on unchanged', async () => {
    const odd = new RangeError('odd');
    await expect(
      listenOn({ port: 1, isGiven: false, option: '--port' }, () => Promise.reject(odd)),
    ).rejects.toBe(odd);
  });

  test('ports end at 65,535', async () => {
    const never = () => Promise.reject(Object.assign(new Error('x'), { code: 'EADDRINUSE' }));
    await expect(listenOn({ port: 65_535, isGiven: false, option: '--port' }, never)).rejects.toThrow(
      '--port',
    );
  });
});

test('what listens on another port than the usual one is noted, unless the user gave it', async () => {
  const notices: string[] = [];
  const taken = new Set([1883, 8080]);
  const listen = (port: number) =>
    taken.has(port)
      ? Promise.reject(Object.assign(new Error('taken'), { code: 'EADDRINUSE' }))
      : Promise.resolve(port);
  expect(await listenAt('mqtt', undefined, notices, listen)).toBe(1884);
  expect(await listenAt('api', undefined, notices, listen)).toBe(8081);
  expect(await listenAt('api', 9000, notices, listen)).toBe(9000);
  expect(await listenAt('console', undefined, notices, listen)).toBe(8100);
  expect(notices).toEqual([
    'port 1883 is taken, so MQTT listens on 1884',
    'port 8080 is taken, so the API listens on 8081',
  ]);
});
