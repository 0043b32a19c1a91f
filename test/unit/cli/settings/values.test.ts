import { expect, test } from 'vitest';
import { argument, whole } from '../../../../cli/settings/option-values.ts';
import { readText } from '../../../../cli/settings/setting.ts';
import { SETTINGS } from '../../../../cli/settings/settings.ts';
import { account, adminUrls, amqpUrls, storeUrl } from '../../../../cli/settings/values.ts';

const corsOrigins = argument(SETTINGS.corsOrigin.schema, (text) => readText(SETTINGS.corsOrigin, text));

test.each([
  [amqpUrls, ['embedded', 'none', 'amqp://host', 'amqps://u:p@one:5671/v,amqps://u:p@two'], ''],
  [
    amqpUrls,
    [
      ...['', 'http://host', 'amqp://one,two', 'amqp://', 'embedded,none', 'amqp://one,'],
      Array.from({ length: 17 }, () => 'amqp://one').join(','),
    ],
    'with commas between',
  ],
  [
    adminUrls,
    [
      'http://user:password@host:15672',
      'https://user:password@host/rabbit',
      'http://u:p@one,https://u:p@two',
    ],
    '',
  ],
  [
    adminUrls,
    [
      'http://host:15672',
      'user:password@host',
      'amqp://u:p@host',
      '',
      'http://u:p@one,',
      'http://u:p@one,two',
    ],
    'with user and password',
  ],
  [storeUrl, ['postgres://user:p@host/fleet', 'postgresql://user@host:5433/fleet?sslmode=require'], ''],
  [
    storeUrl,
    ['', 'sqlite:file', 'mysql://user@host/fleet', 'postgres://host/fleet', 'postgres://user@host'],
    'Its form is postgres://user:password@host:5432/database',
  ],
  [account, ['user:password', 'user:pass:word', 'user: '], ''],
  [account, ['user', ':password', 'user:', ''], 'a colon between'],
] as const)('%o takes %j, or says what it takes (%s)', (schema, texts, refusal) => {
  const read = argument(schema);
  for (const text of texts) {
    if (refusal === '') expect(read(text)).toBe(text);
    else expect(() => read(text)).toThrow(refusal);
  }
});

test('origins are collected, and invalid ones are refused with the right form', () => {
  const [one, two] = ['http://localhost:3000', 'https://app.test'];
  expect([two, one].reduce((before, text) => corsOrigins(text, before), corsOrigins(one))).toEqual([
    one,
    two,
  ]);
  for (const [text, refusal] of [
    ['*', 'neither * nor null'],
    ['null', 'neither * nor null'],
    ['', 'such as http://localhost:3000'],
    ['localhost:3000', 'such as http://localhost:3000'],
    ['https://*.app.test', 'neither * nor null'],
    ['ftp://app.test', 'such as http://localhost:3000'],
    ['http://localhost:3000/', 'without a path: http://localhost:3000'],
    ['http://localhost:3000/app?x=1#y', 'without a path: http://localhost:3000'],
    ['https://user@app.test', 'as browsers send it, without a path: https://app.test'],
    ['HTTPS://App.test:443', 'as browsers send it, without a path: https://app.test'],
  ] as const)
    expect(() => corsOrigins(text), text).toThrow(refusal);
  const many = Array.from({ length: 50 }, (_, n) => `http://localhost:${3_000 + n}`);
  expect(() => corsOrigins('https://app.test', many)).toThrow('at most 50');
});

test('a network is an address with or without its number of bits', () => {
  const networks = argument(SETTINGS.trustedProxy.schema, (text) => readText(SETTINGS.trustedProxy, text));
  expect(networks('10.0.0.0/8,fd00::/8,127.0.0.1,::1/128')).toEqual([
    '10.0.0.0/8',
    'fd00::/8',
    '127.0.0.1',
    '::1/128',
  ]);
  for (const text of ['10.0.0.0/33', '10.0.0/8', 'fd00::/129', 'proxy', '10.0.0.0/8/8', '10.0.0.0/', ''])
    expect(() => networks(text), text).toThrow('such as 10.0.0.0/8');
});

test('an integer is accepted only within its limits', () => {
  const read = whole(1, 600);
  expect([read('1'), read('600')]).toEqual([1, 600]);
  for (const text of ['0', '601', '1.5', '-1', '1e2', ' 5', '', '99999999999'])
    expect(() => read(text)).toThrow('a whole number from 1 to 600');
});
