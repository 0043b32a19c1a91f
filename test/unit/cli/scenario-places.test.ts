import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readBounded } from '../../../cli/bounded-text.ts';
import { refuseSamePlaces, tryPlace, writeText } from '../../../cli/scenario-places.ts';

let folder: string;
const at = (name: string): string => join(folder, name);

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'boxtwin-places-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('nothing is written over what is read, by whatever name, nor twice into one file', () => {
  writeFileSync(at('a.yaml'), '');
  symlinkSync(at('a.yaml'), at('b.yaml'));
  expect(() => refuseSamePlaces([at('./x/../a.yaml')], [at('a.yaml')])).toThrow(/would be written over/);
  expect(() => refuseSamePlaces([at('b.yaml')], [at('a.yaml')])).toThrow(/would be written over/);
  expect(() => refuseSamePlaces([at('r.html'), at('r.html')], [])).toThrow(/Two things/);
  expect(() => refuseSamePlaces([at('r.html'), at('r.xml')], [at('a.yaml')])).not.toThrow();
});

test('a place is tried before the run: its folders are made, and neither an old file nor a new one is changed', () => {
  writeFileSync(at('old'), 'text');
  tryPlace(at('old'));
  tryPlace(at('new/folder/file'));
  expect(readFileSync(at('old'), 'utf8')).toBe('text');
  expect([existsSync(at('new/folder')), existsSync(at('new/folder/file'))]).toEqual([true, false]);
  expect(() => tryPlace(at('old/file'))).toThrow(/old\/file cannot be written: .*Give another place/);
  mkdirSync(at('folder'));
  expect(() => tryPlace(at('folder'))).toThrow(/folder cannot be written/);
  expect(() => writeText(at('folder'), '')).toThrow(expect.objectContaining({ exitCode: 2 }));
});

test('a text is read up to its bound, and a longer one is not', () => {
  writeFileSync(at('text'), 'äö€');
  expect(readBounded(at('text'), 3)).toBe('äö€');
  expect(readBounded(at('text'), 2)).toBeUndefined();
  writeFileSync(at('text'), 'x'.repeat(1_000));
  expect(readBounded(at('text'), 999)).toBeUndefined();
  expect(readBounded(at('text'), 1_000)).toHaveLength(1_000);
});
