import type { QueueAccounts } from '../../backend/events/accounts.ts';
import type { SubscriptionStore } from '../../backend/store/port/subscription-store.ts';
import { type AmqpBroker, openAmqpBroker } from '../../brokers/amqp/broker.ts';
import { BACKEND } from '../../scenarios/testbed/common/names.ts';
import { FaultyAmqpPublisher } from '../../world/amqp/faulty-amqp-publisher.ts';
import type { Log } from '../../world/log/log.ts';
import { startRealProxy } from '../../world/network/real-proxy.ts';
import { undisturbed } from '../../world/network-faults/conditions.ts';
import type { Time } from '../../world/time/time.ts';
import type { World } from '../../world/world.ts';
import { asQueueAccounts, embeddedAccounts } from '../server/embedded-accounts.ts';
import { withAccount } from '../shared/user-errors.ts';

const HOST = '127.0.0.1';

/** The embedded AMQP broker: the service reaches it by a line that breaks, whoever reads the queues does not. */
export interface AmqpSide {
  /** For the service, with its account; by the proxy. */
  readonly url: string;
  /** For readers, past the proxy. */
  readonly readerUrl: string;
  readonly accounts: QueueAccounts;
  readonly faultyPublisher: FaultyAmqpPublisher;
  close(): Promise<void>;
}

export async function openAmqpSide(parts: {
  readonly users: Pick<SubscriptionStore, 'userOf'>;
  readonly crypto: Pick<World['crypto'], 'verifySecret'>;
  readonly time: Time;
  readonly log: Log;
}): Promise<AmqpSide> {
  const { users, crypto, time, log } = parts;
  const accounts = embeddedAccounts({
    backend: BACKEND,
    users,
    crypto,
    dismiss: (username) => broker.disconnectUser(username),
  });
  const { authenticate, permits } = accounts;
  const broker: AmqpBroker = await openAmqpBroker({ path: ':memory:', authenticate, permits, log });
  const { port } = await broker.listen({ host: HOST, port: 0 });
  const conditions = undisturbed();
  const proxy = await startRealProxy({
    to: () => ({ host: HOST, port }),
    nameOf: () => '',
    conditionsOf: () => conditions,
    draw: () => 0,
  });
  return {
    url: withAccount(`amqp://${HOST}:${proxy.port}`, BACKEND),
    readerUrl: withAccount(`amqp://${HOST}:${port}`, BACKEND),
    accounts: asQueueAccounts(accounts, { host: HOST, port, virtualHost: '/' }),
    faultyPublisher: new FaultyAmqpPublisher(time, {
      get isDown() {
        return proxy.isDown;
      },
      setDown: (isDown) => proxy.setDown(isDown),
      cut: () => proxy.cut(undefined),
    }),
    async close() {
      await proxy.close();
      await broker.close();
    },
  };
}
