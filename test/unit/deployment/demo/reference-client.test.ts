import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openSqliteStore, type SqliteStore } from '../../../../backend/store/sqlite/store.ts';
import { registerReferencePage } from '../../../../deployment/service/serve-service.ts';
import { openVirtualWorld } from '../../../../world/virtual-world.ts';

describe('the client of the reference page', () => {
  let store: SqliteStore;
  let notices: string[];
  beforeEach(async () => {
    store = openSqliteStore(':memory:');
    notices = [];
    await store.access.saveFleet({ id: 'FLEET1', name: 'One' });
  });
  afterEach(() => store.close());

  async function registered(baseUrl: string) {
    const world = openVirtualWorld({ seed: 1 });
    const id = await world.run(() =>
      registerReferencePage(store, world, { fleetId: 'FLEET1', baseUrl, notices }),
    );
    const client = await store.access.findClient('reference-page');
    return { id, redirectUris: client?.redirectUris };
  }

  test.each(['http://127.0.0.1:8080', 'http://[::1]:8080', 'https://twin.test'])(
    'is registered with the page at %s, and follows it to another address',
    async (baseUrl) => {
      for (const address of [baseUrl, baseUrl, 'http://127.0.0.1:9999'])
        expect(await registered(address)).toEqual({
          id: 'reference-page',
          redirectUris: [`${address}/docs/oauth2-redirect.html`],
        });
      expect(notices).toEqual([]);
    },
  );

  test.each(['http://twin.test:9999', 'http://10.1.2.3:8080', 'http://localhost:8080'])(
    'is left out at %s, where OAuth allows no way back, and one note says why and what to do',
    async (baseUrl) => {
      expect(await registered(baseUrl)).toEqual({ id: undefined, redirectUris: undefined });
      expect(notices).toHaveLength(1);
      for (const part of [`${baseUrl}/docs`, 'uses plain http', 'everything else works', '--public-url'])
        expect(notices[0]).toContain(part);
    },
  );
});
