import { type Account, accountOf, mayPublish, maySubscribe, refuseGreeting } from '../brokers/mqtt/rules.ts';
import type { BrokerRule } from '../world/virtual-broker.ts';

/**
 * The sign-in and topic rules of the embedded broker, for the virtual one: the same pure functions, so that what may
 * not be done in the real world cannot be done in a simulation either.
 */
export function brokerRule(
  backend: { readonly username: string; readonly password: string },
  secretOf: (boxId: string) => string | undefined,
): BrokerRule {
  // A user name stands before every packet; there are as many as there are boxes.
  const accounts = new Map<string, Account | undefined>();
  const known = (username: string | undefined): Account | undefined => {
    if (username === undefined) return undefined;
    const found = accounts.get(username);
    if (found !== undefined || accounts.has(username)) return found;
    const account = accountOf(username, backend.username);
    accounts.set(username, account);
    return account;
  };
  return {
    mayConnect(sign) {
      const account = known(sign.username);
      if (account === undefined) return false;
      const expected = account.kind === 'backend' ? backend.password : secretOf(account.boxId);
      if (expected === undefined || sign.password !== expected) return false;
      return refuseGreeting(account, sign) === undefined;
    },
    mayPublish(username, topic, retain) {
      const account = known(username);
      return account !== undefined && mayPublish(account, topic, retain);
    },
    maySubscribe(username, filter) {
      const account = known(username);
      return account !== undefined && maySubscribe(account, filter);
    },
  };
}
