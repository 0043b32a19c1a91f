import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { UserTable } from '../../../../../brokers/amqp/management/users.ts';
import { parseUsers, readUsers, writeUsers } from '../../../../../brokers/amqp/management/users-file.ts';
import { limits } from '../../../../../brokers/limits.ts';

const HEAD = '{"file":"boxtwin AMQP users","version":1,"users":1}';
const row = (more: object = {}) =>
  JSON.stringify({ name: 'reader', secret_hash: 'a hash', permissions: null, ...more });

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'boxtwin-users-'));
  path = join(folder, 'data', 'amqp-users.jsonl');
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('the file of users', () => {
  test('is none at first, and is made with its folder, for its owner alone', async () => {
    const table = await readUsers(path);
    expect(table.size).toBe(0);
    table.apply({ kind: 'put-user', name: 'reader', secretHash: 'a hash' });
    await writeUsers(path, table);
    expect(readFileSync(path, 'utf8')).toBe(`${HEAD}\n${row()}\n`);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(statSync(join(folder, 'data')).mode & 0o777).toBe(0o700);
    expect((await readUsers(path)).get('reader')).toEqual({
      name: 'reader',
      secretHash: 'a hash',
      permissions: undefined,
    });
  });

  test('takes the place of what a crash left beside it, and of a file that others could read', async () => {
    mkdirSync(join(folder, 'data'));
    writeFileSync(`${path}.new`, 'half', { mode: 0o644 });
    writeFileSync(path, `${HEAD}\n${row()}\n`);
    chmodSync(path, 0o644);
    await writeUsers(path, await readUsers(path));
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect((await readUsers(path)).size).toBe(1);
  });

  test.each([
    ['nothing', '', 'line 1 is no head of this file: it is not JSON'],
    ['another file', '{"file":"x","version":1,"users":0}\n', 'line 1 is no head of this file: file'],
    [
      'a newer version',
      '{"file":"boxtwin AMQP users","version":2,"users":0}\n',
      'line 1: version 2 is of a newer boxtwin',
    ],
    ['a missing user', `${HEAD}\n`, 'line 1 says 1 users, and 0 follow'],
    ['a line cut off', `${HEAD}\n${row().slice(0, 20)}`, 'line 2 has no end, so that something is missing'],
    ['half a line', `${HEAD}\n${row().slice(0, 20)}\n`, 'line 2: it is not JSON'],
    ['zeros in place of a line', `${HEAD}\n${'\0'.repeat(10)}\n`, 'line 2: it is not JSON'],
    ['an unknown member', `${HEAD}\n${row({ tags: '' })}\n`, 'line 2: Unrecognized key: "tags"'],
    ['a bad name', `${HEAD}\n${row({ name: '../x' })}\n`, 'line 2: name must be 1 to 128 ASCII letters'],
    ['an empty hash', `${HEAD}\n${row({ secret_hash: '' })}\n`, 'line 2: secret_hash Too small'],
    [
      'a bad expression',
      `${HEAD}\n${row({ permissions: { configure: '', write: '', read: '(' } })}\n`,
      'line 2: permissions.read is not a regular expression: Unterminated group',
    ],
    ['a user twice', `${HEAD.replace('1}', '2}')}\n${row()}\n${row()}\n`, 'line 3: reader appears twice'],
  ])('that is damaged is told with line, reason and remedy, and stays: %s', async (_, text, reason) => {
    mkdirSync(join(folder, 'data'));
    writeFileSync(path, text);
    const failure = await readUsers(path).then(String, (error: Error) => error);
    expect(failure).toMatchObject({
      name: 'UsersFileUnusable',
      message: expect.stringMatching(
        /users\.jsonl cannot be used: .*\. Repair it, .* Nothing was overwritten\.$/,
      ),
    });
    expect((failure as Error).message).toContain(reason);
    expect((failure as Error).message).not.toContain('a hash');
    expect(readFileSync(path, 'utf8')).toBe(text);
  });

  test('that is no file, or none of UTF-8, is told too', async () => {
    mkdirSync(path, { recursive: true });
    await expect(readUsers(path)).rejects.toThrow(/cannot be used: EISDIR/);
    rmSync(path, { recursive: true });
    writeFileSync(path, Buffer.from([0xff, 0xfe]));
    await expect(readUsers(path)).rejects.toThrow(/cannot be used: it is not UTF-8/);
  });
});

describe('the room for users', () => {
  test('ends at a number; users who are there can still be changed and deleted', () => {
    const table = new UserTable();
    for (let count = 0; count < limits.users.users; count++)
      expect(table.apply({ kind: 'put-user', name: `u${count}`, secretHash: 'h' })).toBe('created');
    expect(table.apply({ kind: 'put-user', name: 'more', secretHash: 'h' })).toBe('full');
    expect(table.apply({ kind: 'put-user', name: 'u0', secretHash: 'i' })).toBe('changed');
    expect(table.apply({ kind: 'delete-user', name: 'u0' })).toBe('deleted');
    expect(table.apply({ kind: 'put-user', name: 'more', secretHash: 'h' })).toBe('created');
  });

  test('is not used up by changes of the same user', () => {
    const table = new UserTable();
    table.apply({ kind: 'put-user', name: 'reader', secretHash: 'h' });
    const text = 'x'.repeat(limits.users.patternCharacters);
    const permissions = { configure: text, write: text, read: text };
    const outcomes = Array.from({ length: 2_000 }, () =>
      table.apply({ kind: 'put-permissions', name: 'reader', permissions }),
    );
    expect(new Set(outcomes.slice(1))).toEqual(new Set(['changed']));
  });

  test('ends at the bytes of the file, which can be read back then', () => {
    const table = new UserTable();
    const text = 'x'.repeat(limits.users.patternCharacters);
    const permissions = { configure: text, write: text, read: text };
    let count = 0;
    for (; count < limits.users.users; count++) {
      table.apply({ kind: 'put-user', name: `u${count}`, secretHash: 'h' });
      if (table.apply({ kind: 'put-permissions', name: `u${count}`, permissions }) === 'full') break;
    }
    expect(count).toBeGreaterThan(1_000);
    expect(count).toBeLessThan(limits.users.users);
    const file = [HEAD.replace('1}', `${table.size}}`), ...table.lines(), ''].join('\n');
    expect(Buffer.byteLength(file)).toBeLessThanOrEqual(limits.users.fileBytes);
    expect(parseUsers(file)).toMatchObject({ size: table.size });
    table.apply({ kind: 'delete-user', name: 'u0' });
    const name = `u${count}`;
    expect(table.apply({ kind: 'put-permissions', name, permissions })).toBe('created');
  });
});
