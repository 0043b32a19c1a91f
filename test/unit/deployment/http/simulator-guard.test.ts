import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  makeSimulatorGuard,
  simulatorAccount,
  simulatorAddress,
} from '../../../../deployment/http/simulator-guard.ts';

const account = { username: 'simulator', password: 'right' };
const asked = (path: string, authorization?: string) =>
  new Request(`http://host.test:8090${path}`, {
    headers: authorization === undefined ? {} : { authorization },
  });
/** A guard for each call, or one on a clock of the test's own. */
const refusalOf = (request: Request, guard = makeSimulatorGuard(account, { nowMs: () => 0 })) =>
  guard(request, { address: '203.0.113.9' });
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

  test('elsewhere than on loopback answers nobody without its password', async () => {
    const anyPath = fc.constantFrom('/', '/boxes', '/boxes/x/reset', '/sim-providers', '/makers', '/service');
    await fc.assert(
      fc.asyncProperty(anyPath, fc.option(fc.string(), { nil: undefined }), async (path, text) => {
        fc.pre(text !== 'simulator:right');
        const refusal = await refusalOf(asked(path, text === undefined ? undefined : basic(text)));
        expect(refusal?.status).toBe(401);
        expect(refusal?.headers.get('www-authenticate')).toContain('Basic');
      }),
    );
    expect(await refusalOf(asked('/boxes', basic('simulator:right')))).toBeUndefined();
  });

  test('lets the service through to SIM providers and makers, which have keys, and nobody to their levers', async () => {
    expect(await refusalOf(asked('/sim-providers/meridian/v2/sims/1'))).toBeUndefined();
    expect(await refusalOf(asked('/makers/northwind/vehicles'))).toBeUndefined();
    for (const path of [
      '/sim-providers/meridian/behaviour',
      '/makers/northwind/behaviour',
      '/makers/northwind/behaviour/',
      '/makers/../boxes/x/reset',
    ])
      expect((await refusalOf(asked(path)))?.status, path).toBe(401);
  });

  test('slows down who guesses its password, and tells when to try again', async () => {
    const clock = { nowMs: 0 };
    const guard = makeSimulatorGuard(account, { nowMs: () => clock.nowMs });
    const statusOf = async (text?: string, address = '203.0.113.9') =>
      (await guard(asked('/boxes', text === undefined ? undefined : basic(text)), { address }))?.status;
    // A browser asks without a password first: that is no guess.
    for (let call = 0; call < 50; call += 1) expect(await statusOf()).toBe(401);
    for (let guess = 0; guess < 10; guess += 1) expect(await statusOf(`simulator:${guess}`)).toBe(401);
    const refusal = await refusalOf(asked('/boxes', basic('simulator:right')), guard);
    expect(refusal?.status).toBe(429);
    expect(refusal?.headers.get('retry-after')).toBe('1');
    expect(await statusOf('simulator:right', '203.0.113.10')).toBeUndefined();
    clock.nowMs += 1_000;
    expect(await statusOf('simulator:right')).toBeUndefined();
  });

  test('shows its account in its address where it has one', () => {
    expect(simulatorAddress('0.0.0.0', 8090, account)).toBe('http://simulator:right@127.0.0.1:8090');
    expect(simulatorAddress('127.0.0.1', 8090, undefined)).toBe('http://127.0.0.1:8090');
  });
});
