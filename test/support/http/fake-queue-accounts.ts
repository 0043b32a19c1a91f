import {
  AccountsUnreachable,
  type QueueAccount,
  type QueueAccounts,
} from '../../../backend/events/accounts.ts';
import type { AmqpConnection } from '../../../backend/events/amqp-connection.ts';
import type { AmqpPublisherSession } from '../../../world/amqp/amqp-publisher.ts';
import { VirtualAmqpBroker } from '../../../world/amqp/virtual-amqp-broker.ts';

/** A message broker that answers at once, and the accounts of its readers. */
export interface FakeQueueAccounts {
  readonly broker: VirtualAmqpBroker;
  /** By username. */
  readonly users: Map<string, QueueAccount>;
  readonly accounts: QueueAccounts;
  readonly amqpConnection: Pick<AmqpConnection, 'session' | 'added' | 'removing' | 'subscribedElsewhere'>;
  /** The broker, or its administration, cannot be reached. */
  isAway: boolean;
  areAccountsAway: boolean;
}

export function fakeQueueAccounts(nowMs: () => number): FakeQueueAccounts {
  const broker = new VirtualAmqpBroker({ note: () => undefined }, nowMs);
  const users = new Map<string, QueueAccount>();
  const done = async (work: () => void): Promise<void> => work();
  const session: AmqpPublisherSession = {
    declareExchange: (name, type) => done(() => broker.declareExchange(name, type)),
    declareQueue: (name, options) => done(() => broker.declareQueue(name, options)),
    hasQueue: async (name) => broker.queueNames.includes(name),
    bind: (...names) => done(() => broker.bind(...names)),
    unbind: (...names) => done(() => broker.unbind(...names)),
    deleteQueue: (name) => done(() => broker.deleteQueue(name)),
    publish: async (message) => {
      const { outcome } = broker.publish(message);
      return outcome === 'unroutable' || outcome === 'refused' ? outcome : 'confirmed';
    },
    close: async () => undefined,
  };
  const reached = async (work: () => void): Promise<void> => {
    if (queues.areAccountsAway) throw new AccountsUnreachable('nobody is there');
    work();
  };
  const queues: FakeQueueAccounts = {
    broker,
    users,
    accounts: {
      address: { host: 'queues.test', port: 5671, virtualHost: '/' },
      kind: 'own',
      shared: () => undefined,
      grant: (account) => reached(() => users.set(account.username, account)),
      revoke: (username) => reached(() => users.delete(username)),
    },
    amqpConnection: {
      session: () => (queues.isAway ? undefined : session),
      added: () => undefined,
      removing: () => undefined,
      subscribedElsewhere: () => undefined,
    },
    isAway: false,
    areAccountsAway: false,
  };
  return queues;
}
