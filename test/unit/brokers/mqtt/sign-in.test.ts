import type { Client } from 'aedes';
import { describe, expect, test } from 'vitest';
import { MqttSignIn } from '../../../../brokers/mqtt/sign-in.ts';

const BOX = '0123456789abcdef';

function setUp(authenticate: (boxId: string, secret: string) => Promise<boolean>) {
  const asked: string[] = [];
  const refusals: string[] = [];
  const signIn = new MqttSignIn({
    backend: { username: 'backend', password: 'pass' },
    authenticate: (boxId, secret) => {
      asked.push(boxId);
      return authenticate(boxId, secret);
    },
    refused: (id, reason) => refusals.push(`${id}: ${reason}`),
  });
  async function admit(clientId: string, username: string | undefined, password: string | undefined) {
    // Of a client only its identity is used.
    const client = {} as Client;
    signIn.noteConnect(client, { clientId, keepAliveS: 60, will: undefined });
    const error = await signIn.admit(
      client,
      username,
      password === undefined ? undefined : Buffer.from(password),
    );
    return { code: error?.returnCode, account: signIn.accountOf(client) };
  }
  return { admit, asked, refusals };
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

  test('the right secret does not give access to the session of another box', async () => {
    const { admit } = setUp(async () => true);
    expect(await admit('fedcba9876543210', BOX, 'x')).toEqual({ code: 2, account: undefined });
  });
});
