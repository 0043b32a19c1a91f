import { describe, expect, test } from 'vitest';
import { subscriptionAccounts, withFullAccess } from '../../../../deployment/brokers/embedded-accounts.ts';

const backend = { username: 'backend', password: 'of the service' };
const open = (owner?: { username: string; password: string }) =>
  withFullAccess(
    subscriptionAccounts({
      users: { userOf: async () => undefined },
      crypto: { verifySecret: async () => true },
      dismiss: () => undefined,
    }),
    owner === undefined ? [backend] : [backend, owner],
  );

describe("the owner's account at the embedded broker", () => {
  test('has all permissions, with its password only', async () => {
    const accounts = open({ username: 'guest', password: 'a:b' });
    expect(await accounts.authenticate('guest', 'a:b')).toBe(true);
    expect(await accounts.authenticate('guest', 'a')).toBe(false);
    expect(accounts.permits('guest', 'configure', 'hello')).toBe(true);
  });

  test('does not exist if none was given', async () => {
    const accounts = open();
    expect(await accounts.authenticate('guest', 'guest')).toBe(false);
    expect(accounts.permits('guest', 'read', 'hello')).toBe(false);
  });

  test('is compared fast, as that of the service is, and those of subscriptions are not', () => {
    const accounts = open({ username: 'guest', password: 'a:b' });
    expect(['guest', 'backend', 'reader'].map((name) => accounts.comparesFast(name))).toEqual([
      true,
      true,
      false,
    ]);
    expect(open().comparesFast('guest')).toBe(false);
  });

  test('does not replace the account of the service with the same name', async () => {
    const accounts = open({ username: 'backend', password: 'mine' });
    expect(await accounts.authenticate('backend', 'mine')).toBe(false);
    expect(await accounts.authenticate('backend', 'of the service')).toBe(true);
  });
});
