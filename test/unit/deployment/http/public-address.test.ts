import { expect, test } from 'vitest';
import { baseUrlOf, noteOpenHost, noteProxiedAddress } from '../../../../deployment/http/public-address.ts';

test('listeners that other machines reach are named with what guards them', () => {
  const notices: string[] = [];
  for (const host of [undefined, '127.0.0.1', 'localhost', '::1']) noteOpenHost(notices, host, ['api']);
  expect(notices).toEqual([]);
  noteOpenHost(notices, '0.0.0.0', ['api', 'brokers']);
  noteOpenHost(notices, '10.0.0.5', ['simulator']);
  expect(notices).toEqual([
    'other machines reach 0.0.0.0: the API by its clients, and the brokers by their accounts; without TLS, but for AMQPS, others can read along (docs/parts.md)',
    "other machines reach 10.0.0.5: the simulator, and the console where there is one, by the user and the password in the simulator's address; without TLS, but for AMQPS, others can read along (docs/parts.md)",
  ]);
});

test('a proxy whose clients would be led to where the API listens is noted once', () => {
  const notices: string[] = [];
  const baseUrl = 'http://127.0.0.1:8080';
  noteProxiedAddress(notices, {}, baseUrl);
  noteProxiedAddress(notices, { trustedProxies: [] }, baseUrl);
  noteProxiedAddress(notices, { trustedProxies: ['10.0.0.0/8'], publicUrl: 'https://twin.test' }, baseUrl);
  expect(notices).toEqual([]);
  noteProxiedAddress(notices, { trustedProxies: ['10.0.0.0/8'] }, baseUrl);
  expect(notices).toEqual([expect.stringMatching(/name http:\/\/127\.0\.0\.1:8080.*--public-url/)]);
});

test('the address of links and tokens is what is given, without a slash at its end, or where the API listens', () => {
  expect(baseUrlOf('https://twin.test/', undefined, 8080)).toBe('https://twin.test');
  expect(baseUrlOf('https://twin.test/fleet//', undefined, 8080)).toBe('https://twin.test/fleet');
  expect(baseUrlOf(undefined, undefined, 8081)).toBe('http://127.0.0.1:8081');
});
