import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { makeSealKey } from '../../../world/real-seal.ts';
import { openRealWorld } from '../../../world/real-world.ts';
import { seededRandom } from '../../../world/seeded-random.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'boxtwin-world-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const options = async () => ({
  seed: 7,
  mqttUrl: 'mqtt://127.0.0.1:1883',
  amqpUrl: undefined,
  flashPath: join(folder, 'flash.db'),
  sealKey: await makeSealKey(),
  log: 'silent' as const,
});

describe('real world', () => {
  test('has every port, no exchange where messages go nowhere, and its chance from the seed', async () => {
    const world = await openRealWorld(await options());
    expect(world.exchange).toBeUndefined();
    expect(world.random.stream('x').fraction()).toBe(seededRandom(7).stream('x').fraction());
    await world.flash.write('a', []);
    await world.close();
    await expect(world.flash.write('a', [])).rejects.toThrow(/closed/);
    const again = await openRealWorld({ ...(await options()), amqpUrl: 'amqps://u:p@example.test/v' });
    expect(again.exchange).toBeDefined();
    await again.close();
  });

  test('refuses an address or a key that is none, says no password, and leaves the flash to others', async () => {
    const right = await options();
    const wrong = [
      { mqttUrl: 'http://127.0.0.1' },
      { mqttUrl: 'nonsense' },
      { amqpUrl: 'mqtt://127.0.0.1' },
      { amqpUrl: 'amqp:/u:geheim@' },
      { sealKey: { kty: 'RSA' } },
    ];
    for (const each of wrong) {
      const opening = openRealWorld({ ...right, ...each });
      await expect(opening).rejects.toBeInstanceOf(TypeError);
      await expect(opening).rejects.not.toThrow(/geheim/);
    }
    await (await openRealWorld(right)).close();
  });
});
