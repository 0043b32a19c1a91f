import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ManagedBrokerFixture } from './rabbit-accounts-contract.ts';

interface Row {
  readonly name: string;
  /** Method and path; `~` is the name of the suite's own user. */
  readonly call: string;
  /** As JSON, or the text itself. */
  readonly body?: unknown;
  /** With another account than the administrator's. */
  readonly account?: string;
  readonly status: number;
  /** Members of the answer; `~` as above. */
  readonly says?: unknown;
}

const PERMISSIONS = { configure: '^$', write: '', read: '^a\\.b$' };
const USER = { password: 'pass:word /é', tags: '' };
const NOT_FOUND = { error: 'Object Not Found', reason: 'Not Found' };
const bad = (reason: string) => ({ error: 'bad_request', reason });

/** One after the other, upon the same user. */
const ROWS: readonly Row[] = [
  { name: 'an unknown user', call: 'GET users/~', status: 404, says: NOT_FOUND },
  { name: 'an unknown user, deleted', call: 'DELETE users/~', status: 404, says: NOT_FOUND },
  {
    name: 'permissions of an unknown user',
    call: 'PUT permissions/%2F/~',
    body: PERMISSIONS,
    status: 400,
    says: bad('vhost_or_user_not_found'),
  },
  {
    name: 'a user without tags',
    call: 'PUT users/~',
    body: { password: 'x' },
    status: 400,
    says: bad('tags_not_present'),
  },
  {
    name: 'a body that is not JSON',
    call: 'PUT users/~',
    body: '{"password":',
    status: 400,
    says: bad('not_json'),
  },
  {
    name: 'a body that is a list',
    call: 'PUT users/~',
    body: [],
    status: 400,
    says: bad('not_json'),
  },
  { name: 'a new user', call: 'PUT users/~', body: USER, status: 201 },
  { name: 'the same user again', call: 'PUT users/~', body: { ...USER, tags: [] }, status: 204 },
  { name: 'the user, shown', call: 'GET users/~', status: 200, says: { name: '~', tags: [], limits: {} } },
  { name: 'the user, asked for by HEAD', call: 'HEAD users/~', status: 200 },
  { name: 'no permissions yet', call: 'GET permissions/%2F/~', status: 404, says: NOT_FOUND },
  { name: 'the first permissions', call: 'PUT permissions/%2F/~', body: PERMISSIONS, status: 201 },
  {
    name: 'other permissions',
    call: 'PUT permissions/%2F/~',
    body: { ...PERMISSIONS, write: '^w' },
    status: 204,
  },
  {
    name: 'permissions, shown',
    call: 'GET permissions/%2F/~',
    status: 200,
    says: { ...PERMISSIONS, write: '^w', user: '~', vhost: '/' },
  },
  {
    name: 'permissions without one of the three',
    call: 'PUT permissions/%2F/~',
    body: { configure: '', write: '' },
    status: 400,
    says: bad('[{key_missing,read}]'),
  },
  {
    name: 'permissions that are no expression',
    call: 'PUT permissions/%2F/~',
    body: { ...PERMISSIONS, read: '(' },
    status: 400,
    says: { error: 'bad_request' },
  },
  {
    name: 'permissions in another virtual host',
    call: 'PUT permissions/boxtwin-none/~',
    body: PERMISSIONS,
    status: 400,
    says: bad('vhost_or_user_not_found'),
  },
  {
    name: 'what was refused changed nothing',
    call: 'GET permissions/%2F/~',
    status: 200,
    says: { ...PERMISSIONS, write: '^w' },
  },
  {
    name: 'a wrong password',
    call: 'GET users/~',
    account: 'nobody:wrong',
    status: 401,
    says: { error: 'not_authorized', reason: 'Login failed' },
  },
  { name: 'no password', call: 'GET users/~', account: '', status: 401 },
  { name: "the user's own account", call: 'GET users/~', account: `~:${USER.password}`, status: 401 },
  { name: 'the user, deleted', call: 'DELETE users/~', status: 204 },
  { name: 'the deleted user', call: 'GET users/~', status: 404, says: NOT_FOUND },
  { name: 'its permissions', call: 'GET permissions/%2F/~', status: 404, says: NOT_FOUND },
];

/** The calls by which users are made: statuses and bodies. */
export function managementContract(name: string, open: () => Promise<ManagedBrokerFixture>): void {
  describe(`${name}: the answers of its management interface`, () => {
    const user = `boxtwin-test-${randomUUID()}`;
    let fixture: ManagedBrokerFixture;
    beforeAll(async () => {
      fixture = await open();
    });
    afterAll(() => fixture.close());

    test.each(ROWS.map((row) => [row.name, row] as const))(
      '%s',
      async (_, { call, body, account, status, says }) => {
        const { origin, username, password } = new URL(fixture.adminUrl);
        const [method = '', path = ''] = call.replace('~', user).split(' ');
        const who = account?.replace('~', user) ?? `${username}:${password}`;
        const authorization = `Basic ${Buffer.from(who, 'utf8').toString('base64')}`;
        const answer = await fetch(`${origin}/api/${path}`, {
          method,
          headers: { 'content-type': 'application/json', ...(who === '' ? {} : { authorization }) },
          ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
        });
        const text = await answer.text();
        expect(answer.status, text).toBe(status);
        // RabbitMQ leaves it out where the account is right and has no tag.
        if (status === 401 && account?.startsWith('~') !== true)
          expect(answer.headers.get('www-authenticate')).toMatch(/^Basic realm="/);
        if (says === undefined) return;
        expect(answer.headers.get('content-type')).toContain('application/json');
        expect(JSON.parse(text.replaceAll(user, '~'))).toMatchObject(says as object);
      },
    );
  });
}
