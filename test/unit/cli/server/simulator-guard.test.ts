import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  accountRefusal,
  simulatorAccount,
  simulatorAddress,
} from '../../../../cli/server/simulator-guard.ts';

const account = { username: 'simulator', password: 'right' };
const asked = (path: string, authorization?: string) =>
  new Request(`http://host.test:8090${path}`, {
    headers: authorization === undefined ? {} : { authorization },
  });
const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;

describe('a simulator that listens', () => {
  test.each([
    [undefined, undefined],
    ['127.0.0.1', undefined],
    ['127.0.0.2', undefined],
    ['localhost', undefined],
    ['::1', undefined],
    ['0.0.0.0', account],
    ['::', account],
    ['192.168.0.7', account],
    ['127.0.0.1.example.test', account],
  ])('at %s has the account %j', (host, expected) => {
    expect(simulatorAccount(host, 'right')).toEqual(expected);
  });

  test('elsewhere than on loopback answers nobody without its password', () => {
    const anyPath = fc.constantFrom('/', '/boxes', '/boxes/x/reset', '/sim-providers', '/makers', '/service');
    fc.assert(
      fc.property(anyPath, fc.option(fc.string(), { nil: undefined }), (path, text) => {
        fc.pre(text !== 'simulator:right');
        const refusal = accountRefusal(asked(path, text === undefined ? undefined : basic(text)), account);
        expect(refusal?.status).toBe(401);
        expect(refusal?.headers.get('www-authenticate')).toContain('Basic');
      }),
    );
    expect(accountRefusal(asked('/boxes', basic('simulator:right')), account)).toBeUndefined();
  });

  test('lets the service through to SIM providers and makers, which have keys, and nobody to their levers', () => {
    expect(accountRefusal(asked('/sim-providers/meridian/v2/sims/1'), account)).toBeUndefined();
    expect(accountRefusal(asked('/makers/northwind/vehicles'), account)).toBeUndefined();
    for (const path of [
      '/sim-providers/meridian/behaviour',
      '/makers/northwind/behaviour',
      '/makers/northwind/behaviour/',
      '/makers/../boxes/x/reset',
    ])
      expect(accountRefusal(asked(path), account)?.status, path).toBe(401);
  });

  test('shows its account in its address where it has one', () => {
    expect(simulatorAddress('0.0.0.0', 8090, account)).toBe('http://simulator:right@127.0.0.1:8090');
    expect(simulatorAddress('127.0.0.1', 8090, undefined)).toBe('http://127.0.0.1:8090');
  });
});
