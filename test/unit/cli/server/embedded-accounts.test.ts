import { describe, expect, test } from 'vitest';
import { embeddedAccounts } from '../../../../cli/server/embedded-accounts.ts';

const backend = { username: 'backend', password: 'of the service' };
const open = (owner?: { username: string; password: string }) =>
  embeddedAccounts({
    backend,
    ...(owner === undefined ? {} : { owner }),
    users: { userOf: async () => undefined },
    crypto: { verifySecret: async () => true },
    dismiss: () => undefined,
  });

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

  test('does not replace the account of the service with the same name', async () => {
    const accounts = open({ username: 'backend', password: 'mine' });
    expect(await accounts.authenticate('backend', 'mine')).toBe(false);
    expect(await accounts.authenticate('backend', 'of the service')).toBe(true);
  });
});
