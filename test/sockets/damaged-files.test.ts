import {
  chmodSync,
  closeSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Running, start } from '../../library/start.ts';
import { waitUntil } from '../support/run/external-services.ts';

let place: string;
/** What a service with two vehicles and messages that wait has left. */
let left: string;
beforeAll(async () => {
  place = mkdtempSync(join(tmpdir(), 'boxtwin-'));
  left = join(place, 'left');
  const running = await start({ vehicles: 2, data: left });
  await running.call('POST', `/vehicles/${running.vehicles[0]?.id}/commands/request-vehicle-state`);
  await running.stop();
});
afterAll(() => rmSync(place, { recursive: true, force: true }));

/** A copy whose page with the root of that table is overwritten. */
function damaged(file: string, table: string): string {
  const copy = join(place, `${file}-${table}`);
  cpSync(left, copy, { recursive: true });
  const path = join(copy, file);
  const database = new Database(path);
  const root = database.prepare('SELECT rootpage FROM sqlite_schema WHERE name = ?').pluck().get(table);
  const pageBytes = Number(database.pragma('page_size', { simple: true }));
  database.close();
  if (typeof root !== 'number') throw new Error(`there is no ${table}`);
  const handle = openSync(path, 'r+');
  writeSync(handle, Buffer.alloc(pageBytes, 0xa5), 0, pageBytes, (root - 1) * pageBytes);
  closeSync(handle);
  return copy;
}

describe('a data directory', () => {
  test.each([
    ['flash.sqlite', 'page'],
    ['amqp.sqlite', 'message'],
    ['amqp.sqlite', 'queue'],
    ['backend.sqlite', 'outbox'],
    ['backend.sqlite', 'boxes'],
    ['backend.sqlite', 'vehicles'],
  ])(
    'whose %s has a damaged page of "%s" ends the start with one line: which file, and what to do',
    async (file, table) => {
      const data = damaged(file, table);
      const failure = await start({ data }).then(
        (running) => running.stop().then(() => 'it has started'),
        (error: unknown) => error,
      );
      expect(failure).toMatchObject({ name: 'Failure', exitCode: 2 });
      expect(String(failure)).toContain(join(data, file));
      expect(String(failure)).toMatch(/start over with --fresh\.$/);
      expect(String(failure)).not.toContain('\n');
    },
    60_000,
  );

  test('that is open to other users still protects its databases, even those that were readable by all', async () => {
    const data = join(place, 'open-to-all');
    mkdirSync(data);
    chmodSync(data, 0o777);
    const modes = () =>
      Object.fromEntries(
        readdirSync(data)
          .filter((name) => name.includes('.sqlite'))
          .map((name) => [name, (statSync(join(data, name)).mode & 0o777).toString(8)]),
      );
    const before = process.umask(0);
    try {
      const first = await start({ vehicles: 1, data });
      const files = ['backend.sqlite', 'flash.sqlite', 'amqp.sqlite'].flatMap((name) => [
        name,
        `${name}-wal`,
      ]);
      // The store has a connection for reading too, and locks the file by another one.
      files.push('backend.sqlite-shm', 'backend.sqlite.lock');
      expect(modes()).toEqual(Object.fromEntries(files.map((name) => [name, '600'])));
      await first.stop();
      for (const name of readdirSync(data)) if (name.includes('.sqlite')) chmodSync(join(data, name), 0o644);
      const second = await start({ data });
      expect(new Set(Object.values(modes()))).toEqual(new Set(['600']));
      await second.stop();
    } finally {
      process.umask(before);
    }
  });
});

describe('a data directory whose files are deleted while the service runs', () => {
  let running: Running;
  beforeAll(async () => {
    running = await start({ vehicles: 1, data: join(place, 'deleted') });
  });
  afterAll(() => running.stop());

  test('is detected: the service reports it and is degraded', async () => {
    const ready = async () =>
      (await (await fetch(`${running.baseUrl}/health/ready`)).json()) as {
        status: string;
        checks: { name: string; status: string }[];
      };
    await waitUntil(async () => (await ready()).status === 'ready', 20_000);
    rmSync(join(place, 'deleted', 'backend.sqlite'));
    await waitUntil(async () => (await ready()).status === 'degraded', 20_000);
    expect((await ready()).checks.filter(({ status }) => status !== 'ok').map(({ name }) => name)).toEqual([
      'files',
    ]);
  });
});
