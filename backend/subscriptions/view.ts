import type { QueueAccounts } from '../events/accounts.ts';
import { dateTime } from '../http/date-time.ts';
import type { Subscription } from '../store/subscription-store.ts';

/** What a subscription is answered with. Where the settings name no broker's address any more, that is absent. */
export function subscriptionBody(
  { id, discriminator, user, queues, createdMs }: Subscription,
  accounts: QueueAccounts | undefined,
) {
  const username = user?.username ?? accounts?.shared()?.username;
  return {
    id,
    queue_discriminator: discriminator,
    topics: queues.map(({ topic }) => topic),
    created_at: dateTime(createdMs),
    ...(accounts === undefined
      ? {}
      : {
          host: accounts.address.host,
          port: accounts.address.port,
          virtual_host: accounts.address.virtualHost,
        }),
    ...(username === undefined ? {} : { username }),
    queues: queues.map(({ topic, name }) => ({ topic, name })),
  };
}
