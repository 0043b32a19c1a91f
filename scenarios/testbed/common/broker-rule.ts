import {
  type MqttAccount,
  mayPublish,
  maySubscribe,
  mqttAccountOf,
  refuseConnect,
} from '../../../brokers/mqtt/rules.ts';
import type { MqttAccessRules } from '../../../world/mqtt/virtual-mqtt-broker.ts';

/**
 * The sign-in and topic rules of the embedded broker for the virtual one: the same pure functions, so that
 * both worlds refuse the same.
 */
export function brokerRule(
  backend: { readonly username: string; readonly password: string },
  secretOf: (boxId: string) => string | undefined,
): MqttAccessRules {
  // Cached by user name, since it is needed for every packet; there is one per box.
  const accounts = new Map<string, MqttAccount | undefined>();
  const known = (username: string | undefined): MqttAccount | undefined => {
    if (username === undefined) return undefined;
    const found = accounts.get(username);
    if (found !== undefined || accounts.has(username)) return found;
    const account = mqttAccountOf(username, backend.username);
    accounts.set(username, account);
    return account;
  };
  return {
    mayConnect(connect) {
      const account = known(connect.username);
      if (account === undefined) return false;
      const expected = account.kind === 'backend' ? backend.password : secretOf(account.boxId);
      if (expected === undefined || connect.password !== expected) return false;
      return refuseConnect(account, connect) === undefined;
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
