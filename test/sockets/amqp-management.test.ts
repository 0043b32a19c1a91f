import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { type IncomingHttpHeaders, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from 'amqplib';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { rabbitAccounts } from '../../backend/events/rabbit-accounts.ts';
import { limits } from '../../brokers/limits.ts';
import { realHttp } from '../../world/http/real-http.ts';
import { ADMINISTRATOR, type ManagedAmqp, startManagedAmqp } from '../support/amqp/managed-amqp-broker.ts';

const PROGRAM = new URL('../support/amqp/managed-amqp-program.ts', import.meta.url).pathname;

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** One request exactly as it is given: a client that is not well-behaved neither resolves nor encodes paths. */
function ask(
  adminUrl: string,
  method: string,
  path: string,
  more: {
    readonly account?: string;
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: readonly string[];
  } = {},
): Promise<Answer> {
  const { hostname: host, port, username, password } = new URL(adminUrl);
  const { account = `${username}:${password}`, headers = {}, body = [] } = more;
  return new Promise((resolve, reject) => {
    const asked = request(
      {
        host,
        port,
        method,
        path,
        headers: { authorization: `Basic ${btoa(account)}`, ...headers },
      },
      (incoming) => {
        let text = '';
        incoming.setEncoding('utf8');
        incoming.on('data', (part: string) => {
          text += part;
        });
        incoming.on('end', () =>
          resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, text }),
        );
      },
    );
    asked.on('error', reject);
    for (const part of body) asked.write(part);
    asked.end();
  });
}

const userBody = (password: string) => [JSON.stringify({ password, tags: '' })];

