import { startEmbeddedAmqp } from '../sockets/amqp-broker-kit.ts';
import type { BrokerStage } from './amqp-consumer-contract.ts';
import type { Account } from './amqp-consumer-wire.ts';

/** The embedded broker, for the time of a suite. */
export async function embeddedStage(): Promise<BrokerStage> {
  const broker = await startEmbeddedAmqp();
  const url = broker.urlOf('guest');
  return { kind: 'embedded', url, account: accountOf(url), close: () => broker.close() };
}

/** RabbitMQ, which is there before and after. */
export function rabbitStage(url: string): BrokerStage {
  return { kind: 'rabbitmq', url, account: accountOf(url), close: () => Promise.resolve() };
}

function accountOf(url: string): Account {
  const { hostname, port, username, password } = new URL(url);
  return { host: hostname, port: Number(port || 5672), username, password };
}
