import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { healthLimits } from '../../../../backend/base/limits.ts';
import { type DataFilesWatch, watchDataFiles } from '../../../../backend/monitoring/data-files.ts';
import { openVirtualWorld, type VirtualWorld } from '../../../../world/virtual-world.ts';
import { type VirtualFiles, virtualFiles } from '../../../support/world/virtual-files.ts';

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
    watch = watchDataFiles(world.instance('backend'), { files, paths: [STORE, LOG] });
    await world.runFor(healthLimits.filesLookMs);
  });
  afterEach(() => watch.stop());

  const said = () => world.warnings.map(({ level, fields }) => [level, fields['paths']]);

  test('are present while they are unchanged, and later files are watched too', async () => {
    files.make(LOG);
    await world.runFor(60_000);
    expect(watch.areGone()).toBe(false);
    expect(said()).toEqual([]);
    files.remove(LOG);
    await world.runFor(healthLimits.filesLookMs);
    expect(watch.areGone()).toBe(true);
    expect(said()).toEqual([['error', LOG]]);
  });

  test('are reported as missing within seconds if deleted or replaced, once', async () => {
    files.make(STORE);
    await world.runFor(healthLimits.filesLookMs);
    expect(watch.areGone()).toBe(true);
    await world.runFor(3_600_000);
    expect(said()).toEqual([['error', STORE]]);
  });

  test('are healthy again if the same files are restored', async () => {
    files.move(STORE, '/aside');
    await world.runFor(healthLimits.filesLookMs);
    expect(watch.areGone()).toBe(true);
    files.move('/aside', STORE);
    await world.runFor(healthLimits.filesLookMs);
    expect(watch.areGone()).toBe(false);
    expect(said()).toEqual([
      ['error', STORE],
      ['warn', undefined],
    ]);
  });

  test('are not reported as missing if that cannot be determined', async () => {
    files.identity = () => Promise.reject(new Error('EACCES'));
    await world.runFor(60_000);
    expect(watch.areGone()).toBe(false);
  });

  test('are not checked after the end', async () => {
    watch.stop();
    files.remove(STORE);
    await world.runFor(60_000);
    expect(said()).toEqual([]);
  });
});
