import { describe, expect, test } from 'vitest';
import { delayedStore } from '../../../../backend/store/delayed-store.ts';
import type { Store } from '../../../../backend/store/port/store.ts';
import { openSqliteStore, type SqliteStore } from '../../../../backend/store/sqlite/store.ts';
import { realRandom } from '../../../../world/random/real-random.ts';
import { realTime } from '../../../../world/time/real-time.ts';
import { openVirtualWorld } from '../../../../world/virtual-world.ts';
import { storeContract } from '../../../contracts/store-contract.ts';

const kept = new WeakMap<Store, SqliteStore>();

function openOn(file: SqliteStore): Store {
  const { store } = delayedStore(file, realTime(), realRandom(1).stream('store'));
  kept.set(store, file);
  return store;
}

storeContract('SQLite with commits that take time', {
  open: () => Promise.resolve(openOn(openSqliteStore(':memory:'))),
  reopen: (store) => {
    const file = kept.get(store);
    if (file === undefined) throw new Error('not a store of this test');
    return Promise.resolve(openOn(openSqliteStore(file.serialize())));
  },
  beside: (store) => {
    const file = kept.get(store);
    if (file === undefined) throw new Error('not a store of this test');
    return Promise.resolve({ ...openOn(file), close: () => Promise.resolve() });
  },
});

describe('wake-ups of an instance in the virtual world', () => {
  test('tell what other instances have committed, in a turn of its own, until it is killed', async () => {
    const world = openVirtualWorld({ seed: 1 });
    const file = openSqliteStore(':memory:');
    const open = (name: string) => {
      const instance = world.instance(name);
      const { store } = delayedStore(file, instance.time, world.random.stream(name));
      const heard: string[] = [];
      store.listen(({ kind }) => heard.push(kind));
      return { instance, store, heard };
    };
    const [one, other] = [open('one'), open('other')];
    await world.run(() => one.store.bulk.makeConnectedDueNow(1));
    await world.runFor(1);
    expect([one.heard, other.heard]).toEqual([[], ['bulk']]);
    const committing = one.store.bulk.makeConnectedDueNow(1);
    other.instance.kill();
    await world.run(() => committing);
    await world.runFor(1);
    expect(other.heard).toEqual(['bulk']);
    await file.close();
  });
});

describe('a commit that a crash interrupts', () => {
  test('is there whole or not at all; whoever was answered finds it', async () => {
    const seen = { lost: 0, keptUnanswered: 0, answered: 0 };
    for (let seed = 1; seed <= 60; seed += 1) {
      const world = openVirtualWorld({ seed });
      const instance = world.instance('backend');
      const file = openSqliteStore(':memory:');
      const { store, crash } = delayedStore(file, instance.time, world.random.stream('store'));
      const ids = ['FLEET1', 'FLEET2', 'FLEET3'];
      const answered = new Set<string>();
      for (const id of ids)
        void store.access.saveFleet({ id, name: id }).then(() => {
          answered.add(id);
        });
      await world.runFor(seed % 7);
      instance.kill();
      crash();
      await world.runFor(1_000);
      const there = await Promise.all(ids.map((id) => file.access.findFleet(id)));
      const found = ids.filter((_, index) => there[index] !== undefined);
      // The first has a commit of its own; the other two share one.
      expect([0, 1, 3]).toContain(found.length);
      for (const id of answered) expect(found).toContain(id);
      seen.answered += answered.size;
      seen.lost += ids.length - found.length;
      seen.keptUnanswered += found.length - answered.size;
      await file.close();
    }
    expect(seen.lost).toBeGreaterThan(0);
    expect(seen.keptUnanswered).toBeGreaterThan(0);
    expect(seen.answered).toBeGreaterThan(0);
  });
});
