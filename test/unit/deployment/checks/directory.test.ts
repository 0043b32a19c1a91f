import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openSqliteStore } from '../../../../backend/store/sqlite/store.ts';
import { directoryFacts, nearestFolder } from '../../../../deployment/checks/directory-facts.ts';
import { type DirectoryFacts, judgeDirectory } from '../../../../deployment/checks/directory-judge.ts';
import { diskSpaceFacts, diskSpeedFacts } from '../../../../deployment/checks/machine-facts.ts';

let place: string;
beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), 'boxtwin-'));
});
afterEach(() => rmSync(place, { recursive: true, force: true }));

describe('the facts of a data directory', () => {
  test('that is not there are those of the innermost folder around it', () => {
    const data = join(place, 'to', 'be', 'made');
    expect(nearestFolder(data)).toBe(place);
    expect(directoryFacts(data)).toMatchObject({ isThere: false, isFile: false, writable: 'yes' });
    mkdirSync(join(place, 'to'));
    expect(nearestFolder(data)).toBe(join(place, 'to'));
  });

  test('below a file name the folder, and a file in its place is told', () => {
    const file = join(place, 'file');
    writeFileSync(file, '');
    expect(directoryFacts(file)).toMatchObject({ isThere: false, isFile: true });
  });

  test('with a store are its version, without anything being left beside it', async () => {
    await openSqliteStore(join(place, 'backend.sqlite')).close();
    const before = readdirSync(place);
    const { store } = directoryFacts(place);
    expect(store).toMatchObject({ isInUse: false });
    expect(typeof store === 'object' && store.version === store.knownVersion && store.version > 0).toBe(true);
    expect(readdirSync(place)).toEqual(before);
  });

  test('with a store that a crash left are those of its log too', async () => {
    const alive = openSqliteStore(join(place, 'backend.sqlite'));
    const copy = mkdtempSync(join(tmpdir(), 'boxtwin-'));
    for (const name of ['backend.sqlite', 'backend.sqlite-wal'])
      copyFileSync(join(place, name), join(copy, name));
    await alive.close();
    const { store } = directoryFacts(copy);
    rmSync(copy, { recursive: true, force: true });
    expect(typeof store === 'object' && store.version === store.knownVersion && store.version > 0).toBe(true);
  });

  test('with something else in place of the store are why it cannot be read', () => {
    writeFileSync(
      join(place, 'backend.sqlite'),
      'no database, and long enough to be looked at as one'.repeat(9),
    );
    const { store } = directoryFacts(place);
    expect(store).toMatch(/backend\.sqlite cannot be read: file is not a database\.$/);
  });
});

test('the speed of a disk is that of commits, of which nothing is left', async () => {
  const { path, commitsMs } = await diskSpeedFacts(join(place, 'later'));
  expect(path).toBe(place);
  expect(commitsMs.length).toBeGreaterThan(0);
  expect(commitsMs.every((ms) => ms > 0)).toBe(true);
  expect(readdirSync(place)).toEqual([]);
  expect(diskSpaceFacts(join(place, 'later')).freeBytes).toBeGreaterThan(0);
});

describe('a data directory', () => {
  const store = { isInUse: false, version: 22, knownVersion: 22 };
  const facts: DirectoryFacts = {
    path: '/data',
    isThere: true,
    isFile: false,
    writable: 'yes',
    identity: undefined,
    store,
  };
  test.each<[string, Partial<DirectoryFacts>, string, RegExp]>([
    ['that is there', {}, 'ok', /schema version 22\.$/],
    ['that is to be made', { isThere: false, store: undefined }, 'ok', /will be made/],
    ['without a fleet', { store: undefined }, 'ok', /without a fleet/],
    ['of an older version', { store: { ...store, version: 20 } }, 'ok', /next start raises to 22/],
    ['of a newer version', { store: { ...store, version: 23 } }, 'failed', /version 23; .* up to 22/],
    ['in use', { store: { ...store, isInUse: true } }, 'warning', /in use by another process/],
    ['with a damaged store', { store: 'It is torn.' }, 'failed', /It is torn/],
    ['with a damaged identity', { identity: 'Mend it.' }, 'failed', /cannot be used/],
    ['that is not writable', { writable: '/' }, 'failed', /may not write into \/\./],
    ['that is a file', { isFile: true, isThere: false }, 'failed', /no directory/],
  ])('%s is judged', (_, change, verdict, text) => {
    const judgement = judgeDirectory({ ...facts, ...change });
    expect(judgement.verdict).toBe(verdict);
    expect(judgement.text).toMatch(text);
    expect(judgement.remedy === undefined).toBe(verdict === 'ok');
  });
});
