import { describe, expect, test } from 'vitest';
import { faultyStore, NO_FAULT, type StoreFault } from '../../../../backend/store/faulty.ts';
import { openSqliteStore } from '../../../../backend/store/sqlite.ts';
import { StoreFailed } from '../../../../backend/store/store.ts';
import { openVirtualWorld } from '../../../../world/virtual-world.ts';
import { batch, newVehicle, record } from '../../../contracts/store-kit.ts';

/** A store with one vehicle, whose medium is as `set` says. */
async function stage() {
  const world = openVirtualWorld({ seed: 1 });
  const life = world.incarnation('backend');
  const whole = openSqliteStore(':memory:');
  let fault: StoreFault = NO_FAULT;
  await whole.vehicles.save(newVehicle());
  const store = faultyStore(whole, life.time, () => fault);
  const set = (change: Partial<StoreFault>) => {
    fault = { ...NO_FAULT, ...change };
  };
  return { world, life, whole, store, set };
}

const write = (store: Awaited<ReturnType<typeof stage>>['store']) =>
  store.ingest.commit(batch({ records: [record(1)] }));

describe('a store on a medium with faults', () => {
  test('that is full can be read, and takes nothing', async () => {
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

  test('that is slow carries calls out in their order, so much later', async () => {
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

  test('a call that waits is not carried out any more once its program has crashed', async () => {
    const { world, life, store, whole, set } = await stage();
    set({ slowMs: 2_000 });
    const before = whole.serialize();
    void write(store);
    await world.pass(1_000);
    life.sever();
    await world.pass(10_000);
    expect(whole.serialize()).toEqual(before);
  });
});
