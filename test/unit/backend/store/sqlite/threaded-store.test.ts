import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Store } from '../../../../../backend/store/port/store.ts';
import { StoreFailed, StoreInUse, StoreTooNew } from '../../../../../backend/store/port/store.ts';
import { openDatabase } from '../../../../../backend/store/sqlite/open.ts';
import { openSqliteStore } from '../../../../../backend/store/sqlite/store.ts';
import { openThreadedStore } from '../../../../../backend/store/sqlite/threaded-store.ts';
import { storeContract } from '../../../../contracts/store-contract.ts';
import { BOX_ID, newVehicle } from '../../../../support/store/store-rows.ts';

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

function newPath(): string {
  const folder = mkdtempSync(join(tmpdir(), 'boxtwin-threaded-'));
  folders.push(folder);
  return join(folder, 'backend.sqlite');
}

const paths = new WeakMap<Store, string>();

async function openAt(path: string): Promise<Store> {
  const store = await openThreadedStore(path);
  paths.set(store, path);
  return store;
}

storeContract('SQLite on a thread', {
  open: () => openAt(newPath()),
  reopen: async (store) => {
    const from = paths.get(store);
    if (from === undefined) throw new Error('not a store of this test');
    const to = newPath();
    // What a crash leaves: the file and its log, while the store goes on.
    for (const end of ['', '-wal']) if (existsSync(from + end)) copyFileSync(from + end, to + end);
    return openAt(to);
  },
  beside: (store) => Promise.resolve({ ...store, close: () => Promise.resolve() }),
});

describe('a store on a thread', () => {
  let path: string;
  let store: Store;
  beforeEach(async () => {
    path = newPath();
    store = await openThreadedStore(path);
  });
  afterEach(() => store.close());

  test('is the only one on its file, whether the other is on a thread or not', async () => {
    await expect(openThreadedStore(path)).rejects.toThrow(StoreInUse);
    expect(() => openSqliteStore(path)).toThrow(StoreInUse);
    await store.close();
    await (await openThreadedStore(path)).close();
    await openSqliteStore(path).close();
  });

  test('refuses a database of a newer program, and a folder that is not there, with the reason', async () => {
    await store.close();
    const database = openDatabase(path);
    database.pragma('user_version = 9999');
    database.close();
    await expect(openThreadedStore(path)).rejects.toThrow(StoreTooNew);
    const failure = await openThreadedStore(join(path, 'none', 'x.sqlite')).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(StoreFailed);
    expect(String(failure)).toContain('none');
  });

  test('answers every call that was made before it was closed, and refuses those after', async () => {
    const before = Array.from({ length: 50 }, (_, index) =>
      store.access.saveFleet({ id: `FLEET${index}`, name: 'a fleet' }),
    );
    const closing = store.close();
    await expect(Promise.all(before)).resolves.toHaveLength(50);
    await closing;
    await expect(store.access.saveFleet({ id: 'LATE', name: 'late' })).rejects.toThrow(StoreFailed);
    await expect(store.access.findFleet('FLEET1')).rejects.toThrow(StoreFailed);
    const again = openSqliteStore(path);
    expect(await again.access.findFleet('FLEET49')).toEqual({ id: 'FLEET49', name: 'a fleet' });
    expect(await again.access.findFleet('LATE')).toBeUndefined();
    await again.close();
  });

  test('a call whose statement fails takes no other of its group with it', async () => {
    await store.access.saveFleet({ id: 'FLEET1', name: 'One' });
    const broken = { ...newVehicle(), fleetId: undefined as unknown as string };
    const results = await Promise.allSettled([
      store.access.saveFleet({ id: 'FLEET2', name: 'Two' }),
      store.vehicles.save(broken),
      store.vehicles.save(newVehicle()),
    ]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect((await store.ingest.load([BOX_ID])).get(BOX_ID)).toBeDefined();
  });
});
