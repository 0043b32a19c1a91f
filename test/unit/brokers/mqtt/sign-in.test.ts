import type { Client } from 'aedes';
import { describe, expect, test } from 'vitest';
import { MqttSignIn } from '../../../../brokers/mqtt/sign-in.ts';

const BOX = '0123456789abcdef';

function setUp(authenticate: (boxId: string, secret: string) => Promise<boolean>) {
  const asked: string[] = [];
  const refusals: string[] = [];
  const clock = { nowMs: 0 };
  const signIn = new MqttSignIn({
    backend: { username: 'backend', password: 'pass' },
    authenticate: (boxId, secret) => {
      asked.push(boxId);
      return authenticate(boxId, secret);
    },
    refused: (id, reason) => refusals.push(`${id}: ${reason}`),
    nowMs: () => clock.nowMs,
  });
  async function admit(
    clientId: string,
    username: string | undefined,
    password: string | undefined,
    address?: string,
  ) {
    // Of a client only its identity is used.
    const client = {} as Client;
    signIn.noteConnect(client, { clientId, keepAliveS: 60, will: undefined });
    const error = await signIn.admit(
      client,
      username,
      password === undefined ? undefined : Buffer.from(password),
      address,
    );
    return { code: error?.returnCode, account: signIn.accountOf(client) };
  }
  return { admit, asked, refusals, clock };
}

describe('sign-in', () => {
  test('admits the backend and a box with its secret, and knows the account of each', async () => {
    const { admit, refusals } = setUp(async (boxId, secret) => boxId === BOX && secret === 'ß');
    expect(await admit('backend-1', 'backend', 'pass')).toEqual({
      code: undefined,
      account: { kind: 'backend' },
    });
    expect(await admit(BOX, BOX, 'ß')).toEqual({ code: undefined, account: { kind: 'box', boxId: BOX } });
    expect(refusals).toEqual([]);
  });

  test('refuses wrong and missing secrets with return code 4, and gives no account', async () => {
    const { admit, refusals } = setUp(async () => false);
    for (const [username, password] of [
      ['backend', 'pasS'],
      ['backend', ''],
      ['backend', undefined],
      [BOX, 'x'],
      ['nobody', 'x'],
      [undefined, undefined],
    ] as const) {
      expect(await admit(BOX, username, password)).toEqual({ code: 4, account: undefined });
    }
    expect(refusals).toHaveLength(6);
  });

  test('does not check the secret of a name that cannot be a box', async () => {
    const { admit, asked } = setUp(async () => true);
    await admit('x', `${BOX}/../${BOX}`, 'x');
    await admit('x', 'NOBODY', 'x');
    expect(asked).toEqual([]);
  });

  test('a secret that cannot be checked is return code 3, server unavailable', async () => {
    const { admit, refusals } = setUp(async () => {
      throw new Error('the store is away');
    });
    expect(await admit(BOX, BOX, 'x')).toEqual({ code: 3, account: undefined });
    expect(refusals[0]).toContain('the store is away');
  });

  test('after ten wrong passwords of an address for a name the next ones wait, with return code 3', async () => {
    const { admit, asked, clock, refusals } = setUp(async (_, secret) => secret === 'right');
    for (let guess = 0; guess < 50; guess += 1) await admit(BOX, BOX, `guess-${guess}`, 'stranger');
    expect(asked).toHaveLength(10);
    expect((await admit(BOX, BOX, 'right', 'stranger')).code).toBe(3);
    expect(refusals.at(-1)).toBe(`${BOX}: too many wrong passwords for this name came from its address`);
    // Ten at first, then one after 1, 2, 4, 8, 16, 32 s and each minute: an hour has 75 of them.
    for (let second = 0; second < 3_600; second += 1) {
      clock.nowMs += 1_000;
      await admit(BOX, BOX, `guess-of-${second}`, 'stranger');
    }
    expect(asked.length).toBeLessThan(80);
    expect((await admit('backend-1', 'backend', 'pass', 'stranger')).code).toBeUndefined();
  });

  test('a stranger who guesses keeps no box out: neither at another address nor, with a secret of boxtwin, at its own', async () => {
    const secret = 'f'.repeat(64);
    const { admit } = setUp(async (_, given) => given === secret || given === 'short');
    for (let guess = 0; guess < 5_000; guess += 1) {
      await admit(BOX, BOX, `guess-${guess}`, 'shared');
      await admit(BOX, BOX, `guess-${guess}`, `203.0.113.${guess % 256}`);
    }
    for (const address of ['shared', '203.0.113.7', 'another'])
      expect((await admit(BOX, BOX, secret, address)).code).toBeUndefined();
    expect((await admit(BOX, BOX, `${secret.slice(0, -1)}e`, 'shared')).code).toBe(3);
    expect((await admit(BOX, BOX, 'short', 'shared')).code).toBe(3);
  });

  test('the right secret does not give access to the session of another box', async () => {
    const { admit } = setUp(async () => true);
    expect(await admit('fedcba9876543210', BOX, 'x')).toEqual({ code: 2, account: undefined });
  });
});
