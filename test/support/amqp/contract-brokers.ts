import { randomUUID } from 'node:crypto';
import { type PermissionPatterns, permitsByPatterns } from '../../../brokers/amqp/permission-patterns.ts';
import type { AmqpBrokerFixture } from '../../contracts/amqp-consumer-contract.ts';
import type { AmqpRightsFixture } from '../../contracts/amqp-consumer-rights.ts';
import { startEmbeddedAmqp } from './embedded-amqp-broker.ts';
import type { AmqpAccount } from './raw-amqp-client.ts';

/** The embedded broker, for the time of a suite. */
export async function embeddedBroker(): Promise<AmqpBrokerFixture> {
  const broker = await startEmbeddedAmqp();
  const url = broker.urlOf('guest');
  return { kind: 'embedded', url, account: accountOf(url), close: () => broker.close() };
}

/** RabbitMQ, which is there before and after. */
export function rabbitBroker(url: string): AmqpBrokerFixture {
  return { kind: 'rabbitmq', url, account: accountOf(url), close: () => Promise.resolve() };
}

/** The embedded broker, with one user whose rights a suite gives. */
export async function embeddedBrokerWithRights(): Promise<AmqpRightsFixture> {
  let limited: PermissionPatterns | undefined;
  const all = { configure: /.*/, write: /.*/, read: /.*/ };
  const broker = await startEmbeddedAmqp({
    authenticate: (user, password) => Promise.resolve(user === password),
    permits: permitsByPatterns((user) => (user === 'limited' ? limited : all)),
  });
  const account = accountOf(broker.urlOf('guest'));
  return {
    kind: 'embedded',
    url: broker.urlOf('guest'),
    account,
    close: () => broker.close(),
    grant({ configure, write, read }) {
      limited = { configure: new RegExp(configure), write: new RegExp(write), read: new RegExp(read) };
      return Promise.resolve({ ...account, username: 'limited', password: 'limited' });
    },
  };
}

/** RabbitMQ, with a user that its management interface makes for the time of a suite. */
export function rabbitBrokerWithRights(url: string, adminUrl: string): AmqpRightsFixture {
  return withRights(rabbitBroker(url), adminUrl);
}

/** A broker with a management interface at `adminUrl`, by which a suite makes a user. */
export function withRights(
  { kind, url, close }: Pick<AmqpBrokerFixture, 'kind' | 'url' | 'close'>,
  adminUrl: string,
): AmqpRightsFixture {
  const account = accountOf(url);
  const username = `boxtwin-test-${randomUUID()}`;
  const { username: admin, password, origin } = new URL(adminUrl);
  const call = async (method: string, path: string, body?: object) => {
    const authorization = `Basic ${Buffer.from(`${admin}:${password}`).toString('base64')}`;
    const headers = { authorization, 'content-type': 'application/json' };
    const answer = await fetch(`${origin}/api/${path}`, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`The broker answers ${answer.status} to ${method} ${path}`);
  };
  return {
    kind,
    url,
    account,
    async close() {
      await call('DELETE', `users/${username}`);
      await close();
    },
    async grant(patterns) {
      await call('PUT', `users/${username}`, { password: username, tags: '' });
      await call('PUT', `permissions/%2F/${username}`, patterns);
      return { ...account, username, password: username };
    },
  };
}

function accountOf(url: string): AmqpAccount {
  const { hostname, port, username, password } = new URL(url);
  return { host: hostname, port: Number(port || 5672), username, password };
}
