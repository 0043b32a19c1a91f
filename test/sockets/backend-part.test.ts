import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startBrokersPart } from '../../deployment/brokers/brokers-part.ts';
import { BROKERS_FILE, writeAddressFile } from '../../deployment/directory/address-files.ts';
import { serveHttp } from '../../deployment/http/http-server.ts';
import { type BackendPartOptions, startBackendPart } from '../../deployment/service/backend-part.ts';

let data: string;
const ends: (() => Promise<void>)[] = [];
beforeEach(() => {
  data = mkdtempSync(join(tmpdir(), 'boxtwin-'));
});
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
  rmSync(data, { recursive: true, force: true });
});

async function mqttBroker(): Promise<string> {
  const ports = { mqttPort: 0, amqpPort: 0, amqpsPort: 0, amqpAdminPort: 0 };
  const brokers = startBrokersPart({ data, seed: 1, ...ports, logLevel: 'silent' });
  ends.push(() => brokers.close());
  return (await brokers.ready).mqttUrl;
}

function backendWith(options: Pick<BackendPartOptions, 'mqtt'> & Partial<BackendPartOptions>) {
  const backend = startBackendPart({
    data,
    seed: 1,
    vehicles: 1,
    stock: 0,
    port: 0,
    logLevel: 'silent',
    store: undefined,
    storeCa: undefined,
    mqttCa: undefined,
    givenAmqp: {},
    publicUrl: undefined,
    alertUrl: undefined,
    amqp: undefined,
    simulatorUrl: undefined,
    ...options,
  });
  ends.push(() => backend.close());
  return backend.ready;
}

test('a given simulator of another installation is refused at the start, unless it is forced', async () => {
  const simulator = await serveHttp({ port: 0 }, () =>
    Response.json({ what: 'a simulator', boxes: 1, installation: 'other' }),
  );
  ends.push(() => simulator.close());
  const mqtt = await mqttBroker();
  for (const slash of ['', '/']) {
    const simulatorUrl = `http://127.0.0.1:${simulator.port}${slash}`;
    await expect(backendWith({ mqtt, simulatorUrl })).rejects.toThrow(
      /simulator at \S+ \(--simulator\) belongs to the installation other.*Nothing was done.*--force/,
    );
  }
  const simulatorUrl = `http://127.0.0.1:${simulator.port}`;
  expect((await backendWith({ mqtt, simulatorUrl, force: true })).simulatorUrl).toBe(simulatorUrl);
});

test('with --mqtt the password for AMQP is not sent to an address that killed brokers have left behind', async () => {
  let connections = 0;
  const taken = createServer((socket) => {
    connections += 1;
    socket.destroy();
  });
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
  ends.push(() => new Promise((resolve) => taken.close(() => resolve())));
  const address = taken.address();
  const amqpPort = typeof address === 'object' && address !== null ? address.port : 0;
  const management = await serveHttp({ port: 0 }, () => new Response(null, { status: 401 }));
  ends.push(() => management.close());
  writeAddressFile(
    data,
    BROKERS_FILE,
    JSON.stringify({
      mqtt_url: 'mqtt://127.0.0.1:9',
      amqp_url: `amqp://backend:secret@127.0.0.1:${amqpPort}`,
      amqp_admin_url: `http://backend:secret@127.0.0.1:${management.port}`,
    }),
  );
  const { messages, notices } = await backendWith({ mqtt: await mqttBroker() });
  expect({ messages, connections }).toEqual({ messages: null, connections: 0 });
  expect(notices).toEqual([
    expect.stringMatching(/something else answers \(status 401\).*No messages are published\..*--amqp/),
  ]);
});
