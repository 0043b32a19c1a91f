import { existsSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  consolesOf,
  fleetFileOf,
  READY_FILE,
  readReadyFile,
  removeAddressFile,
  simulatorsOf,
  writeAddressFile,
} from '../../../../deployment/directory/address-files.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'boxtwin-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const lineOf = (port: number): string =>
  JSON.stringify({ base_url: `http://127.0.0.1:${port}`, client_id: 'c', client_secret: 's' });

test('of two backends on one data directory the one that ends leaves the address of the other', async () => {
  writeAddressFile(folder, READY_FILE, lineOf(8080));
  writeAddressFile(folder, READY_FILE, lineOf(8081));
  removeAddressFile(folder, READY_FILE, lineOf(8080));
  expect((await readReadyFile(folder))?.base_url).toBe('http://127.0.0.1:8081');
  removeAddressFile(folder, READY_FILE, lineOf(8081));
  expect(existsSync(join(folder, READY_FILE))).toBe(false);
});

test('nothing is wrong where there is no such file any more', async () => {
  removeAddressFile(folder, READY_FILE, lineOf(8080));
  expect(await readReadyFile(folder)).toBeUndefined();
});

test('the console of a data directory is that of its "up", or of its fleet alone', async () => {
  expect(await consolesOf(folder)).toEqual([]);
  const fleet = { simulator_url: 'http://127.0.0.1:8090', console_url: 'http://127.0.0.1:8100' };
  writeAddressFile(folder, 'fleet.json', JSON.stringify(fleet));
  writeAddressFile(folder, READY_FILE, JSON.stringify({ ...JSON.parse(lineOf(8080)), console_url: null }));
  expect(await consolesOf(folder)).toEqual(['http://127.0.0.1:8100']);
});

describe('the simulators of a data directory', () => {
  const write = (name: string, port: number, writtenS: number) => {
    writeAddressFile(folder, name, JSON.stringify({ simulator_url: `http://127.0.0.1:${port}` }));
    utimesSync(join(folder, name), writtenS, writtenS);
  };
  const ports = async () => (await simulatorsOf(folder)).map((url) => Number(new URL(url).port));

  test('are those of its fleet and of its "up", what was written last first', async () => {
    write('fleet.json', 8091, 1_000);
    writeAddressFile(
      folder,
      READY_FILE,
      JSON.stringify({ ...JSON.parse(lineOf(8080)), simulator_url: 'http://127.0.0.1:8090' }),
    );
    utimesSync(join(folder, READY_FILE), 2_000, 2_000);
    expect(await ports()).toEqual([8090, 8091]);
    write('fleet.json', 8092, 3_000);
    expect(await ports()).toEqual([8092, 8090]);
  });

  test('of a fleet in shards it is that of the first one, which has the SIM providers', async () => {
    write(fleetFileOf({ index: 1, count: 2 }), 8091, 1_000);
    write(fleetFileOf({ index: 2, count: 2 }), 8092, 2_000);
    expect(await ports()).toEqual([8091]);
  });

  test.each(['', '{', '{"simulator_url":"nowhere"}', '[]'])(
    'are none where the file holds %j',
    async (content) => {
      writeFileSync(join(folder, 'fleet.json'), content);
      expect(await simulatorsOf(folder)).toEqual([]);
      expect(await simulatorsOf(join(folder, 'none'))).toEqual([]);
    },
  );
});
