import { execFileSync } from 'node:child_process';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { INPUT_FILES } from '../../../../deployment/input/input-kinds.ts';
import { readLinkFiles, withLinkFilesFrom } from '../../../../deployment/input/scenario-link-files.ts';
import type { ScenarioDocument } from '../../../../scenarios/language/document/problem.ts';
import { readDocument } from '../../../../scenarios/language/document/read.ts';
import { readSource } from '../../../../scenarios/language/document/yaml-source.ts';

describe('a scenario that is written to another folder', () => {
  const root = mkdtempSync(join(tmpdir(), 'boxtwin-moved-'));
  const file = join(root, 'roads', 'a.yaml');
  for (const folder of ['roads/links', 'out']) mkdirSync(join(root, folder), { recursive: true });
  writeFileSync(join(root, 'roads', 'links', 'a.mahi'), '1\n2\n');
  writeFileSync(join(root, 'roads', 'a.csv'), 'time,lat,lon\n');
  afterAll(() => rmSync(root, { recursive: true, force: true }));
  const documentOf = (link: string, drive: string) => ({
    name: 'a',
    fleet: [{ count: 1 }, { recorded_drive: drive }],
    steps: [
      { at: '1s', park: {} },
      { weather: { trace: { file: link, direction: 'up' } }, for: '1m' },
    ],
  });
  const document = documentOf('links/a.mahi', 'a.csv');

  test('names the same files from a folder from which it can', () => {
    expect(withLinkFilesFrom(document, file, join(root, 'roads', 'a.found.yaml'))).toEqual(document);
    expect(withLinkFilesFrom(document, file, join(root, 'found.yaml'))).toEqual(
      documentOf(join('roads', 'links', 'a.mahi'), join('roads', 'a.csv')),
    );
  });

  test('gets copies of them elsewhere, since a scenario names files of its own folder alone', () => {
    writeFileSync(join(root, 'out', 'a.csv'), 'another file');
    const moved = withLinkFilesFrom(document, file, join(root, 'out', 'found.yaml'));
    expect(moved).toEqual(documentOf('a.mahi', 'a-2.csv'));
    expect(readFileSync(join(root, 'out', 'a.csv'), 'utf8')).toBe('another file');
    expect(readFileSync(join(root, 'out', 'a-2.csv'), 'utf8')).toBe('time,lat,lon\n');
    // Once is enough.
    expect(withLinkFilesFrom(document, file, join(root, 'out', 'found.yaml'))).toEqual(moved);
  });

  test('leaves a pipe and links alone that have the name of a copy', () => {
    const folder = join(root, 'other');
    mkdirSync(folder);
    execFileSync('mkfifo', [join(folder, 'a.mahi')]);
    symlinkSync(join(root, 'nowhere'), join(folder, 'a.csv'));
    symlinkSync(join(root, 'roads', 'a.csv'), join(folder, 'a-2.csv'));
    expect(withLinkFilesFrom(document, file, join(folder, 'found.yaml'))).toEqual(
      documentOf('a-2.mahi', 'a-3.csv'),
    );
    expect(existsSync(join(root, 'nowhere'))).toBe(false);
    expect(lstatSync(join(folder, 'a-3.csv')).isFile()).toBe(true);
  });

  test.each([
    [
      'a link that leads outside its folder',
      (path: string) => symlinkSync('/etc/passwd', path),
      /is outside/,
    ],
    ['a pipe', (path: string) => execFileSync('mkfifo', [path]), /is a pipe, not a regular file/],
    [
      'a file that is larger than any drive',
      (path: string) => {
        writeFileSync(path, '');
        truncateSync(path, INPUT_FILES.drive.mostBytes + 1);
      },
      /has \d+ bytes; at most/,
    ],
  ])('is not written where a file has become %s since it was read', (_what, replace, reason) => {
    const drive = join(root, 'roads', 'replaced.csv');
    rmSync(drive, { force: true });
    replace(drive);
    const written = documentOf('links/a.mahi', 'replaced.csv');
    expect(() => withLinkFilesFrom(written, file, join(root, 'out', 'found.yaml'))).toThrow(reason);
    expect(existsSync(join(root, 'out', 'replaced.csv'))).toBe(false);
  });
});

describe('a recorded drive whose columns have names of their own', () => {
  const folder = mkdtempSync(join(tmpdir(), 'boxtwin-drive-'));
  const file = join(folder, 'mapped.yaml');
  const rows = Array.from({ length: 30 }, (_, s) => `${s * 1_000},${52.5 + s * 0.0001},13.4`);
  writeFileSync(join(folder, 'log.csv'), ['Zeit,Breite,Laenge', ...rows].join('\n'));
  writeFileSync(
    join(folder, 'log.gpx'),
    `<gpx>${rows.map((row) => `<trkpt lat="${row.split(',')[1]}" lon="13.4"/>`).join('')}</gpx>`,
  );
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const COLUMNS = '{ time: { column: Zeit, unit: ms }, latitude: Breite, longitude: Laenge }';
  const withGroups = (...groups: readonly string[]) =>
    `name: mapped\nabout: A drive.\nfleet:\n${groups.map((group) => `  - ${group}\n`).join('')}steps:\n  - { at: 1s, drive: {} }\n`;
  const problemsOf = (text: string): readonly string[] => {
    const source = readSource(text, file);
    if (!source.ok) throw new Error('It is no YAML.');
    const checked = readDocument(source.value as ScenarioDocument);
    if (!checked.ok) return checked.faults.map(({ message }) => message);
    return readLinkFiles(checked.scenario, source.value as ScenarioDocument, text, file).faults.map(
      ({ message }) => message,
    );
  };

  test.each([
    ['is read by drive_columns', [`{ recorded_drive: log.csv, drive_columns: ${COLUMNS} }`], []],
    [
      'takes a format of its times, which has to be one',
      [`{ recorded_drive: log.csv, drive_columns: ${COLUMNS.replace('unit: ms', "format: 'DD HH'")} }`],
      [/DD\/MM\/YYYY HH:mm:ss/],
    ],
    [
      'is refused where its times have another format',
      [`{ recorded_drive: log.csv, drive_columns: ${COLUMNS.replace('unit: ms', "format: 'HH:mm:ss'")} }`],
      [/line 2, has a time that cannot be read/],
    ],
    [
      'says without them how they are named',
      ['{ recorded_drive: log.csv }'],
      [/with drive_columns in a scenario/],
    ],
    [
      'is told a column that is not there',
      [`{ recorded_drive: log.csv, drive_columns: ${COLUMNS.replace('Breite', 'B')} }`],
      [/has no column B of the mapping/],
    ],
    [
      'takes none where the file is no table',
      [`{ recorded_drive: log.gpx, drive_columns: ${COLUMNS} }`],
      [/log\.gpx is no CSV file/],
    ],
    ['has to be named for them', [`{ drive_columns: ${COLUMNS} }`], [/the group replays none/]],
    [
      'is read in one way',
      [`{ recorded_drive: log.csv, drive_columns: ${COLUMNS} }`, '{ recorded_drive: log.csv }'],
      [/Another group replays log\.csv by other columns/],
    ],
  ])('%s', (_, groups, problems) => {
    const found = problemsOf(withGroups(...groups));
    expect(found).toHaveLength(problems.length);
    for (const [index, pattern] of problems.entries()) expect(found[index]).toMatch(pattern);
  });
});