describe('attacks on the management interface of the embedded AMQP broker', () => {
  let managed: ManagedAmqp;
  const files = () => readdirSync(join(managed.path, '..')).sort();
  const users = () => readFileSync(managed.path, 'utf8').split('\n').length - 2;
  beforeAll(async () => {
    managed = await startManagedAmqp();
    await ask(managed.adminUrl, 'PUT', '/api/users/known', { body: userBody('of known') });
  });
  afterAll(() => managed.close());

  test('a first wrong password is refused with 401', async () => {
    const account = `${ADMINISTRATOR.username}:wrong`;
    const { status, text } = await ask(managed.adminUrl, 'GET', '/api/users/known', { account });
    expect([status, JSON.parse(text)]).toEqual([401, { error: 'not_authorized', reason: 'Login failed' }]);
  });

  test.each([
    ['a wrong password', `${ADMINISTRATOR.username}:wrong`],
    ['a password that begins rightly', `${ADMINISTRATOR.username}:${ADMINISTRATOR.password}x`],
    ["another user's account", 'known:of known'],
    ['an unknown name', `x:${ADMINISTRATOR.password}`],
    ['no name', `:${ADMINISTRATOR.password}`],
  ])('%s is refused at every path, served or not', async (_, account) => {
    for (const [method, path] of [
      ['GET', '/api/users/known'],
      ['PUT', '/api/users/known'],
      ['DELETE', '/api/users/known'],
      ['PUT', '/api/permissions/%2F/known'],
      ['GET', '/api/overview'],
    ] as const) {
      const { status, text } = await ask(managed.adminUrl, method, path, { account });
      // After too many wrong passwords the next ones are refused with 429 before they are checked.
      expect([
        [401, { error: 'not_authorized', reason: 'Login failed' }],
        [429, { error: 'too_many_requests', reason: expect.any(String) }],
      ]).toContainEqual([status, JSON.parse(text)]);
    }
    expect(users()).toBe(1);
  });

  test('refusals are logged without the password', async () => {
    await ask(managed.adminUrl, 'GET', '/api/users/known', { account: 'logged:hidden' });
    const line = managed.lines.find((each) => each.includes('"logged"'));
    expect(line).toContain('management was refused');
    expect(managed.lines.join('\n')).not.toContain('hidden');
  });

  test.each([
    '/api/users/../../../etc/passwd',
    '/api/users/..%2f..%2fx',
    '/api/users/%2e%2e%2fx',
    '/api/users/%252e%252e%252fx',
    '/api/users/%2e%2e',
    '/api/users/.hidden',
    '/api/users/a%00b',
    '/api/users/a%0ab',
    '/api/users/a%20b',
    '/api/users/%E0%A4%A',
    '/api/users/%C3%A9',
    '/api/users/',
    `/api/users/${'n'.repeat(limits.users.nameCharacters + 1)}`,
    '/api/users/known/',
    '/api//users/new',
    '/API/users/new',
  ])('no user is made by PUT %s', async (path) => {
    const before = files();
    const { status, text } = await ask(managed.adminUrl, 'PUT', path, { body: userBody('x') });
    expect([400, 404]).toContain(status);
    expect(JSON.parse(text)).toHaveProperty('reason');
    expect([files(), users()]).toEqual([before, 1]);
  });

  test.each([
    ['with its length', { 'content-length': String(limits.users.bodyBytes + 20_000) }],
    ['in chunks, without one', { 'transfer-encoding': 'chunked' }],
  ])('a body that is too large, %s, is refused', async (_, headers) => {
    const part = ' '.repeat(10_000);
    const size = limits.users.bodyBytes + 20_000;
    const body = [
      ...Array.from({ length: Math.floor(size / 10_000) }, () => part),
      ' '.repeat(size % 10_000),
    ];
    const { status, text } = await ask(managed.adminUrl, 'PUT', '/api/users/large', { headers, body });
    expect([status, JSON.parse(text)]).toMatchObject([413, { error: 'payload_too_large' }]);
    expect(users()).toBe(1);
  });

  test('a body in chunks that is small enough is taken', async () => {
    const headers = { 'transfer-encoding': 'chunked' };
    const body = ['{"password":', '"of known",', '"tags":""}'];
    expect((await ask(managed.adminUrl, 'PUT', '/api/users/known', { headers, body })).status).toBe(204);
  });

  test('a Host that is not of this machine is refused, whatever the account', async () => {
    for (const host of ['attacker.example', 'attacker.example:80', '127.0.0.1.attacker.example']) {
      const { status } = await ask(managed.adminUrl, 'GET', '/api/users/known', { headers: { host } });
      expect(status, host).toBe(403);
    }
    for (const host of ['localhost:1', '127.0.0.1', '[::1]:2', 'LOCALHOST'])
      expect(
        (await ask(managed.adminUrl, 'GET', '/api/users/known', { headers: { host } })).status,
        host,
      ).toBe(200);
  });

  test('a web page is not let in: no answer has a header of CORS', async () => {
    const headers = { origin: 'http://attacker.example', 'access-control-request-method': 'PUT' };
    for (const method of ['OPTIONS', 'GET', 'PUT']) {
      const answer = await ask(managed.adminUrl, method, '/api/users/known', { headers });
      expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
    }
  });

  test('whatever else is asked for is answered with what is served', async () => {
    for (const [method, path] of [
      ['GET', '/'],
      ['GET', '/api/users'],
      ['GET', '/api/overview'],
      ['POST', '/api/users/known'],
      ['DELETE', '/api/permissions/%2F/known'],
      ['PUT', '/api/vhosts/x'],
    ] as const) {
      const { status, text } = await ask(managed.adminUrl, method, path);
      expect(status, `${method} ${path}`).toBe(404);
      expect(JSON.parse(text)).toEqual({
        error: 'Object Not Found',
        reason: expect.stringContaining('GET, PUT, DELETE /api/users/{name}'),
      });
    }
  });

  test('nobody can change, shadow or delete the account of the administrator', async () => {
    const path = `/api/users/${ADMINISTRATOR.username}`;
    expect((await ask(managed.adminUrl, 'PUT', path, { body: userBody('mine') })).status).toBe(400);
    expect((await ask(managed.adminUrl, 'DELETE', path)).status).toBe(400);
    const own = await ask(managed.adminUrl, 'GET', path);
    expect(JSON.parse(own.text)).toEqual({
      name: ADMINISTRATOR.username,
      tags: ['administrator'],
      limits: {},
    });
    await (await connect(managed.url)).close();
  });

  test('a user cannot be given tags', async () => {
    const body = [JSON.stringify({ password: 'x', tags: 'administrator' })];
    expect((await ask(managed.adminUrl, 'PUT', '/api/users/tagged', { body })).status).toBe(400);
    expect(users()).toBe(1);
  });

  test('neither answers nor the file disclose a password, and only the owner may read the file', async () => {
    const shown = await ask(managed.adminUrl, 'GET', '/api/users/known');
    expect(JSON.parse(shown.text)).toEqual({ name: 'known', tags: [], limits: {} });
    expect(readFileSync(managed.path, 'utf8')).not.toContain('of known');
    expect(statSync(managed.path).mode & 0o777).toBe(0o600);
  });

  test('an expression that backtracks without end refuses, and the broker goes on', async () => {
    const body = [JSON.stringify({ configure: '', write: '', read: '^(a+)+$' })];
    const put = await ask(managed.adminUrl, 'PUT', '/api/permissions/%2F/known', { body });
    expect(put.status).toBe(201);
    const admin = await connect(managed.url);
    const queue = `${'a'.repeat(60)}!`;
    await (await admin.createChannel()).assertQueue(queue);
    const account = new URL(managed.url);
    account.username = 'known';
    account.password = encodeURIComponent('of known');
    const connection = await connect(account.href);
    const channel = await connection.createChannel();
    channel.on('error', () => undefined);
    await expect(channel.get(queue)).rejects.toThrow(/ACCESS[_-]REFUSED/);
    expect(managed.lines.join('\n')).toContain('too complex');
    await connection.close();
    await admin.close();
  });
});

