import { describe, expect, test } from 'vitest';
import {
  faultyStore,
  NO_FAULT,
  type StoreFault,
  severableStore,
  watchedStore,
} from '../../../../backend/store/intercepted-store.ts';
import { StoreFailed } from '../../../../backend/store/port/store.ts';
import { openSqliteStore } from '../../../../backend/store/sqlite/store.ts';
import { openVirtualWorld } from '../../../../world/virtual-world.ts';
import { ingestBatch, newVehicle, storedRecord } from '../../../support/store/store-rows.ts';

/** A store with one vehicle, whose medium is as `set` says. */
async function stage() {
  const world = openVirtualWorld({ seed: 1 });
  const instance = world.instance('backend');
  const whole = openSqliteStore(':memory:');
  let fault: StoreFault = NO_FAULT;
  await whole.vehicles.save(newVehicle());
  const store = faultyStore(whole, instance.time, () => fault);
  const set = (change: Partial<StoreFault>) => {
    fault = { ...NO_FAULT, ...change };
  };
  return { world, life: instance, whole, store, set };
}

const write = (store: Awaited<ReturnType<typeof stage>>['store']) =>
  store.ingest.commit(ingestBatch({ records: [storedRecord(1)] }));

describe('a store on a medium with faults', () => {
  test('that is full can be read, and refuses writes', async () => {
    const { store, whole, set } = await stage();
    set({ failing: 'writes' });
    const before = whole.serialize();
    await expect(write(store)).rejects.toBeInstanceOf(StoreFailed);
    await expect(store.vehicles.save(newVehicle({ id: 'VEH02' }))).rejects.toBeInstanceOf(StoreFailed);
    expect((await store.vehicles.find('VEH01'))?.id).toBe('VEH01');
    expect(whole.serialize()).toEqual(before);
    set({});
    await write(store);
    expect(whole.serialize()).not.toEqual(before);
  });

  test('that is down fails every call, and can be closed', async () => {
    const { store, set } = await stage();
    set({ failing: 'everything' });
    await expect(store.census.count()).rejects.toBeInstanceOf(StoreFailed);
    await expect(write(store)).rejects.toBeInstanceOf(StoreFailed);
    await store.close();
  });

  test('that is slow carries out calls in order, with a delay', async () => {
    const { world, store, set } = await stage();
    set({ slowMs: 2_000 });
    const fromMs = world.loop.nowMs;
    await world.run(async () => {
      const done: string[] = [];
      await Promise.all([
        write(store).then(() => done.push('write')),
        store.vehicles.find('VEH01').then(() => done.push('read')),
      ]);
      expect(done).toEqual(['write', 'read']);
    });
    expect(world.loop.nowMs - fromMs).toBe(2_000);
  });

  test('does not carry out a delayed call once its program has crashed', async () => {
    const { world, life: instance, store, whole, set } = await stage();
    set({ slowMs: 2_000 });
    const before = whole.serialize();
    void write(store);
    await world.runFor(1_000);
    instance.kill();
    await world.runFor(10_000);
    expect(whole.serialize()).toEqual(before);
  });
});

describe('an observed store', () => {
  test('reports each write that fails because of the medium, and neither reads nor successes', async () => {
    const { store, set } = await stage();
    let failures = 0;
    const watched = watchedStore(store, () => {
      failures += 1;
    });
    await watched.vehicles.find('VEH01');
    await write(watched);
    expect(failures).toBe(0);
    set({ failing: 'everything' });
    await expect(watched.vehicles.find('VEH01')).rejects.toBeInstanceOf(StoreFailed);
    expect(failures).toBe(0);
    await expect(write(watched)).rejects.toBeInstanceOf(StoreFailed);
    expect(failures).toBe(1);
  });
});

describe('a severed store', () => {
  test('is not called any more, and pending calls never resolve', async () => {
    const { whole } = await stage();
    const { store, sever } = severableStore(whole);
    let settled = 0;
    const note = () => {
      settled += 1;
    };
    store.vehicles.find('VEH01').then(note, note);
    sever();
    const before = whole.serialize();
    write(store).then(note, note);
    await whole.vehicles.find('VEH01');
    expect([settled, whole.serialize()]).toEqual([0, before]);
  });

  test('hears of what others commit until it is severed', async () => {
    const { whole } = await stage();
    const { store, sever } = severableStore(whole);
    const heard: string[] = [];
    store.listen(({ kind }) => heard.push(kind));
    await whole.bulk.makeConnectedDueNow(1);
    await Promise.resolve();
    expect(heard).toEqual(['bulk']);
    // Under way to it.
    const committing = whole.bulk.makeConnectedDueNow(1);
    sever();
    await committing;
    await whole.bulk.makeConnectedDueNow(1);
    await Promise.resolve();
    expect(heard).toEqual(['bulk']);
  });
});
