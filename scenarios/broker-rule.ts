import { accountOf, mayPublish, maySubscribe, refuseGreeting } from '../brokers/mqtt/rules.ts';
import type { BrokerRule } from '../world/virtual-broker.ts';

/**
 * The sign-in and topic rules of the embedded broker, for the virtual one: the same pure functions, so that what may
 * not be done in the real world cannot be done in a simulation either.
 */
export function brokerRule(
  backend: { readonly username: string; readonly password: string },
  secretOf: (boxId: string) => string | undefined,
): BrokerRule {
  return {
    mayConnect(sign) {
      const account = accountOf(sign.username, backend.username);
      if (account === undefined) return false;
      const expected = account.kind === 'backend' ? backend.password : secretOf(account.boxId);
      if (expected === undefined || sign.password !== expected) return false;
      return refuseGreeting(account, sign) === undefined;
    },
    mayPublish(username, topic, retain) {
      const account = accountOf(username, backend.username);
      return account !== undefined && mayPublish(account, topic, retain);
    },
    maySubscribe(username, filter) {
      const account = accountOf(username, backend.username);
      return account !== undefined && maySubscribe(account, filter);
    },
  };
}
