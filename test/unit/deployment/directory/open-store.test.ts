import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { StoreFailed, StoreTooNew } from '../../../../backend/store/port/store.ts';
import { openStore, refuseStoreOptions } from '../../../../deployment/directory/open-store.ts';
import { asUserError } from '../../../../deployment/shared/user-errors.ts';
import { realIds } from '../../../../world/ids/real-ids.ts';
import { seededRandom } from '../../../../world/random/seeded-random.ts';
import { realTime } from '../../../../world/time/real-time.ts';

const STORE = 'postgres://ann:secret@db.invalid/fleet';
const place = mkdtempSync(join(tmpdir(), 'boxtwin-test-'));
afterAll(() => rmSync(place, { recursive: true, force: true }));

describe('options of a store that do not go together', () => {
  test('are refused with what to do, without the password', () => {
    expect(() => refuseStoreOptions({ storeCa: 'ca.pem' })).toThrow('Give its URL with --store');
    const fresh = () => refuseStoreOptions({ store: STORE, isFresh: true });
    expect(fresh).toThrow('Drop the database and create it again');
    expect(fresh).not.toThrow('secret');
  });

  test('are all others accepted', () => {
    for (const options of [{}, { isFresh: true }, { store: STORE }, { store: STORE, storeCa: 'ca.pem' }])
      expect(() => refuseStoreOptions(options)).not.toThrow();
  });
});

const time = realTime();
const world = { time, ids: realIds(time), random: seededRandom(1) };
const directory = {
  storePath: join(place, 'backend.sqlite'),
  identity: {
    format: 1,
    seed: 1,
    fleet_id: 'OWNFLT',
    client_id: 'demo',
    client_secret: 'secret',
    mqtt_password: 'password',
    signing_key: {},
  } as const,
};

describe('a store', () => {
  test('without a URL is the file of the data directory, for one process alone', async () => {
    const opened = await openStore({}, directory, world);
    expect(opened.shared).toBeUndefined();
    await opened.store.access.saveFleet({ id: 'OWNFLT', name: 'Fleet' });
    await opened.close();
  });

  test('whose authority cannot be read is refused by the name of its option', async () => {
    const options = { store: STORE, storeCa: join(place, 'missing.pem') };
    await expect(openStore(options, directory, world)).rejects.toThrow(
      /missing\.pem \(--store-ca\) does not exist/,
    );
  });
});

test('the errors of a database come without the advice for files', () => {
  expect(asUserError(new StoreFailed('It is away.'), STORE)).toMatchObject({
    message: 'It is away.',
    exitCode: 2,
  });
  expect(asUserError(new StoreTooNew('It is newer. Use that.'), STORE)).toMatchObject({
    message: 'It is newer. Use that.',
    exitCode: 2,
  });
  expect(asUserError(new StoreFailed('It is full.'))).toMatchObject({
    message: expect.stringContaining('repair the file') as string,
  });
});
