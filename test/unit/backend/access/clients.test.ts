import { describe, expect, test } from 'vitest';
import { registerClient } from '../../../../backend/access/clients.ts';
import { seededRandom } from '../../../../world/random/seeded-random.ts';
import { openServiceWithClient } from '../../../support/http/service-with-client.ts';
import { FLEET_ID } from '../../../support/http/test-service.ts';

describe('registering a client', () => {
  const parts = async () => {
    const stage = await openServiceWithClient();
    const stream = seededRandom(3).stream('x');
    const mint = {
      ulid: () => 'ID',
      uuid: () => '',
      code: () => '',
      secret: (n: number) => `${n}-${stream.whole(1, 9)}`,
    };
    const time = { nowMs: () => 5, alarm: () => () => undefined };
    return { stage, world: { crypto: stage.crypto, ids: mint, time } };
  };

  test('generates what is not given, and stores only the hash of the secret', async () => {
    const { stage, world } = await parts();
    const made = await registerClient(stage.store.access, world, {
      fleetId: FLEET_ID,
      permissions: ['vehicles'],
    });
    const stored = await stage.store.access.findClient(made.clientId);
    expect(stored).toMatchObject({ fleetId: FLEET_ID, permissions: ['vehicles'] });
    expect(JSON.stringify(stored)).not.toContain(made.clientSecret);
    expect(await stage.crypto.verifySecret(made.clientSecret, stored?.secretHash ?? '')).toBe(true);
  });

  test.each([
    [{ id: 'a b' }],
    [{ id: '' }],
    [{ id: 'x'.repeat(65) }],
    [{ secret: 'with:colon' }],
    [{ permissions: ['everything'] }],
  ])('refuses %j and writes nothing', async (change) => {
    const { stage, world } = await parts();
    const client = { fleetId: FLEET_ID, permissions: ['vehicles'], id: 'new', ...change };
    await expect(registerClient(stage.store.access, world, client)).rejects.toBeInstanceOf(RangeError);
    expect(await stage.store.access.findClient('new')).toBeUndefined();
  });
});
