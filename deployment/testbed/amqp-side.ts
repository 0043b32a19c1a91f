import type { QueueAccounts } from '../../backend/events/accounts.ts';
import type { SubscriptionStore } from '../../backend/store/port/subscription-store.ts';
import { BACKEND } from '../../scenarios/testbed/common/names.ts';
import type { Log } from '../../world/log/log.ts';
import type { World } from '../../world/world.ts';
import { asQueueAccounts, subscriptionAccounts } from '../brokers/embedded-accounts.ts';
import { openEmbeddedAmqp } from '../brokers/embedded-amqp.ts';
import { withAccount } from '../shared/user-errors.ts';

const HOST = '127.0.0.1';

/** The embedded AMQP broker of a testbed, on a free port. */
export interface AmqpSide {
  /** With the account of the service. */
  readonly url: string;
  readonly accounts: QueueAccounts;
  close(): Promise<void>;
}

export async function openAmqpSide(parts: {
  readonly users: Pick<SubscriptionStore, 'userOf'>;
  readonly crypto: Pick<World['crypto'], 'verifySecret'>;
  readonly log: Log;
}): Promise<AmqpSide> {
  const { users, crypto, log } = parts;
  const { broker, accounts } = await openEmbeddedAmqp({
    path: ':memory:',
    owners: [BACKEND],
    openAccounts: (dismiss) => subscriptionAccounts({ users, crypto, dismiss }),
    log,
  });
  const { port, url } = await broker.listen({ host: HOST, port: 0 });
  return {
    url: withAccount(url, BACKEND),
    accounts: asQueueAccounts(accounts, { host: HOST, port, virtualHost: '/' }),
    close: () => broker.close(),
  };
}
