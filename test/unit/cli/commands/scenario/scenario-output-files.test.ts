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
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import {
  refuseSameFiles,
  refuseUnwritable,
  tellWritten,
  writeText,
} from '../../../../../cli/commands/scenario/scenario-output-files.ts';

let folder: string;
const at = (name: string): string => join(folder, name);

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'boxtwin-places-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('no input file is overwritten, by whatever name, and no output file written twice', () => {
  writeFileSync(at('a.yaml'), '');
  symlinkSync(at('a.yaml'), at('b.yaml'));
  expect(() => refuseSameFiles([at('./x/../a.yaml')], [at('a.yaml')])).toThrow(/would be written over/);
  expect(() => refuseSameFiles([at('b.yaml')], [at('a.yaml')])).toThrow(/would be written over/);
  expect(() => refuseSameFiles([at('r.html'), at('r.html')], [])).toThrow(/Two things/);
  expect(() => refuseSameFiles([at('r.html'), at('r.xml')], [at('a.yaml')])).not.toThrow();
});

test('an output path is checked before the run: its folders are created, and no file is changed', () => {
  writeFileSync(at('old'), 'text');
  refuseUnwritable(at('old'));
  refuseUnwritable(at('new/folder/file'));
  expect(readFileSync(at('old'), 'utf8')).toBe('text');
  expect([existsSync(at('new/folder')), existsSync(at('new/folder/file'))]).toEqual([true, false]);
  expect(() => refuseUnwritable(at('old/file'))).toThrow(/old\/file cannot be written: .*Give another place/);
  mkdirSync(at('folder'));
  expect(() => refuseUnwritable(at('folder'))).toThrow(/folder cannot be written/);
  expect(() => writeText(at('folder'), '')).toThrow(expect.objectContaining({ exitCode: 2 }));
});

test('one line on stderr names the written files, unless the command is quiet', () => {
  const stderr = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  tellWritten(['a.html', 'b.xml', 't.ndjson'], false);
  tellWritten([], false);
  tellWritten(['a.html'], true);
  expect(stderr.mock.calls.map(([text]) => text)).toEqual([
    'boxtwin: written to a.html, b.xml and t.ndjson\n',
  ]);
  stderr.mockRestore();
});
