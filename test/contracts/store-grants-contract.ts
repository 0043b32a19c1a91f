import { describe, expect, test } from 'vitest';
import { NameTaken } from '../../backend/store/grants-store.ts';
import { type StoreStage, T } from './store-kit.ts';

const user = {
  id: 'user-1',
  fleetId: 'FLEET1',
  name: 'ada',
  passwordHash: 'hash',
  permissions: ['vehicles'],
  createdMs: T,
};
const grant = {
  id: 'grant-0001',
  clientId: 'app',
  userId: 'user-1',
  scopes: ['VEHICLES'],
  redirectUri: 'https://app.test/back',
  codeChallenge: 'challenge',
  nonce: undefined,
  signedInMs: T,
};
const code = { digest: 'code', expiresMs: T + 60_000 };
const exchange = (spent: string, digest: string, change: { readonly expiresMs?: number } = {}) => ({
  spent,
  next: { digest, expiresMs: change.expiresMs ?? T + 60_000 },
  answer: { text: `answer to ${spent}`, untilMs: T + 10_000 },
});

/** What a store must do with people, sessions and grants. */
export function grantsContract(stage: StoreStage): void {
  describe('grants', () => {
    const open = async () => {
      await stage.store.grants.saveUser(user);
      await stage.store.grants.openGrant(grant, code, T);
      return stage.store.grants;
    };

    test('a user is found by id and by name, which nobody else can have', async () => {
      const grants = await open();
      expect(await grants.findUser('user-1')).toEqual(user);
      expect(await grants.findUserByName('ada')).toEqual(user);
      await expect(grants.saveUser({ ...user, id: 'user-2' })).rejects.toThrow(NameTaken);
      await grants.saveUser({ ...user, permissions: [] });
      expect((await grants.findUser('user-1'))?.permissions).toEqual([]);
    });

    test('a session lasts until it expires or is ended', async () => {
      const grants = await open();
      const session = { digest: 's', userId: 'user-1', signedInMs: T, expiresMs: T + 10 };
      await grants.openSession(session);
      expect(await grants.findSession('s', T + 9)).toEqual(session);
      expect(await grants.findSession('s', T + 10)).toBeUndefined();
      await grants.endSession('s');
      expect(await grants.findSession('s', T)).toBeUndefined();
    });

    test('a secret is spent once, and known afterwards', async () => {
      const grants = await open();
      expect(await grants.findSecret('code')).toEqual({
        grant,
        kind: 'code',
        expiresMs: T + 60_000,
        isSpent: false,
      });
      expect([await grants.spendSecret('code'), await grants.spendSecret('code')]).toEqual([true, false]);
      expect((await grants.findSecret('code'))?.isSpent).toBe(true);
      expect(await grants.spendSecret('unknown')).toBe(false);
    });

    test('a grant lives as long as its last secret', async () => {
      const grants = await open();
      expect(await grants.findGrant('grant-0001', T + 59_999)).toEqual(grant);
      expect(await grants.findGrant('grant-0001', T + 60_000)).toBeUndefined();
      expect(await grants.exchangeSecret(exchange('code', 'r1', { expiresMs: T + 100_000 }), T)).toBe('done');
      expect((await grants.findSecret('r1'))?.kind).toBe('refresh');
      expect(await grants.findGrant('grant-0001', T + 99_999)).toEqual(grant);
    });

    test('an ended grant takes its secrets along, and gets no more', async () => {
      const grants = await open();
      await grants.endGrant('grant-0001');
      await grants.endGrant('grant-0001');
      expect(await grants.findSecret('code')).toBeUndefined();
      expect(await grants.exchangeSecret(exchange('code', 'r1'), T)).toBe('gone');
      expect(await grants.findSecret('r1')).toBeUndefined();
    });

    test('a secret is exchanged once, with its answer, which goes when the next one is', async () => {
      const grants = await open();
      expect(await grants.exchangeSecret(exchange('code', 'r1'), T)).toBe('done');
      const answer = { text: 'answer to code', untilMs: T + 10_000 };
      expect(await grants.findSecret('code')).toMatchObject({ isSpent: true, answer });
      expect(await grants.exchangeSecret(exchange('code', 'r2'), T)).toBe('spent');
      expect(await grants.findSecret('r2')).toBeUndefined();
      expect(await grants.findSecret('r1')).toEqual({
        grant,
        kind: 'refresh',
        expiresMs: T + 60_000,
        isSpent: false,
      });
      expect(await grants.exchangeSecret(exchange('r1', 'r2'), T)).toBe('done');
      expect(await grants.findSecret('code')).not.toHaveProperty('answer');
      expect(await grants.findSecret('r1')).toMatchObject({ answer: { text: 'answer to r1' } });
    });

    test('an answer that is over is dropped when somebody exchanges a secret', async () => {
      const grants = await open();
      await grants.exchangeSecret(exchange('code', 'r1'), T);
      await grants.openGrant({ ...grant, id: 'grant-2' }, { digest: 'code-2', expiresMs: T + 60_000 }, T);
      await grants.exchangeSecret(exchange('code-2', 'r-2'), T + 9_999);
      expect(await grants.findSecret('code')).toHaveProperty('answer');
      await grants.exchangeSecret(exchange('r-2', 'r-3'), T + 10_000);
      expect(await grants.findSecret('code')).not.toHaveProperty('answer');
    });

    test('a deleted user takes sessions and grants along', async () => {
      const grants = await open();
      await grants.openSession({ digest: 's', userId: 'user-1', signedInMs: T, expiresMs: T + 10 });
      await grants.deleteUser('user-1');
      expect(await grants.findGrant('grant-0001', T)).toBeUndefined();
      expect(await grants.findSession('s', T)).toBeUndefined();
      expect(await grants.findSecret('code')).toBeUndefined();
    });

    test('what has expired is removed by what comes next', async () => {
      const grants = await open();
      const next = { ...grant, id: 'grant-2' };
      await grants.openGrant(next, { digest: 'code-2', expiresMs: T + 200_000 }, T + 60_000);
      expect(await grants.findSecret('code')).toBeUndefined();
      await grants.openSession({ digest: 's', userId: 'user-1', signedInMs: T, expiresMs: T + 10 });
      await grants.openSession({ digest: 't', userId: 'user-1', signedInMs: T + 10, expiresMs: T + 20 });
      expect(await grants.findSession('s', T)).toBeUndefined();
    });

    test('of a user and a client the latest hundred grants stay; of a grant the latest spent secrets', async () => {
      const grants = await open();
      for (let n = 2; n <= 102; n += 1) {
        const number = String(n).padStart(4, '0');
        const secret = { digest: `code-${n}`, expiresMs: T + 60_000 };
        await grants.openGrant({ ...grant, id: `grant-${number}` }, secret, T);
      }
      expect(await grants.findGrant('grant-0002', T)).toBeUndefined();
      expect(await grants.findGrant('grant-0003', T)).toBeDefined();
      for (let n = 1; n <= 70; n += 1)
        await grants.exchangeSecret(exchange(n === 1 ? 'code-102' : `r${n - 1}`, `r${n}`), T);
      await grants.spendSecret('r70');
      expect(await grants.findSecret('r6')).toBeUndefined();
      expect(await grants.findSecret('r7')).toBeDefined();
      expect(await grants.findSecret('code-102')).toBeDefined();
    });
  });
}
