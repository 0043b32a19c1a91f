import { once } from 'node:events';
import { appendFileSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import Database from 'better-sqlite3';
import { makeSigningKey, realCrypto } from '../../world/crypto/real-crypto.ts';
import { realFiles } from '../../world/files/real-files.ts';
import { openRealFlash } from '../../world/flash/real-flash.ts';
import type { HttpRequest } from '../../world/http/http.ts';
import { realHttp } from '../../world/http/real-http.ts';
import { realIds } from '../../world/ids/real-ids.ts';
import { realRandom } from '../../world/random/real-random.ts';
import { realClocks, realTime } from '../../world/time/real-time.ts';
import { cryptoContract } from './crypto-contract.ts';
import { filesContract } from './files-contract.ts';
import { flashContract } from './flash-contract.ts';
import { httpContract } from './http-contract.ts';
import { idGeneratorContract } from './id-generator-contract.ts';
import { randomContract } from './random-contract.ts';
import { timeContract } from './time-contract.ts';

const nothing = () => Promise.resolve();

timeContract('real', () => Promise.resolve({ time: realTime(), close: nothing }));
timeContract('real, steady', () => Promise.resolve({ time: realClocks().steadyTime, close: nothing }));

randomContract('real', realRandom);

idGeneratorContract('real', () => {
  const time = realTime();
  return Promise.resolve({ ids: realIds(time), time, close: nothing });
});

cryptoContract('real', async () => ({
  crypto: await realCrypto(await makeSigningKey()),
  stranger: await realCrypto(await makeSigningKey()),
}));

filesContract('real', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'files-contract-'));
  return {
    files: realFiles(),
    path: (name) => join(folder, name),
    make: async (path) => writeFileSync(path, ''),
    grow: async (path) => appendFileSync(path, 'more'),
    remove: async (path) => rmSync(path),
    move: async (from, to) => renameSync(from, to),
    close: async () => rmSync(folder, { recursive: true, force: true }),
  };
});

/** Small enough to be filled at once, large enough for what the suite writes before. */
const CAPACITY_BYTES = 64 * 1024;

flashContract('real', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'flash-contract-'));
  const path = join(folder, 'flash.db');
  let flash = await openRealFlash(path, { capacityBytes: CAPACITY_BYTES });
  return {
    flash,
    async reopen() {
      await flash.close();
      flash = await openRealFlash(path, { capacityBytes: CAPACITY_BYTES });
      return flash;
    },
    async tearLastWrite(owner: string) {
      await flash.close();
      const file = new Database(path);
      file
        .prepare(
          `UPDATE page SET bytes = zeroblob(length(bytes)) WHERE owner = $owner AND revision =
           (SELECT max(revision) FROM page WHERE owner = $owner)`,
        )
        .run({ owner });
      file.close();
    },
    fill: () => nothing(),
    async close() {
      await flash.close();
      rmSync(folder, { recursive: true });
    },
  };
});

httpContract('real', async () => {
  const servers: Server[] = [];
  const listen = async (server: Server): Promise<string> => {
    servers.push(server.listen(0, '127.0.0.1'));
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    return `http://127.0.0.1:${port}`;
  };
  const closeServer = async (server: Server): Promise<void> => {
    server.closeAllConnections();
    if (server.listening) await once(server.close(), 'close');
  };
  // A port that was just freed has no server.
  const deadOrigin = await listen(createServer());
  for (const server of servers.splice(0)) await closeServer(server);
  return {
    http: realHttp(),
    async serve(handler) {
      const server = createServer((request, response) => {
        void requestOf(request)
          .then(handler)
          .then((answer) => response.writeHead(answer.status, answer.headers).end(answer.body));
      });
      return listen(server);
    },
    deadOrigin,
    async close() {
      for (const server of servers) await closeServer(server);
    },
  };
});

async function requestOf(incoming: IncomingMessage): Promise<HttpRequest> {
  const { method, url, headers } = incoming;
  return {
    method: method as HttpRequest['method'],
    url: `http://${headers.host}${url}`,
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])),
    body: await text(incoming),
    timeoutMs: 0,
    maxBodyBytes: 0,
  };
}
