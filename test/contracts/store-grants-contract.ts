import { describe, expect, test } from 'vitest';
import { NameTaken } from '../../backend/store/port/grants-store.ts';
import { START_MS, type TestStore } from '../support/store/store-rows.ts';

const user = {
  id: 'user-1',
  fleetId: 'FLEET1',
  name: 'ada',
  passwordHash: 'hash',
  permissions: ['vehicles'],
  createdMs: START_MS,
};
const grant = {
  id: 'grant-0001',
  clientId: 'app',
  userId: 'user-1',
  scopes: ['VEHICLES'],
  redirectUri: 'https://app.test/back',
  codeChallenge: 'challenge',
  nonce: undefined,
  signedInMs: START_MS,
};
const code = { digest: 'code', expiresMs: START_MS + 60_000 };
const exchange = (spent: string, digest: string, change: { readonly expiresMs?: number } = {}) => ({
  spent,
  next: { digest, expiresMs: change.expiresMs ?? START_MS + 60_000 },
  answer: { text: `answer to ${spent}`, untilMs: START_MS + 10_000 },
});

/** The behaviour of a store for people, sessions and grants. */
export function grantsContract(stage: TestStore): void {
  describe('grants', () => {
    const open = async () => {
      await stage.store.grants.saveUser(user);
      await stage.store.grants.openGrant(grant, code, START_MS);
      return stage.store.grants;
    };

    test('a user is found by id and by name, which is unique', async () => {
      const grants = await open();
      expect(await grants.findUser('user-1')).toEqual(user);
      expect(await grants.findUserByName('ada')).toEqual(user);
      await expect(grants.saveUser({ ...user, id: 'user-2' })).rejects.toThrow(NameTaken);
      await grants.saveUser({ ...user, permissions: [] });
      expect((await grants.findUser('user-1'))?.permissions).toEqual([]);
    });

    test('a session lasts until it expires or is ended', async () => {
      const grants = await open();
      const session = { digest: 's', userId: 'user-1', signedInMs: START_MS, expiresMs: START_MS + 10 };
      await grants.openSession(session);
      expect(await grants.findSession('s', START_MS + 9)).toEqual(session);
      expect(await grants.findSession('s', START_MS + 10)).toBeUndefined();
      await grants.endSession('s');
      expect(await grants.findSession('s', START_MS)).toBeUndefined();
    });

    test('a secret is used once, and known afterwards', async () => {
      const grants = await open();
      expect(await grants.findSecret('code')).toEqual({
        grant,
        kind: 'code',
        expiresMs: START_MS + 60_000,
        isSpent: false,
      });
      expect([await grants.spendSecret('code'), await grants.spendSecret('code')]).toEqual([true, false]);
      expect((await grants.findSecret('code'))?.isSpent).toBe(true);
      expect(await grants.spendSecret('unknown')).toBe(false);
    });

    test('a grant lasts as long as its last secret', async () => {
      const grants = await open();
      expect(await grants.findGrant('grant-0001', START_MS + 59_999)).toEqual(grant);
      expect(await grants.findGrant('grant-0001', START_MS + 60_000)).toBeUndefined();
      expect(
        await grants.exchangeSecret(exchange('code', 'r1', { expiresMs: START_MS + 100_000 }), START_MS),
      ).toBe('done');
      expect((await grants.findSecret('r1'))?.kind).toBe('refresh');
      expect(await grants.findGrant('grant-0001', START_MS + 99_999)).toEqual(grant);
    });

    test('ending a grant ends its secrets, and it gets no new ones', async () => {
      const grants = await open();
      await grants.endGrant('grant-0001');
      await grants.endGrant('grant-0001');
      expect(await grants.findSecret('code')).toBeUndefined();
      expect(await grants.exchangeSecret(exchange('code', 'r1'), START_MS)).toBe('gone');
      expect(await grants.findSecret('r1')).toBeUndefined();
    });

    test('a secret is exchanged once; its answer is kept until the next exchange', async () => {
      const grants = await open();
      expect(await grants.exchangeSecret(exchange('code', 'r1'), START_MS)).toBe('done');
      const answer = { text: 'answer to code', untilMs: START_MS + 10_000 };
      expect(await grants.findSecret('code')).toMatchObject({ isSpent: true, answer });
      expect(await grants.exchangeSecret(exchange('code', 'r2'), START_MS)).toBe('spent');
      expect(await grants.findSecret('r2')).toBeUndefined();
      expect(await grants.findSecret('r1')).toEqual({
        grant,
        kind: 'refresh',
        expiresMs: START_MS + 60_000,
        isSpent: false,
      });
      expect(await grants.exchangeSecret(exchange('r1', 'r2'), START_MS)).toBe('done');
      expect(await grants.findSecret('code')).not.toHaveProperty('answer');
      expect(await grants.findSecret('r1')).toMatchObject({ answer: { text: 'answer to r1' } });
    });

    test('of several who exchange a secret at once, one does', async () => {
      const grants = await open();
      const results = await Promise.all(
        ['a', 'b', 'c', 'd'].map((digest) => grants.exchangeSecret(exchange('code', digest), START_MS)),
      );
      expect(results.filter((result) => result === 'done')).toHaveLength(1);
      expect(results.filter((result) => result === 'spent')).toHaveLength(3);
    });

    test('of several users who are saved with the same name at once, one is', async () => {
      const saved = await Promise.allSettled(
        ['user-1', 'user-2', 'user-3'].map((id) => stage.store.grants.saveUser({ ...user, id })),
      );
      const reasons = saved.flatMap((result) =>
        result.status === 'rejected' ? [result.reason as unknown] : [],
      );
      expect(reasons).toEqual([expect.any(NameTaken), expect.any(NameTaken)]);
    });

    test('an expired answer is removed by the next exchange of a secret', async () => {
      const grants = await open();
      await grants.exchangeSecret(exchange('code', 'r1'), START_MS);
      await grants.openGrant(
        { ...grant, id: 'grant-2' },
        { digest: 'code-2', expiresMs: START_MS + 60_000 },
        START_MS,
      );
      await grants.exchangeSecret(exchange('code-2', 'r-2'), START_MS + 9_999);
      expect(await grants.findSecret('code')).toHaveProperty('answer');
      await grants.exchangeSecret(exchange('r-2', 'r-3'), START_MS + 10_000);
      expect(await grants.findSecret('code')).not.toHaveProperty('answer');
    });

    test('deleting a user deletes sessions and grants', async () => {
      const grants = await open();
      await grants.openSession({
        digest: 's',
        userId: 'user-1',
        signedInMs: START_MS,
        expiresMs: START_MS + 10,
      });
      await grants.deleteUser('user-1');
      expect(await grants.findGrant('grant-0001', START_MS)).toBeUndefined();
      expect(await grants.findSession('s', START_MS)).toBeUndefined();
      expect(await grants.findSecret('code')).toBeUndefined();
    });

    test('expired entries are removed by later calls', async () => {
      const grants = await open();
      const next = { ...grant, id: 'grant-2' };
      await grants.openGrant(next, { digest: 'code-2', expiresMs: START_MS + 200_000 }, START_MS + 60_000);
      expect(await grants.findSecret('code')).toBeUndefined();
      await grants.openSession({
        digest: 's',
        userId: 'user-1',
        signedInMs: START_MS,
        expiresMs: START_MS + 10,
      });
      await grants.openSession({
        digest: 't',
        userId: 'user-1',
        signedInMs: START_MS + 10,
        expiresMs: START_MS + 20,
      });
      expect(await grants.findSession('s', START_MS)).toBeUndefined();
    });

    test('the latest hundred grants of a user and a client are kept, and the latest used secrets of a grant', async () => {
      const grants = await open();
      for (let n = 2; n <= 102; n += 1) {
        const number = String(n).padStart(4, '0');
        const secret = { digest: `code-${n}`, expiresMs: START_MS + 60_000 };
        await grants.openGrant({ ...grant, id: `grant-${number}` }, secret, START_MS);
      }
      expect(await grants.findGrant('grant-0002', START_MS)).toBeUndefined();
      expect(await grants.findGrant('grant-0003', START_MS)).toBeDefined();
      for (let n = 1; n <= 70; n += 1)
        await grants.exchangeSecret(exchange(n === 1 ? 'code-102' : `r${n - 1}`, `r${n}`), START_MS);
      await grants.spendSecret('r70');
      expect(await grants.findSecret('r6')).toBeUndefined();
      expect(await grants.findSecret('r7')).toBeDefined();
      expect(await grants.findSecret('code-102')).toBeDefined();
    });
  });
}
