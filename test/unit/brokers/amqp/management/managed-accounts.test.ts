import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openManagedAccounts } from '../../../../../brokers/amqp/management/managed-accounts.ts';
import { realLog } from '../../../../../world/log/real-log.ts';

const administrator = { username: 'admin', password: 'right' };
const HEADERS = { authorization: `Basic ${btoa('admin:right')}`, host: '127.0.0.1' };

let folder: string;
let path: string;
let dismissed: string[];
let lines: string[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'boxtwin-accounts-'));
  path = join(folder, 'amqp-users.jsonl');
  dismissed = [];
  lines = [];
});
afterEach(() => rmSync(folder, { recursive: true }));

/** The hash of a secret is the secret in brackets; `comparing` is awaited in each comparison. */
async function open(comparing: () => Promise<void> = () => Promise.resolve()) {
  const accounts = await openManagedAccounts({
    path,
    administrator,
    log: realLog('debug', { output: { write: (line: string) => lines.push(line) } }),
    crypto: {
      hashSecret: (secret) => Promise.resolve(`<${secret}>`),
      async verifySecret(secret, hash) {
        await comparing();
        return hash === `<${secret}>`;
      },
    },
    // The file as it is when connections end.
    dismiss: (username) => dismissed.push(`${username}: ${readFileSync(path, 'utf8').includes(username)}`),
  });
  const call = async (method: string, at: string, body?: object) =>
    (
      await accounts.app.request(`http://127.0.0.1/api/${at}`, {
        method,
        headers: HEADERS,
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
    ).status;
  const put = (name: string, password: string) => call('PUT', `users/${name}`, { password, tags: '' });
  return { ...accounts, call, put };
}
const READ = { configure: '', write: '', read: '^own$' };

describe('the accounts of a broker with users of its own', () => {
  test('are there again after a restart, with passwords and permissions', async () => {
    const first = await open();
    await first.put('reader', 'secret');
    await first.call('PUT', 'permissions/%2F/reader', READ);
    await first.close();
    const second = await open();
    expect(await second.authenticate('reader', 'secret')).toBe(true);
    expect(await second.authenticate('reader', 'other')).toBe(false);
    expect(second.permits('reader', 'read', 'own')).toBe(true);
    expect(second.permits('reader', 'read', 'other')).toBe(false);
    expect(second.permits('reader', 'write', 'own')).toBe(false);
  });

  test('a user without permissions may sign in and nothing else', async () => {
    const accounts = await open();
    await accounts.put('reader', 'secret');
    expect(await accounts.authenticate('reader', 'secret')).toBe(true);
    expect(accounts.permits('reader', 'read', '')).toBe(false);
  });

  test('a user who gets another password keeps its permissions', async () => {
    const accounts = await open();
    await accounts.put('reader', 'secret');
    await accounts.call('PUT', 'permissions/%2F/reader', READ);
    await accounts.put('reader', 'new');
    expect(await accounts.authenticate('reader', 'secret')).toBe(false);
    expect(await accounts.authenticate('reader', 'new')).toBe(true);
    expect(accounts.permits('reader', 'read', 'own')).toBe(true);
  });

  test('the administrator may do everything, with its password only', async () => {
    const accounts = await open();
    expect(await accounts.authenticate('admin', 'right')).toBe(true);
    expect(await accounts.authenticate('admin', 'wrong')).toBe(false);
    expect(accounts.permits('admin', 'configure', 'anything')).toBe(true);
    expect(accounts.permits('nobody', 'read', 'anything')).toBe(false);
  });

  test('connections end once the deletion of their user is in the file', async () => {
    const accounts = await open();
    await accounts.put('reader', 'secret');
    await accounts.call('DELETE', 'users/nobody');
    expect(dismissed).toEqual([]);
    expect(await accounts.call('DELETE', 'users/reader')).toBe(204);
    expect(dismissed).toEqual(['reader: false']);
    expect(await accounts.authenticate('reader', 'secret')).toBe(false);
  });

  test.each([
    ['is deleted', 'DELETE', undefined],
    ['gets another password', 'PUT', { password: 'new', tags: '' }],
  ])('a user who %s during the sign-in stays out', async (_, method, body) => {
    const comparing = Promise.withResolvers<void>();
    const accounts = await open(() => comparing.promise);
    await accounts.put('reader', 'secret');
    const signingIn = accounts.authenticate('reader', 'secret');
    await accounts.call(method, 'users/reader', body);
    comparing.resolve();
    expect(await signingIn).toBe(false);
  });

  test('a user who gets permissions during the sign-in is let in', async () => {
    const comparing = Promise.withResolvers<void>();
    const accounts = await open(() => comparing.promise);
    await accounts.put('reader', 'secret');
    const signingIn = accounts.authenticate('reader', 'secret');
    await accounts.call('PUT', 'permissions/%2F/reader', READ);
    comparing.resolve();
    expect(await signingIn).toBe(true);
  });

  test('what cannot be written is answered with 500, logged, and not in force; it can be tried again', async () => {
    const accounts = await open();
    await accounts.put('before', 'secret');
    mkdirSync(`${path}.new`);
    expect(await accounts.put('after', 'secret')).toBe(500);
    expect(await accounts.call('DELETE', 'users/before')).toBe(500);
    expect(await accounts.authenticate('after', 'secret')).toBe(false);
    expect(await accounts.authenticate('before', 'secret')).toBe(true);
    expect(dismissed).toEqual([]);
    expect(lines.join('')).toMatch(/management failed/);
    rmSync(`${path}.new`, { recursive: true });
    expect(await accounts.put('after', 'secret')).toBe(201);
    expect(await (await open()).authenticate('after', 'secret')).toBe(true);
  });

  test('many calls at once are answered as if each were alone', async () => {
    const accounts = await open();
    const names = Array.from({ length: 50 }, (_, index) => `user-${index}`);
    expect(await Promise.all(names.map((name) => accounts.put(name, name)))).toEqual(names.map(() => 201));
    expect(await Promise.all(names.map((name) => accounts.call('DELETE', `users/${name}`)))).toEqual(
      names.map(() => 204),
    );
  });

  test('the interface answers under a Host given at the start, and under no other', async () => {
    const { app } = await openManagedAccounts({
      path,
      administrator,
      log: realLog('silent', { output: { write: () => undefined } }),
      hosts: ['Broker.Example'],
      crypto: { hashSecret: async () => '', verifySecret: async () => false },
      dismiss: () => undefined,
    });
    const { authorization } = HEADERS;
    const statusAt = async (host: string) =>
      (await app.request(`http://${host}/api/users/admin`, { headers: { authorization, host } })).status;
    expect(await statusAt('broker.example:25672')).toBe(200);
    expect(await statusAt('127.0.0.1:25672')).toBe(200);
    expect(await statusAt('other.example')).toBe(403);
  });

  test('an administrator without a password, or with a name that no path can have, is refused', async () => {
    const given = { path, crypto: { hashSecret: async () => '', verifySecret: async () => false } };
    const log = realLog('silent', { output: { write: () => undefined } });
    for (const wrong of [
      { username: 'admin', password: '' },
      { username: '', password: 'x' },
      { username: 'a/b', password: 'x' },
    ])
      await expect(
        openManagedAccounts({ ...given, log, administrator: wrong, dismiss: () => undefined }),
      ).rejects.toThrow(TypeError);
  });
});
