import type { QueueAccounts } from '../../backend/events/accounts.ts';
import type { SubscriptionStore } from '../../backend/store/subscription-store.ts';
import { type AmqpBroker, openAmqpBroker } from '../../brokers/amqp/broker.ts';
import { BACKEND } from '../../scenarios/theatre/names.ts';
import { calm } from '../../world/climate.ts';
import { FaultyExchange } from '../../world/faulty-exchange.ts';
import type { Log } from '../../world/log.ts';
import { startRealProxy } from '../../world/real-proxy.ts';
import type { Time } from '../../world/time.ts';
import type { World } from '../../world/world.ts';
import { asQueueAccounts, embeddedAccounts } from '../embedded-accounts.ts';
import { withAccount } from '../users-terms.ts';

const HOST = '127.0.0.1';

/** The embedded AMQP broker: the service reaches it by a line that breaks, whoever reads the queues does not. */
export interface AmqpSide {
  /** For the service, with its account; by the proxy. */
  readonly url: string;
  /** For readers, past the proxy. */
  readonly readerUrl: string;
  readonly accounts: QueueAccounts;
  readonly exchange: FaultyExchange;
  close(): Promise<void>;
}

export async function openAmqpSide(parts: {
  readonly users: Pick<SubscriptionStore, 'userOf'>;
  readonly seal: Pick<World['seal'], 'verifySecret'>;
  readonly time: Time;
  readonly log: Log;
}): Promise<AmqpSide> {
  const { users, seal, time, log } = parts;
  const accounts = embeddedAccounts({
    backend: BACKEND,
    users,
    seal,
    dismiss: (username) => broker.dismiss(username),
  });
  const { authenticate, permits } = accounts;
  const broker: AmqpBroker = openAmqpBroker({ path: ':memory:', authenticate, permits, log });
  const { port } = await broker.listen({ host: HOST, port: 0 });
  const conditions = calm();
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
    exchange: new FaultyExchange(time, {
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
