import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer, connect as tlsConnect } from 'node:tls';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { openLocalAuthority } from '../../brokers/tls/local-authority.ts';
import { waitUntil } from '../support/run/external-services.ts';
import { freePort } from '../support/run/free-port.ts';
import { type PartProcess, startPart, UpProcess } from '../support/sockets/up-process.ts';

const HOST = '127.0.0.2';
const folder = mkdtempSync(join(tmpdir(), 'boxtwin-host-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Resolves where a client that checks chain and host by this authority takes the server's certificate. */
function signedFor(address: string, ca: string, as?: string): Promise<void> {
  const { hostname, port } = new URL(address);
  return new Promise((resolve, reject) => {
    const socket = tlsConnect(
      { host: hostname, port: Number(port), ca, ...(as === undefined ? {} : { servername: as }) },
      () => {
        socket.destroy();
        resolve();
      },
    );
    socket.once('error', reject);
  });
}

// Only Linux has all of 127.0.0.0/8 without being told.
describe.runIf(process.platform === 'linux')(`everything that listens on ${HOST}`, () => {
  const shown = z.looseObject({
    items: z.array(z.looseObject({ id: z.string(), life_status: z.looseObject({ value: z.string() }) })),
  });
  const data = join(folder, 'up');
  let up: UpProcess;
  let headers: Record<string, string>;
  beforeAll(async () => {
    up = await UpProcess.start([
      ...['--host', HOST, '--vehicles', '25', '--drivers', 'off', '--data', data],
      ...(await UpProcess.ownPorts()),
    ]);
    headers = { authorization: `Bearer ${await up.token()}` };
  });
  afterAll(async () => {
    await up.end('SIGTERM');
  });

  test('answers at its own address: service, simulator and console', async () => {
    for (const url of [up.ready.base_url, up.ready.simulator_url, String(up.ready['console_url'])]) {
      expect(new URL(url).hostname).toBe(HOST);
      expect((await fetch(url)).status).toBe(200);
    }
    const root = (await (await fetch(up.ready.base_url)).json()) as { links: Record<string, string> };
    for (const link of Object.values(root.links)) expect(link).toContain(`//${HOST}:`);
  });

  test('has the service reach the makers and the SIM providers', async () => {
    const list = async () => {
      const answer = await fetch(`${up.ready.base_url}/vehicles?limit=100`, { headers });
      return shown.parse(await answer.json()).items;
    };
    // Those without a box have their maker's telematics.
    const cars = async () => (await list()).filter(({ telematics_unit: box }) => !box);
    expect((await cars()).length).toBeGreaterThan(0);
    // Where the maker was not there yet, the service asks it again after a minute.
    await waitUntil(
      async () => (await cars()).every(({ life_status: { value } }) => value === 'ONLINE'),
      90_000,
    );
    const [vehicle] = (await list()).filter(({ telematics_unit: box }) => Boolean(box));
    const path = `/vehicles/${vehicle?.id}/box-connectivity-commands/network-detach`;
    await waitUntil(async () => {
      const { status } = await fetch(`${up.ready.base_url}${path}`, { method: 'POST', headers });
      if (status !== 409) expect(status).toBe(204);
      return status === 204;
    });
  }, 150_000);

  test('has AMQP with TLS there, with a certificate for it', async () => {
    const { amqps_url: url, amqp_ca: ca } = up.ready as unknown as { amqps_url: string; amqp_ca: string };
    expect(new URL(url).hostname).toBe(HOST);
    await signedFor(url, readFileSync(ca, 'utf8'));
  });
});

describe.runIf(process.platform === 'linux')('brokers by themselves', () => {
  let brokers: PartProcess;
  afterAll(async () => {
    await brokers.end('SIGTERM');
  });

  test(`are managed at ${HOST}, and have a certificate for it`, async () => {
    const ports = ['--mqtt-port', '--amqp-port', '--amqps-port', '--amqp-admin-port'];
    const args: string[] = [];
    for (const port of ports) args.push(port, `${await freePort()}`);
    brokers = await startPart(['brokers', '--host', HOST, '--data', join(folder, 'brokers'), ...args]);
    const { amqp_admin_url: admin, amqps_url: amqps, amqp_ca: ca } = brokers.ready as Record<string, string>;
    const { origin, username, password } = new URL(admin ?? '');
    const authorization = `Basic ${btoa(`${username}:${password}`)}`;
    const answer = await fetch(`${origin}/api/users/${username}`, { headers: { authorization } });
    expect(answer.status).toBe(200);
    await signedFor(amqps ?? '', readFileSync(ca ?? '', 'utf8'));
  });
});

test.each([HOST, '192.0.2.7', '2001:db8::7', 'telematics.test'])(
  'clients take the certificate of a server that listens on %s, and of none elsewhere',
  async (host) => {
    const tls = await openLocalAuthority(join(folder, `tls-${host.replaceAll(':', '-')}`), Date.now(), host);
    const server = createServer({ cert: tls.cert, key: tls.key }, (socket) => socket.destroy());
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    try {
      // As a client that has called it by that host; the chain is checked with the constraints of its authority.
      const { promise, resolve, reject } = Promise.withResolvers<string>();
      const socket = tlsConnect({
        host: '127.0.0.1',
        port,
        ca: tls.ca,
        checkServerIdentity: () => undefined,
      });
      socket.once('secureConnect', () => resolve(socket.getPeerCertificate().subjectaltname ?? ''));
      socket.once('error', reject);
      const names = await promise;
      socket.destroy();
      // Node shows an IPv6 address in its long form.
      if (!host.includes(':')) expect(names).toContain(host);
      await expect(signedFor(`tls://127.0.0.1:${port}`, tls.ca, 'elsewhere.test')).rejects.toThrow(
        /altnames/,
      );
    } finally {
      server.close();
    }
  },
);
