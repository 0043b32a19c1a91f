import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openCertification } from '../../certify/service/certification.ts';
import { wire } from '../../cli/commands/wire.ts';
import { openIdentity } from '../../deployment/directory/open-identity.ts';
import { startFleetPart } from '../../deployment/fleet/fleet-part.ts';
import { type HttpServer, serveHttp } from '../../deployment/http/http-server.ts';
import { misdirectedRefusal } from '../../deployment/http/installation.ts';
import { keyIdOf } from '../../world/crypto/real-crypto.ts';

let data: string;
let server: HttpServer;
/** What `GET /` says of itself. */
let root: object;
const API = { links: { openapi: '/openapi.json' } };
const SIMULATOR = { what: 'a simulator', boxes: 1 };
/** Requests that the other installation carries out. */
let carriedOut: string[];

// The installation of the data directory answers the first request; then another one has the port.
beforeEach(async () => {
  data = mkdtempSync(join(tmpdir(), 'boxtwin-'));
  const { identity } = await openIdentity({ data, seed: 1 });
  const own = await keyIdOf(identity.signing_key);
  let isTaken = false;
  root = API;
  carriedOut = [];
  server = await serveHttp({ port: 0 }, (request) => {
    if (!isTaken) {
      isTaken = true;
      return Response.json({ ...root, installation: own });
    }
    const refusal = misdirectedRefusal(request, 'other');
    if (refusal !== undefined) return refusal;
    carriedOut.push(`${request.method} ${new URL(request.url).pathname}`);
    return Response.json({ access_token: 'token', expires_in: 3_600, items: [] });
  });
});
afterEach(async () => {
  await server.close();
  rmSync(data, { recursive: true, force: true });
});

const MISDIRECTED = /This is the installation other/;

test('fleet --url onboards nothing at an installation that has taken the address after the check', async () => {
  const fleet = startFleetPart({
    data,
    seed: 1,
    vehicles: 1,
    link: 'memory',
    radio: 'ideal',
    mqtt: undefined,
    localAddresses: [],
    api: { url: `http://127.0.0.1:${server.port}` },
    simulatorPort: 0,
    logLevel: 'silent',
  });
  await expect(fleet.ready.finally(() => fleet.close())).rejects.toThrow(MISDIRECTED);
  expect(carriedOut).toEqual([]);
});

test('certify signs in and changes nothing at an installation that has taken the address after the check', async () => {
  const certification = openCertification({
    api: `http://127.0.0.1:${server.port}`,
    client: { clientId: 'id', clientSecret: 'secret' },
    data,
    seed: 1,
    vehicles: 1,
    mqtt: 'mqtt://127.0.0.1:9',
    answerTimeoutMs: 1_000,
    logLevel: 'silent',
    progress: () => undefined,
  });
  await expect(certification).rejects.toThrow(MISDIRECTED);
  expect(carriedOut).toEqual([]);
});

test('wire shows no frames of an installation that has taken the address after the check', async () => {
  root = SIMULATOR;
  const simulator = `http://127.0.0.1:${server.port}`;
  const read = wire('0123456789abcdef', { data, simulator, force: false, json: true });
  await expect(read).rejects.toThrow(MISDIRECTED);
  expect(carriedOut).toEqual([]);
});
