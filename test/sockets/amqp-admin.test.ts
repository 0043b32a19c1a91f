import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { connect } from 'amqplib';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { readyBanner, readyLine } from '../../cli/live/banner.ts';
import { type LocalDeployment, startLocalDeployment } from '../../deployment/local-deployment.ts';
import { startManagedAmqp } from '../support/amqp/managed-amqp-broker.ts';
import { waitUntil } from '../support/run/external-services.ts';
import { freePort } from '../support/run/free-port.ts';

/** The part of RabbitMQ's management interface that is used: it has one administrator, and accepts every user. */
class Management {
  readonly users: string[] = [];
  #server: Server | undefined;

  async listen(port: number): Promise<number> {
    this.#server = createServer((request, response) => {
      const isAdmin = request.headers.authorization === `Basic ${btoa('admin:right')}`;
      const [, , kind, name = ''] = (request.url ?? '').split('/');
      if (isAdmin && request.method === 'PUT' && kind === 'users') this.users.push(name);
      response.writeHead(isAdmin ? 204 : 401).end(isAdmin ? undefined : '{"error":"not_authorised"}');
    });
    await new Promise<void>((resolve) => this.#server?.listen(port, '127.0.0.1', resolve));
    return (this.#server.address() as AddressInfo).port;
  }

  async close(): Promise<void> {
    this.#server?.closeAllConnections();
    await new Promise((resolve) => this.#server?.close(resolve));
    this.#server = undefined;
  }
}

const PORTS = { port: 0, simulatorPort: 0, mqttPort: 0, amqpPort: 0, amqpsPort: 0 };

let place: string;
/** Uses its embedded broker in place of a broker of the user. */
let broker: LocalDeployment;
let amqp: string;
beforeAll(async () => {
  place = mkdtempSync(join(tmpdir(), 'boxtwin-'));
  broker = startLocalDeployment({
    ...PORTS,
    vehicles: 0,
    seed: undefined,
    isFresh: false,
    data: join(place, 'broker'),
    mqtt: 'embedded',
    amqp: 'embedded',
    amqpOwner: 'owner:secret',
    givenAmqp: {},
    logLevel: 'silent',
  });
  const { messages } = await broker.ready;
  amqp = `amqp://owner:secret@${new URL(messages?.url ?? '').host}`;
});
afterAll(async () => {
  await broker.close();
  rmSync(place, { recursive: true, force: true });
});

describe('a management interface (--amqp-admin)', () => {
  let deployment: LocalDeployment | undefined;
  let management: Management | undefined;
  afterEach(async () => {
    vi.restoreAllMocks();
    await deployment?.close();
    await management?.close();
  });

  const begin = (adminUrl: string, data: string) => {
    deployment = startLocalDeployment({
      ...PORTS,
      vehicles: 0,
      seed: undefined,
      isFresh: false,
      data: join(place, data),
      mqtt: 'embedded',
      amqp,
      givenAmqp: { adminUrl },
      logLevel: 'silent',
    });
    return deployment.ready;
  };

  test('that cannot be reached is shown in the banner and in health, and the account is created when it answers', async () => {
    const port = await freePort();
    const said: string[] = [];
    vi.spyOn(process.stderr, 'write').mockImplementation((text) => said.push(String(text)) > 0);
    const facts = await begin(`http://admin:right@127.0.0.1:${port}`, 'away');
    const banner = stripVTControlCharacters(readyBanner(facts, { verbose: true, ofData: '' }));
    expect(banner).toMatch(/note .*management interface.*\(--amqp-admin\)\. boxtwin keeps trying/);
    expect(banner).toContain('consumer   none yet');
    expect(JSON.parse(readyLine(facts))).toMatchObject({ amqp_username: null, amqp_password: null });
    const health = async () =>
      (await fetch(`${facts.baseUrl}/health/ready`)).json() as Promise<{ status: string }>;
    expect((await health()).status).toBe('degraded');
    management = new Management();
    await management.listen(port);
    await waitUntil(async () => (await health()).status === 'ready', 40_000);
    await waitUntil(() => said.some((text) => text.includes('the consumer is there now: demo-')), 40_000);
    expect(management.users.at(-1)).toMatch(/^demo-/);
  }, 120_000);

  test('that refuses the sign-in ends the start with one line that says what to do', async () => {
    management = new Management();
    const port = await management.listen(0);
    const starting = begin(`http://admin:wrong@127.0.0.1:${port}`, 'refused');
    const failure = await starting.then(String, (error: unknown) => error);
    expect(failure).toMatchObject({
      name: 'Failure',
      message: expect.stringMatching(
        /^The management interface refuses the sign-in \(--amqp-admin\).*administrator/,
      ),
    });
    expect(String(failure)).not.toMatch(/\n|wrong/);
  });
});

describe('the embedded AMQP broker with users of its own, for a service elsewhere', () => {
  test('gives the service a consumer that reads the queues of the fleet and nothing else, also where another node is down', async () => {
    const managed = await startManagedAmqp();
    const dead = `admin:right@127.0.0.1:${await freePort()}`;
    const service = startLocalDeployment({
      ...PORTS,
      vehicles: 2,
      seed: undefined,
      isFresh: false,
      data: join(place, 'managed'),
      mqtt: 'embedded',
      amqp: `${managed.url},amqp://${dead}`,
      givenAmqp: { adminUrl: `http://${dead},${managed.adminUrl}` },
      logLevel: 'silent',
    });
    try {
      const { messages } = await service.ready;
      expect(messages?.account?.username).toMatch(/^demo-/);
      const connection = await connect(messages?.url ?? '');
      connection.on('error', () => undefined);
      const channel = await connection.createChannel();
      const arrived = Promise.withResolvers<string>();
      await channel.consume(messages?.queue ?? '', (message) => arrived.resolve(String(message?.content)), {
        noAck: true,
      });
      expect(JSON.parse(await arrived.promise)).toHaveProperty('data');
      channel.on('error', () => undefined);
      await expect(channel.assertQueue('own')).rejects.toThrow(/ACCESS[_-]REFUSED/);
      await connection.close();
    } finally {
      await service.close();
      await managed.close();
    }
  });
});
