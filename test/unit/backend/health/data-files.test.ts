import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type DataFilesWatch, watchDataFiles } from '../../../../backend/health/data-files.ts';
import { healthLimits } from '../../../../backend/health/limits.ts';
import { type VirtualFiles, virtualFiles } from '../../../../world/virtual-files.ts';
import { openVirtualWorld, type VirtualWorld } from '../../../../world/virtual-world.ts';

const STORE = '/data/backend.sqlite';
const LOG = '/data/backend.sqlite-wal';

describe('the data files of a running service', () => {
  let world: VirtualWorld;
  let files: VirtualFiles;
  let watch: DataFilesWatch;
  beforeEach(async () => {
    world = openVirtualWorld({ seed: 1 });
    files = virtualFiles();
    files.make(STORE);
    watch = watchDataFiles(world.incarnation('backend'), { files, paths: [STORE, LOG] });
    await world.pass(healthLimits.filesLookMs);
  });
  afterEach(() => watch.stop());

  const said = () => world.complaints.map(({ level, fields }) => [level, fields['paths']]);

  test('are there as long as nobody touches them, and what comes later is watched too', async () => {
    files.make(LOG);
    await world.pass(60_000);
    expect(watch.areGone()).toBe(false);
    expect(said()).toEqual([]);
    files.remove(LOG);
    await world.pass(healthLimits.filesLookMs);
    expect(watch.areGone()).toBe(true);
    expect(said()).toEqual([['error', LOG]]);
  });

  test('are missed within seconds where they are deleted or replaced, which is said once', async () => {
    files.make(STORE);
    await world.pass(healthLimits.filesLookMs);
    expect(watch.areGone()).toBe(true);
    await world.pass(3_600_000);
    expect(said()).toEqual([['error', STORE]]);
  });

  test('are well again where the very same are put back', async () => {
    files.move(STORE, '/aside');
    await world.pass(healthLimits.filesLookMs);
    expect(watch.areGone()).toBe(true);
    files.move('/aside', STORE);
    await world.pass(healthLimits.filesLookMs);
    expect(watch.areGone()).toBe(false);
    expect(said()).toEqual([
      ['error', STORE],
      ['warn', undefined],
    ]);
  });

  test('are not taken for gone where it cannot be told', async () => {
    files.identity = () => Promise.reject(new Error('EACCES'));
    await world.pass(60_000);
    expect(watch.areGone()).toBe(false);
  });

  test('are looked at no more after the end', async () => {
    watch.stop();
    files.remove(STORE);
    await world.pass(60_000);
    expect(said()).toEqual([]);
  });
});
