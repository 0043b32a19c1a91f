import { expect, test } from 'vitest';
import { parseBrokerUrl } from '../../../../world/mqtt/real-broker-address.ts';

test('an address of a broker is told without the account in it', () => {
  expect(parseBrokerUrl('mqtts://backend:pass@broker.example').url).toBe('mqtts://broker.example');
});

test.each([
  ['http://backend:pa@ss@broker.example', 'http://broker.example'],
  ['mqtt://backend:pass@', 'mqtt://'],
  ['backend:pass@broker.example', 'broker.example'],
  ['broker.example', 'broker.example'],
])('the refusal of %s names %s, without the account', (url, shown) => {
  const refusal = `Not an address of an MQTT broker (mqtt://host:port or mqtts://host:port): ${shown}`;
  expect(() => parseBrokerUrl(url)).toThrow(new TypeError(refusal));
});
