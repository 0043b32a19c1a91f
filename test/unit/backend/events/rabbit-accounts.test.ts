import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { subscriptionLimits } from '../../../../backend/base/limits.ts';
import { AccountsUnreachable } from '../../../../backend/events/accounts.ts';
import { exactly, rabbitAccounts } from '../../../../backend/events/rabbit-accounts.ts';
import { type HttpRequest, type HttpResponse, HttpUnreachable } from '../../../../world/http/http.ts';

const ADDRESS = { host: 'rabbit.test', port: 5671, virtualHost: 'fleet/one' };

/** Accounts at an administration that gives these answers, the last one again and again. */
function openAccounts(
  answers: readonly (number | Error)[],
  adminUrl = 'http://admin:s%40fe@rabbit.test:15672/',
) {
  const calls: HttpRequest[] = [];
  const call = (request: HttpRequest): Promise<HttpResponse> => {
    const answer = answers[Math.min(calls.length, answers.length - 1)] ?? 204;
    calls.push(request);
    return answer instanceof Error
      ? Promise.reject(answer)
      : Promise.resolve({ status: answer, headers: {}, body: 'reason '.repeat(1_000) });
  };
  return { accounts: rabbitAccounts({ http: { call } }, { address: ADDRESS, adminUrl }), calls };
}

const AUTHORIZATION = `Basic ${Buffer.from('admin:s@fe').toString('base64')}`;

/** What a call was rejected with. */
const failure = (call: Promise<unknown> | undefined) =>
  Promise.resolve(call).then(
    () => undefined,
    (error: unknown) => error,
  );

describe('accounts at the management interface of RabbitMQ', () => {
  test('are made as a user without tags that reads its queues and nothing else', async () => {
    const { accounts, calls } = openAccounts([201]);
    await accounts.grant({ username: 'sub/1', password: 'geheim', queues: ['a.b', 'c'] });
    const base = { timeoutMs: subscriptionLimits.accountsTimeoutMs };
    expect(calls).toMatchObject([
      {
        ...base,
        method: 'PUT',
        url: 'http://rabbit.test:15672/api/users/sub%2F1',
        headers: { authorization: AUTHORIZATION, 'content-type': 'application/json' },
      },
      { ...base, method: 'PUT', url: 'http://rabbit.test:15672/api/permissions/fleet%2Fone/sub%2F1' },
    ]);
    expect(calls.map(({ body }) => JSON.parse(body ?? '') as unknown)).toEqual([
      { password: 'geheim', tags: '' },
      { configure: '^$', write: '^$', read: '^(a\\.b|c)$' },
    ]);
  });

  test('are removed by name; one that is gone already is no failure', async () => {
    for (const status of [204, 404]) {
      const { accounts, calls } = openAccounts([status]);
      await accounts.revoke('sub-1');
      expect(calls).toEqual([
        {
          method: 'DELETE',
          url: 'http://rabbit.test:15672/api/users/sub-1',
          headers: { authorization: AUTHORIZATION },
          timeoutMs: subscriptionLimits.accountsTimeoutMs,
          maxBodyBytes: subscriptionLimits.accountsAnswerBytes,
        },
      ]);
    }
  });

  test('are checked as the administrator, who need not be listed', async () => {
    for (const status of [200, 404]) {
      const { accounts, calls } = openAccounts([status]);
      await accounts.check?.();
      expect(calls).toMatchObject([{ method: 'GET', url: 'http://rabbit.test:15672/api/users/admin' }]);
    }
  });

  test('are not made where the user is not found', async () => {
    const error = await failure(
      openAccounts([404]).accounts.grant({ username: 'u', password: 'p', queues: [] }),
    );
    expect(error).toBeInstanceOf(AccountsUnreachable);
  });

  test('are unreachable with every other answer, refused with two of them, without the password in the reason', async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(300, 400, 401, 403, 405, 500, 503), async (status) => {
        const { accounts } = openAccounts([status]);
        const error = await failure(accounts.grant({ username: 'u', password: 'geheim', queues: ['q'] }));
        if (!(error instanceof AccountsUnreachable)) throw new Error('it was taken');
        expect(error.isRefused).toBe(status === 401 || status === 403);
        expect(error.message).toContain(`PUT http://rabbit.test:15672/api/users/u answered ${status} reason`);
        expect(error.message).not.toMatch(/geheim|s@fe|s%40fe/);
        expect(error.message.length).toBeLessThan(subscriptionLimits.quotedCharacters + 150);
      }),
    );
  });

  test('are unreachable, and not refused, without an answer; a fault of the program stays one', async () => {
    const error = await failure(openAccounts([new HttpUnreachable('timeout')]).accounts.check?.());
    expect(error).toMatchObject({ name: 'AccountsUnreachable', isRefused: false });
    expect(String(error)).toContain('timeout');
    const fault = new RangeError('a bug');
    expect(await failure(openAccounts([fault]).accounts.check?.())).toBe(fault);
  });

  test('stand behind a path too', async () => {
    const { accounts, calls } = openAccounts([200], 'https://admin:p@rabbit.test/broker/');
    await accounts.check?.();
    expect(calls[0]?.url).toBe('https://rabbit.test/broker/api/users/admin');
  });

  test.each([
    ...['', 'rabbit.test', 'amqp://admin:geheim@rabbit.test', 'http://rabbit.test:15672'],
    'http://admin:geheim@one.test,http://two.test',
  ])('cannot be at %j, and the reason does not quote it', (adminUrl) => {
    const error = (() => {
      try {
        return openAccounts([200], adminUrl);
      } catch (thrown) {
        return thrown;
      }
    })();
    expect(error).toBeInstanceOf(TypeError);
    expect(String(error)).toMatch(/management interface/);
    expect(String(error)).not.toContain('geheim');
  });
});

