import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { limits } from '../../../../../backend/base/limits.ts';
import { StoreFailed, StoreInUse, StoreTooNew } from '../../../../../backend/store/port/store.ts';
import { sqliteParts } from '../../../../../backend/store/sqlite/calls.ts';
import { groupTransaction } from '../../../../../backend/store/sqlite/group-transaction.ts';
import { MIGRATIONS } from '../../../../../backend/store/sqlite/migrations/list.ts';
import { openDatabase } from '../../../../../backend/store/sqlite/open.ts';
import { openSqliteStore } from '../../../../../backend/store/sqlite/store.ts';
import { storeContract } from '../../../../contracts/store-contract.ts';
import { BOX_ID, ingestBatch, newVehicle } from '../../../../support/store/store-rows.ts';

const LATEST = MIGRATIONS.at(-1)?.version ?? 0;

storeContract('SQLite in memory', {
  open: () => Promise.resolve(openSqliteStore(':memory:')),
  reopen: (store) => {
    if (!('serialize' in store) || typeof store.serialize !== 'function') throw new Error('not serialisable');
    return Promise.resolve(openSqliteStore(store.serialize() as Uint8Array));
  },
  beside: (store) => Promise.resolve({ ...store, close: () => Promise.resolve() }),
});

describe('SQLite in a file', () => {
  let folder: string;
  let path: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'boxtwin-store-'));
    path = join(folder, 'boxtwin.sqlite');
  });
  afterEach(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  test('a second process on the same file is refused because it is in use', async () => {
    const store = openSqliteStore(path);
    const sqlite = fileURLToPath(new URL('../../../../../backend/store/sqlite/store.ts', import.meta.url));
    const script = `import { openSqliteStore } from ${JSON.stringify(sqlite)};
      try { openSqliteStore(${JSON.stringify(path)}); console.log('opened'); }
      catch (error) { console.log(error.name); }`;
    const second = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
    expect(second.stdout.trim()).toBe(StoreInUse.name);
    await store.close();
    const third = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
    expect(third.stdout.trim()).toBe('opened');
  });

  test('what was committed survives kill -9', async () => {
    const sqlite = fileURLToPath(new URL('../../../../../backend/store/sqlite/store.ts', import.meta.url));
    const script = `import { openSqliteStore } from ${JSON.stringify(sqlite)};
      const store = openSqliteStore(${JSON.stringify(path)});
      await store.access.saveFleet({ id: 'FLEET1', name: 'One' });
      await store.vehicles.save(${JSON.stringify(newVehicle())});
      process.kill(process.pid, 'SIGKILL');`;
    const child = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
    expect(child.signal).toBe('SIGKILL');
    const store = openSqliteStore(path);
    expect((await store.vehicles.find('VEH01'))?.boxId).toBe(BOX_ID);
    await store.close();
  });

  test('a database of a newer version is refused with both versions named, and left unchanged', () => {
    const newer = { version: LATEST + 41, sql: 'CREATE TABLE later (id INTEGER)' };
    openDatabase(path, { migrations: [...MIGRATIONS, newer] }).close();
    let refusal: unknown;
    try {
      openSqliteStore(path);
    } catch (error) {
      refusal = error;
    }
    expect(refusal).toBeInstanceOf(StoreTooNew);
    expect(String(refusal)).toContain(`schema version ${newer.version}`);
    expect(String(refusal)).toContain(`up to ${MIGRATIONS.at(-1)?.version}`);
    openDatabase(path, { migrations: [...MIGRATIONS, newer] }).close();
  });

  test('an older schema is brought up to date step by step', () => {
    openDatabase(path).close();
    const next = { version: LATEST + 1, sql: 'CREATE TABLE later (id INTEGER)' };
    const database = openDatabase(path, { migrations: [...MIGRATIONS, next] });
    expect(database.pragma('user_version', { simple: true })).toBe(next.version);
    database.close();
  });

  test('vehicles and boxes of the first release are kept by all steps, with initial values for later columns', async () => {
    const old = openDatabase(path, { migrations: MIGRATIONS.slice(0, 2) });
    old.exec(`
      INSERT INTO boxes (id, version, secret_hash, generation, journal, state)
        VALUES ('${BOX_ID}', 3, 'hash', 2, '{"epoch":7,"contiguous":2,"ranges":[]}', '{}');
      INSERT INTO vehicles VALUES ('VEH01', 'FLEET1', '${BOX_ID}', 'petrol-compact', 'SUCCEEDED', '{}', '["pool"]',
        'veh01', 5, 6);`);
    old.close();
    const store = openSqliteStore(path);
    expect(await store.vehicles.find('VEH01')).toMatchObject({
      boxId: BOX_ID,
      maker: undefined,
      tags: ['pool'],
      maintenance: false,
      operationStatus: { value: 'OPERATING', modifiedMs: 5 },
      revision: 1,
      createdMs: 5,
      modifiedMs: 6,
      box: { journal: { epoch: 7, contiguous: 2, ranges: [] } },
    });
    expect(await store.vehicles.findUnit(BOX_ID)).toMatchObject({ fleetId: 'FLEET1', vehicleId: 'VEH01' });
    await store.close();
  });

  test('a box that was connected before life status was stored is online since its connection', async () => {
    const old = openDatabase(path, { migrations: MIGRATIONS.filter(({ version }) => version < 20) });
    old.exec(`
      INSERT INTO boxes (id, version, secret_hash, generation, journal, state, connection_counter, connection_open,
          connection_since_ms, last_contact_ms)
        VALUES ('${BOX_ID}', 3, 'hash', 2, '{"epoch":7,"contiguous":2,"ranges":[]}', '{}', 4, 1, 70, 90);
      INSERT INTO configurations (box_id, handed_out, revision, features)
        VALUES ('${BOX_ID}', 1, 1, '{"box-settings":{"parameters":{"standby_report_interval_in_seconds":90}}}');
      INSERT INTO vehicles (id, fleet_id, box_id, model, setup_status, master_data, tags, operation_status_ms,
          rental_status_ms, search_text, created_ms, modified_ms)
        VALUES ('VEH01', 'FLEET1', '${BOX_ID}', 'petrol-compact', 'SUCCEEDED', '{}', '[]', 5, 5, 'veh01', 5, 6);`);
    old.close();
    const store = openSqliteStore(path);
    expect((await store.vehicles.find('VEH01'))?.box).toMatchObject({
      connection: { counter: 4, open: true },
      life: { value: 'ONLINE', sinceMs: 70 },
      standbyReportS: 90,
    });
    await store.close();
  });

  test("a maker's vehicle that was linked before there was a stock of them is in that of its fleet", async () => {
    const old = openDatabase(path, { migrations: MIGRATIONS.filter(({ version }) => version < 23) });
    old.exec(`
      INSERT INTO vehicles (id, fleet_id, maker, maker_vehicle_id, model, setup_status, master_data, tags,
          operation_status_ms, rental_status_ms, search_text, created_ms, modified_ms)
        VALUES ('VEH01', 'FLEET1', 'northwind', 'NW-1', 'electric-estate', 'SUCCEEDED', '{}', '[]', 5, 5, 'veh01' || char(10) || 'nw-1' || char(10) || 'wvw1', 5, 6);`);
    old.close();
    const store = openSqliteStore(path);
    const link = { name: 'northwind', vehicleId: 'NW-1' };
    expect(await store.vehicles.findMakerUnit(link)).toEqual({ link, fleetId: 'FLEET1' });
    const found = async (search: string) => {
      const query = { fleetId: 'FLEET1', afterId: undefined, limit: 10, search, tag: undefined };
      return (await store.vehicles.list(query)).length;
    };
    expect([await found('nw-1'), await found('veh01'), await found('wvw1')]).toEqual([0, 1, 1]);
    expect(await store.vehicles.remove('VEH01')).toBe('removed');
    expect(await store.vehicles.findMakerUnit(link)).toEqual({ link, fleetId: 'FLEET1' });
    await store.close();
  });

  test('a schema step that fails keeps the previous version', () => {
    const broken = {
      version: LATEST + 1,
      sql: 'CREATE TABLE half (id INTEGER); CREATE TABLE half (id INTEGER)',
    };
    expect(() => openDatabase(path, { migrations: [...MIGRATIONS, broken] })).toThrow();
    const database = openDatabase(path);
    expect(database.pragma('user_version', { simple: true })).toBe(LATEST);
    database.close();
  });

  test("another program's database is refused", () => {
    const foreign = new Database(path);
    foreign.exec('CREATE TABLE notes (text TEXT)');
    foreign.close();
    expect(() => openSqliteStore(path)).toThrow(StoreFailed);
  });

  test('a path in a missing folder fails with the reason', () => {
    expect(() => openSqliteStore(join(folder, 'none', 'x.sqlite'))).toThrow(/none/);
  });

  test('a full medium makes the whole commit fail, and the next one succeeds once there is space', async () => {
    const database = openDatabase(path);
    database.close();
    const store = openSqliteStore(path);
    await store.vehicles.save(newVehicle());
    await store.close();

    // The page limit is SQLite's own way of having no room; it yields SQLITE_FULL as a full disk does.
    const raw = openDatabase(path);
    const parts = sqliteParts(raw);
    const { ingest } = parts;
    const carryOut = groupTransaction(raw, parts);
    const pages = Number(raw.pragma('page_count', { simple: true }));
    raw.pragma(`max_page_count = ${pages}`);
    const known = ingest.load([BOX_ID]).get(BOX_ID);
    const large = ingestBatch({
      boxes: [{ boxId: BOX_ID, version: known?.version ?? 0, lastContactMs: 1 }],
      quarantine: Array.from({ length: 50 }, () => ({
        boxId: BOX_ID,
        receivedMs: 1,
        fault: 'no-frame',
        offset: 0,
        detail: '',
        bytes: new Uint8Array(limits.quarantineBytes),
      })),
    });
    const [outcome] = carryOut([{ part: 'ingest', name: 'commit', parameters: [large] }]);
    const failure: unknown = outcome !== undefined && 'error' in outcome ? outcome.error : undefined;
    expect(failure).toBeInstanceOf(StoreFailed);
    expect((failure as StoreFailed).cause).toBeInstanceOf(Database.SqliteError);
    expect(ingest.load([BOX_ID]).get(BOX_ID)).toEqual(known);
    raw.pragma('max_page_count = 100000');
    expect(ingest.commit(large).stale).toEqual([]);
    raw.close();
  });

  test('a file store serialises to bytes that open in memory', async () => {
    const store = openSqliteStore(path);
    await store.vehicles.save(newVehicle());
    const copy = openSqliteStore(store.serialize());
    expect(await copy.vehicles.find('VEH01')).toEqual(await store.vehicles.find('VEH01'));
    await copy.close();
    await store.close();
  });

  test('bytes and rows in quarantine are limited', async () => {
    const store = openSqliteStore(':memory:');
    const bytes = new Uint8Array(limits.quarantineBytes + 1);
    await store.ingest.commit(
      ingestBatch({
        quarantine: [{ boxId: BOX_ID, receivedMs: 1, fault: 'no-frame', offset: 0, detail: '', bytes }],
      }),
    );
    const [row] = await store.ingest.quarantined({ limit: 1 });
    expect(row?.bytes.length).toBe(limits.quarantineBytes);
    await store.close();
  });
});
