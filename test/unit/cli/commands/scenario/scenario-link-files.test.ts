import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import {
  readLinkFiles,
  withLinkFilesFrom,
} from '../../../../../cli/commands/scenario/scenario-link-files.ts';
import type { ScenarioDocument } from '../../../../../scenarios/language/document/problem.ts';
import { readDocument } from '../../../../../scenarios/language/document/read.ts';
import { readSource } from '../../../../../scenarios/language/document/yaml-source.ts';

test('a scenario written to another folder refers to the same files from there', () => {
  const park = { at: '1s', park: {} };
  const trace = (file: string) => ({ weather: { trace: { file, direction: 'up' } }, for: '1m' });
  const document = {
    name: 'a',
    steps: [park, trace('links/a.mahi'), { weather: { trace: { link: 'train' } } }],
  };
  const from = (other: string) => withLinkFilesFrom(document, 'roads/a.yaml', other)['steps'];
  expect(from('roads/a.found.yaml')).toEqual(document.steps);
  expect(from('out/found.yaml')).toEqual(document.steps.with(1, trace('../roads/links/a.mahi')));
});

test('a scenario written to another folder names the same recorded drives from there', () => {
  const fleet = (drive: string) => [{ count: 1 }, { recorded_drive: drive }];
  const document = { name: 'a', fleet: fleet('drives/a.csv'), steps: [{ at: '1s', park: {} }] };
  expect(withLinkFilesFrom(document, 'roads/a.yaml', 'out/found.yaml')['fleet']).toEqual(
    fleet('../roads/drives/a.csv'),
  );
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
