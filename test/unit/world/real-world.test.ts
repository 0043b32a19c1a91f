import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { makeSigningKey } from '../../../world/crypto/real-crypto.ts';
import { seededRandom } from '../../../world/random/seeded-random.ts';
import { openRealWorld } from '../../../world/real-world.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'boxtwin-world-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const options = async () => ({
  seed: 7,
  mqttUrl: 'mqtt://127.0.0.1:1883',
  amqpUrl: undefined,
  flash: join(folder, 'flash.db'),
  signingKey: await makeSigningKey(),
  log: 'silent' as const,
});

describe('real world', () => {
  test('has every port, no AMQP publisher without a broker address, and its chance from the seed', async () => {
    const world = await openRealWorld(await options());
    expect(world.amqp).toBeUndefined();
    expect(world.random.stream('x').fraction()).toBe(seededRandom(7).stream('x').fraction());
    await world.flash.write('a', []);
    await world.close();
    await expect(world.flash.write('a', [])).rejects.toThrow(/closed/);
    const again = await openRealWorld({ ...(await options()), amqpUrl: 'amqps://u:p@example.test/v' });
    expect(again.amqp).toBeDefined();
    await again.close();
  });

  test('refuses an invalid address or key, shows no password, and releases the flash', async () => {
    const right = await options();
    const wrong = [
      { mqttUrl: 'http://127.0.0.1' },
      { mqttUrl: 'nonsense' },
      { amqpUrl: 'mqtt://127.0.0.1' },
      { amqpUrl: 'amqp:/u:geheim@' },
      { signingKey: { kty: 'RSA' } },
    ];
    for (const each of wrong) {
      const opening = openRealWorld({ ...right, ...each });
      await expect(opening).rejects.toBeInstanceOf(TypeError);
      await expect(opening).rejects.not.toThrow(/geheim/);
    }
    await (await openRealWorld(right)).close();
  });
});
