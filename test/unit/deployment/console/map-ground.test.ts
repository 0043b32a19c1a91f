import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { readMapGround } from '../../../../deployment/console/map-ground.ts';
import { pmtilesOf } from '../../../support/console/pmtiles-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'boxtwin-map-'));
afterAll(() => rmSync(folder, { recursive: true }));

describe('--map', () => {
  test('takes a PMTiles file, of which parts are read', async () => {
    const path = join(folder, 'world.pmtiles');
    const content = pmtilesOf('water');
    writeFileSync(path, content);
    const { base, archive } = readMapGround(path) ?? {};
    expect(base).toEqual({ kind: 'archive' });
    expect(archive?.bytes).toBe(content.length);
    expect(new Uint8Array((await archive?.read(3, 10)) ?? [])).toEqual(content.slice(3, 13));
  });

  test('refuses a pipe that is in the place of its file later', async () => {
    const path = join(folder, 'replaced.pmtiles');
    writeFileSync(path, pmtilesOf('water'));
    const { archive } = readMapGround(path) ?? {};
    rmSync(path);
    execFileSync('mkfifo', [path]);
    await expect(archive?.read(3, 10)).rejects.toThrow(/replaced\.pmtiles is a pipe now, not a regular file/);
  });

  test('takes the URL of a style', () => {
    const url = 'https://tiles.example/style.json';
    expect(readMapGround(url)).toEqual({ base: { kind: 'style', url } });
  });

  test('is none where it is not given', () => {
    expect(readMapGround(undefined)).toBeUndefined();
  });

  test.each([
    [
      'a file that is not there',
      () => join(folder, 'none.pmtiles'),
      /none\.pmtiles \(--map\) does not exist/,
    ],
    ['a folder', () => folder, /a directory, not a regular file/],
    [
      'another file',
      () => {
        const path = join(folder, 'other.pmtiles');
        writeFileSync(path, 'GIF89a');
        return path;
      },
      /no PMTiles file of version 3/,
    ],
    ['an archive elsewhere', () => 'https://tiles.example/world.pmtiles', /Download it/],
  ])('refuses %s, and says what it takes', (_name, given, reason) => {
    expect(() => readMapGround(given())).toThrow(reason);
  });
});
