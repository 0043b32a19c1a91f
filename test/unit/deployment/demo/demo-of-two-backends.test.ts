import { expect, test } from 'vitest';
import type { Service } from '../../../../backend/service.ts';
import type { Store } from '../../../../backend/store/port/store.ts';
import {
  configureDemo,
  type DemoConfigurationParts,
} from '../../../../deployment/demo/demo-configuration.ts';
import { makeSigningKey, realCrypto } from '../../../../world/crypto/real-crypto.ts';
import { realIds } from '../../../../world/ids/real-ids.ts';
import { realTime } from '../../../../world/time/real-time.ts';

/** The beginning of a backend whose client another one replaces in the same moment, and the paths that it asks for. */
async function begun(isStoreShared: boolean): Promise<readonly string[]> {
  const asked: string[] = [];
  const time = realTime();
  const access = {
    findClient: () => Promise.resolve(undefined),
    deleteClient: () => Promise.resolve(),
    saveClient: () => Promise.resolve(),
  };
  const parts = {
    service: {
      fetch: (request: Request) => {
        asked.push(new URL(request.url).pathname);
        return Promise.resolve(Response.json({ error: 'invalid_client' }, { status: 401 }));
      },
    } as Partial<Service> as Service,
    store: { access, configuration: { read: () => Promise.resolve({ revision: 0 }) } } as unknown as Store,
    boxes: [{ boxId: '0123456789abcdef' }] as unknown as DemoConfigurationParts['boxes'],
    waitMs: 0,
    baseUrl: 'http://127.0.0.1:1',
    isStoreShared,
    identity: { client_id: 'demo', fleet_id: 'F' } as unknown as DemoConfigurationParts['identity'],
    world: { time, ids: realIds(time), crypto: await realCrypto(await makeSigningKey()) },
    log: {} as unknown as DemoConfigurationParts['log'],
    disposables: { add: () => Promise.resolve() } as unknown as DemoConfigurationParts['disposables'],
  };
  await configureDemo(parts);
  return asked;
}

test('a backend whose client another one has just replaced leaves the configuration to that one', async () => {
  expect(await begun(true)).toEqual(['/auth/oauth/token']);
});

test('a backend that is alone on its store says that its client got no token', async () => {
  await expect(begun(false)).rejects.toThrow('got no token: 401');
});
