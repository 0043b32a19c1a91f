import { describe, expect, test } from 'vitest';
import { START_MS, type TestStore } from '../support/store/store-rows.ts';

/** The behaviour of a store for the installation that it belongs to. */
export function installationContract(stage: TestStore): void {
  describe('the installation', () => {
    const offer = (id: string) => ({ id, keyId: `key-${id}`, createdMs: START_MS });

    test('is that of the first backend, for all others and after a crash', async () => {
      const other = await stage.beside();
      expect(await stage.store.installation.find()).toBeUndefined();
      expect(await stage.store.installation.claim(offer('one'))).toEqual(offer('one'));
      expect(await stage.store.installation.find()).toEqual(offer('one'));
      expect(await other.installation.claim(offer('two'))).toEqual(offer('one'));
      await stage.crash();
      expect(await stage.store.installation.claim(offer('three'))).toEqual(offer('one'));
    });

    test('is one, also where backends begin at the same time', async () => {
      const backends = [stage.store, await stage.beside()];
      const claiming = Array.from({ length: 8 }, (_, index) =>
        backends[index % 2]?.installation.claim(offer(String(index))),
      );
      expect(new Set((await Promise.all(claiming)).map((found) => found?.id)).size).toBe(1);
    });

    test('changes its key for who knows the one before', async () => {
      const { installation } = stage.store;
      await installation.claim(offer('one'));
      expect(await installation.setKey('key-2', 'key-0')).toBe(false);
      expect(await installation.setKey('key-2', 'key-one')).toBe(true);
      expect(await installation.claim(offer('two'))).toEqual({ ...offer('one'), keyId: 'key-2' });
    });
  });
}