describe('the users of the embedded AMQP broker after kill -9', () => {
  let folder: string;
  let child: ChildProcess | undefined;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'boxtwin-managed-kill-'));
  });
  afterEach(async () => {
    await kill();
    rmSync(folder, { recursive: true });
  });

  async function start(): Promise<{ readonly url: string; readonly adminUrl: string }> {
    const started = spawn(process.execPath, [PROGRAM, folder], { stdio: ['ignore', 'pipe', 'inherit'] });
    child = started;
    return new Promise((resolve, reject) => {
      started.stdout.once('data', (bytes: Buffer) => resolve(JSON.parse(bytes.toString())));
      started.once('exit', (code) => reject(new Error(`The broker ended with ${code}`)));
    });
  }
  async function kill(): Promise<void> {
    const running = child;
    child = undefined;
    if (running === undefined || running.exitCode !== null || running.signalCode !== null) return;
    const ended = new Promise((resolve) => running.once('exit', resolve));
    running.kill('SIGKILL');
    await ended;
  }
  const accountsAt = ({ url, adminUrl }: { readonly url: string; readonly adminUrl: string }) => {
    const { hostname: host, port } = new URL(url);
    const address = { host, port: Number(port), virtualHost: '/' };
    return rabbitAccounts({ http: realHttp() }, { address, adminUrl });
  };
  /** Whether a user can sign in and look at its queue. */
  async function canRead(url: string, username: string): Promise<boolean> {
    const at = new URL(url);
    at.username = username;
    at.password = `of-${username}`;
    const connection = await connect(at.href).catch(() => undefined);
    if (connection === undefined) return false;
    connection.on('error', () => undefined);
    const channel = await connection.createChannel();
    channel.on('error', () => undefined);
    const isThere = await channel.checkQueue(`queue-of-${username}`).then(
      () => true,
      () => false,
    );
    await connection.close();
    return isThere;
  }

  test('all whose making or deleting was answered are as they were answered', async () => {
    const first = await start();
    const admin = await connect(first.url);
    admin.on('error', () => undefined);
    const channel = await admin.createChannel();
    channel.on('error', () => undefined);
    const made = new Set<string>();
    const deleted = new Set<string>();
    const accounts = accountsAt(first);
    const names = Array.from({ length: 200 }, (_, index) => `user-${index}`);
    for (const name of names.slice(0, 40)) await channel.assertQueue(`queue-of-${name}`, { durable: true });
    /** Four at a time, each third one deleted again, until the broker is no more. */
    const worker = async (from: number) => {
      for (let index = from; index < names.length; index += 4) {
        const username = names[index] ?? '';
        await accounts.grant({ username, password: `of-${username}`, queues: [`queue-of-${username}`] });
        made.add(username);
        if (index % 3 !== 0) continue;
        made.delete(username);
        await accounts.revoke(username);
        deleted.add(username);
        if (deleted.size === 6) await kill();
      }
    };
    await Promise.allSettled([0, 1, 2, 3].map(worker));
    await admin.close().catch(() => undefined);
    expect(made.size).toBeGreaterThan(5);
    expect(made.size + deleted.size).toBeLessThan(40);

    const second = await start();
    for (const username of made) expect(await canRead(second.url, username), username).toBe(true);
    for (const username of deleted) expect(await canRead(second.url, username), username).toBe(false);
  });
});
