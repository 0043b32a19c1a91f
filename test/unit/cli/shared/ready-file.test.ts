import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  READY_FILE,
  readReadyFile,
  removeReadyFile,
  writeReadyFile,
} from '../../../../cli/shared/ready-file.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'boxtwin-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const lineOf = (port: number): string =>
  JSON.stringify({ base_url: `http://127.0.0.1:${port}`, client_id: 'c', client_secret: 's' });

test('of two backends on one data directory the one that ends leaves the address of the other', () => {
  writeReadyFile(folder, lineOf(8080));
  writeReadyFile(folder, lineOf(8081));
  removeReadyFile(folder, lineOf(8080));
  expect(readReadyFile(folder)?.base_url).toBe('http://127.0.0.1:8081');
  removeReadyFile(folder, lineOf(8081));
  expect(existsSync(join(folder, READY_FILE))).toBe(false);
});

test('nothing is wrong where there is no such file any more', () => {
  removeReadyFile(folder, lineOf(8080));
  expect(readReadyFile(folder)).toBeUndefined();
});
