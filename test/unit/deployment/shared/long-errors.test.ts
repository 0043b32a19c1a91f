import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { readScenarioFiles } from '../../../../cli/commands/scenario/scenario-files.ts';
import { readSettingsFile } from '../../../../cli/settings/settings-file.ts';
import { readRouteFile } from '../../../../deployment/demo/demo-plans.ts';
import { readDriveFiles } from '../../../../deployment/input/drive-files.ts';
import { loadModels } from '../../../../deployment/models/model-directory.ts';
import { CommandError } from '../../../../deployment/shared/command-error.ts';
import { printProblem } from '../../../../scenarios/language/document/problem.ts';
import { readScenario } from '../../../../scenarios/language/document/read.ts';

describe('an error about a broken file is short, however much the file has', () => {
  const folder = mkdtempSync(join(tmpdir(), 'boxtwin-long-errors-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const file = (name: string, text: string): string => {
    const path = join(folder, name);
    writeFileSync(path, text);
    return path;
  };
  const name = 'x'.repeat(8_000_000);
  const open = '<a>\n'.repeat(1_000_000);
  const wide = 'x'.repeat(60_000);

  test.each<readonly [string, () => unknown]>([
    ['drive', () => readDriveFiles({ files: [file('a.gpx', `<gpx></${name}>`)], columnsFile: undefined })],
    ['route', () => readRouteFile(file('b.gpx', open))],
    [
      'table',
      () => readDriveFiles({ files: [file('c.csv', `time,lat,lon\n${wide},1,"2`)], columnsFile: undefined }),
    ],
    ['settings file', () => readSettingsFile(file('d.yaml', `a: *${wide}`), '--config')],
    ['model', () => loadModels(file('e.yaml', `{ name: a, ${wide}: ${wide} }`))],
    ['scenario', () => readScenarioFiles([file('f.yaml', `{ name: a, ${wide}: ${wide} }`)])],
    [
      'link that is played',
      () => {
        file('g.trace', wide);
        const weather = '{ trace: { file: g.trace } }';
        return readScenarioFiles([
          file('g.yaml', `name: a\nabout: b\nsteps: [{ at: 1s, weather: ${weather}, for: 1s }]\n`),
        ]);
      },
    ],
  ])('a %s', async (_, read) => {
    const error = await Promise.resolve()
      .then(read)
      .then(
        () => undefined,
        (reason: unknown) => reason,
      );
    expect(error).toBeInstanceOf(CommandError);
    if (error instanceof Error) expect(error.message.length).toBeLessThan(6_000);
  });

  test('of a scenario, wherever it is shown', () => {
    const reading = readScenario(`{ name: a, ${wide}: *${wide} }`, 'a.yaml');
    const other = readScenario(`{ name: a, ${wide}: 1 }`, 'a.yaml');
    for (const { ok, ...read } of [reading, other]) {
      expect(ok).toBe(false);
      const problems = 'problems' in read ? read.problems : [];
      expect(problems.length).toBeGreaterThan(0);
      for (const { message, hint = '' } of problems) expect(message.length + hint.length).toBeLessThan(2_010);
    }
  });

  test('says how much it leaves out, and keeps short lines as they are', () => {
    const { message } = new CommandError(`first\n${'y'.repeat(5_000)}\n${'z\n'.repeat(20_000)}`);
    expect(message.split('\n').slice(0, 2)).toEqual(['first', `${'y'.repeat(1_000)}...`]);
    expect(message).toMatch(/\n\(25007 more characters\)$/);
  });

  test('shows a long line around the place of a problem, with the caret below it', () => {
    const text = `name: long\n${'a'.repeat(900)}B${'c'.repeat(900)}`;
    const printed = printProblem({ file: 'f', line: 2, column: 901, message: 'no' }, text).split('\n');
    expect(printed[1]).toBe(`  ...${'a'.repeat(120)}B${'c'.repeat(79)}...`);
    expect(printed[2]?.indexOf('^')).toBe(printed[1]?.indexOf('B'));
  });
});