describe('accounts at the management interfaces of a cluster', () => {
  const URLS = ['one', 'two', 'three'].map((node) => `http://admin:s%40fe@${node}.test:15672`).join(',');
  const AWAY = new HttpUnreachable('connect ECONNREFUSED');
  const hosts = (calls: readonly HttpRequest[]) => calls.map(({ url }) => new URL(url).hostname);

  test('are made at the node that answered last, and where it does not answer at the next one', async () => {
    const { accounts, calls } = openAccounts([204, 204, AWAY, 503, 204], URLS);
    await accounts.revoke('u');
    await accounts.revoke('u');
    expect(hosts(calls)).toEqual(['one.test', 'one.test']);
    await accounts.revoke('u');
    await accounts.revoke('u');
    expect(hosts(calls.slice(2))).toEqual(['one.test', 'two.test', 'three.test', 'three.test']);
  });

  test('are unreachable once each was asked, within the time of one call', async () => {
    const { accounts, calls } = openAccounts([AWAY, 500, AWAY], URLS);
    const error = await failure(accounts.check?.());
    expect(error).toMatchObject({ name: 'AccountsUnreachable', isRefused: false });
    expect(String(error)).toMatch(/ECONNREFUSED; GET http:\/\/two\.test.* answered 500 .*; connect/);
    expect(String(error)).not.toContain('s@fe');
    const timesMs = calls.map(({ timeoutMs }) => timeoutMs);
    expect(timesMs.reduce((sum, timeMs) => sum + timeMs)).toBeLessThanOrEqual(
      subscriptionLimits.accountsTimeoutMs,
    );
  });

  test('are refused by one for all', async () => {
    const { accounts, calls } = openAccounts([AWAY, 401, 204], URLS);
    expect(await failure(accounts.check?.())).toMatchObject({ isRefused: true });
    expect(hosts(calls)).toEqual(['one.test', 'two.test']);
  });
});

test('a pattern of queues matches exactly them, whatever they are called', () => {
  const names = fc.uniqueArray(fc.string({ minLength: 1, maxLength: 8 }), { minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(names, fc.string({ maxLength: 8 }), (queues, other) => {
      const pattern = new RegExp(exactly(queues));
      for (const name of queues) expect(pattern.test(name)).toBe(true);
      expect(pattern.test(other)).toBe(queues.includes(other));
    }),
  );
});
