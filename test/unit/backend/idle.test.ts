import { expect, test } from 'vitest';
import { startService } from '../../../backend/service.ts';
import type { Store } from '../../../backend/store/port/store.ts';
import { openSqliteStore } from '../../../backend/store/sqlite/store.ts';
import { openVirtualWorld } from '../../../world/virtual-world.ts';
import { newVehicle } from '../../support/store/store-rows.ts';

const HOUR_MS = 3_600_000;
/** Of the whole service, in an hour: a few parts, each with its poll every five minutes. */
const CALLS_PER_HOUR = 100;

test('an idle service polls its store rarely, so that hours of a virtual run are fast', async () => {
  const world = openVirtualWorld({ seed: 1 });
  const store = openSqliteStore(':memory:');
  await store.vehicles.save(newVehicle());
  let calls = 0;
  const counted = new Proxy<Store>(store, {
    get(target, name) {
      const part: unknown = Reflect.get(target, name);
      if (typeof part !== 'object' || part === null) return part;
      return new Proxy(part, {
        get(inner, call) {
          calls += 1;
          return Reflect.get(inner, call);
        },
      });
    },
  });
  const service = startService(world.instance('backend'), counted, {
    baseUrl: 'http://service.test',
    mqtt: { clientId: 'backend', username: 'backend', password: 'secret' },
    answerTimeoutMs: 20_000,
    queues: [],
  });
  await world.run(() => service.started);
  await world.runFor(60_000);
  calls = 0;
  await world.runFor(12 * HOUR_MS);
  service.sever();
  await store.close();
  expect(calls).toBeLessThan(12 * CALLS_PER_HOUR);
});
