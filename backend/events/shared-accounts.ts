import type { QueueAccounts, QueueAddress } from './accounts.ts';

/** One account from the settings, for all consumers: whoever made it at the broker has given it its rights. */
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
