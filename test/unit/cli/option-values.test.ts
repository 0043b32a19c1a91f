import { expect, test } from 'vitest';
import { account, adminUrl, amqpUrls, whole } from '../../../cli/option-values.ts';

test.each([
  [amqpUrls, ['embedded', 'none', 'amqp://host', 'amqps://u:p@one:5671/v,amqps://u:p@two'], ''],
  [
    amqpUrls,
    ['', 'http://host', 'amqp://one,two', 'amqp://', 'embedded,none', 'amqp://one,'],
    'with commas between',
  ],
  [adminUrl, ['http://user:password@host:15672', 'https://user:password@host/rabbit'], ''],
  [adminUrl, ['http://host:15672', 'user:password@host', 'amqp://u:p@host', ''], 'with user and password'],
  [account, ['user:password', 'user:pass:word', 'user: '], ''],
  [account, ['user', ':password', 'user:', ''], 'a colon between'],
] as const)('%o takes %j, or says what it takes (%s)', (read, texts, refusal) => {
  for (const text of texts) {
    if (refusal === '') expect(read(text)).toBe(text);
    else expect(() => read(text)).toThrow(refusal);
  }
});

test('a whole number is taken within its bounds alone', () => {
  const read = whole(1, 600);
  expect([read('1'), read('600')]).toEqual([1, 600]);
  for (const text of ['0', '601', '1.5', '-1', '1e2', ' 5', '', '99999999999'])
    expect(() => read(text)).toThrow('a whole number from 1 to 600');
});
