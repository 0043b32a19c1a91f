import type { QueueAccounts, QueueAddress } from './accounts.ts';

/** One account from the settings for all consumers; its rights are set up at the broker. */
export function sharedAccounts(
  address: QueueAddress,
  account: { readonly username: string; readonly password: string },
): QueueAccounts {
  return {
    address,
    kind: 'shared',
    grant: () => Promise.resolve(),
    revoke: () => Promise.resolve(),
    shared: () => account,
  };
}
