import { randomUUID } from 'node:crypto';
import { EVERYTHING, type Patterns, permitsByPatterns } from '../../brokers/amqp/patterns.ts';
import { startEmbeddedAmqp } from '../sockets/amqp-broker-kit.ts';
import type { BrokerStage } from './amqp-consumer-contract.ts';
import type { RightsStage } from './amqp-consumer-rights.ts';
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

/** The embedded broker, with one user whose rights a suite gives. */
export async function embeddedRightsStage(): Promise<RightsStage> {
  let limited: Patterns | undefined;
  const all = { configure: EVERYTHING, write: EVERYTHING, read: EVERYTHING };
  const broker = await startEmbeddedAmqp({
    authenticate: (user, password) => Promise.resolve(user === password),
    permits: permitsByPatterns((user) => (user === 'limited' ? limited : all)),
  });
  const account = accountOf(broker.urlOf('guest'));
  return {
    ...{ kind: 'embedded', url: broker.urlOf('guest'), account },
    close: () => broker.close(),
    grant({ configure, write, read }) {
      limited = { configure: new RegExp(configure), write: new RegExp(write), read: new RegExp(read) };
      return Promise.resolve({ ...account, username: 'limited', password: 'limited' });
    },
  };
}

/** RabbitMQ, with a user that its management interface makes for the time of a suite. */
export function rabbitRightsStage(url: string, adminUrl: string): RightsStage {
  const stage = rabbitStage(url);
  const username = `boxtwin-test-${randomUUID()}`;
  const { username: admin, password, origin } = new URL(adminUrl);
  const call = async (method: string, path: string, body?: object) => {
    const authorization = `Basic ${Buffer.from(`${admin}:${password}`).toString('base64')}`;
    const headers = { authorization, 'content-type': 'application/json' };
    const answer = await fetch(`${origin}/api/${path}`, {
      ...{ method, headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`RabbitMQ answers ${answer.status} to ${method} ${path}`);
  };
  return {
    ...stage,
    async close() {
      await call('DELETE', `users/${username}`);
      await stage.close();
    },
    async grant(patterns) {
      await call('PUT', `users/${username}`, { password: username, tags: '' });
      await call('PUT', `permissions/%2F/${username}`, patterns);
      return { ...stage.account, username, password: username };
    },
  };
}

function accountOf(url: string): Account {
  const { hostname, port, username, password } = new URL(url);
  return { host: hostname, port: Number(port || 5672), username, password };
}
