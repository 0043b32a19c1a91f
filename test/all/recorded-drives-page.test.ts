import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readDriveFiles } from '../../deployment/input/drive-files.ts';
import { DRIVE_COLUMNS } from '../../simulator/recorded-drives/columns.ts';
import { commandsOf, outputDifference, runPageCommands } from '../support/docs/page-commands.ts';
import { fileOnPage } from '../support/docs/page-files.ts';
import { bashShell, withService } from '../support/run/external-services.ts';
import { PROGRAM } from '../support/run/product.ts';

const PAGE = 'docs/recorded-drives.md';
const page = readFileSync(new URL(`../../${PAGE}`, import.meta.url), 'utf8');

await withService(bashShell, ({ bash }) => {
  test(`the commands of ${PAGE} print what the page shows`, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'boxtwin-drives-page-'));
    try {
      const steps = commandsOf(page);
      expect(steps).toHaveLength(1);
      // The reader's npx finds the package; here it is this checkout.
      const npx = `npx() { shift; '${process.execPath}' '${PROGRAM}' "$@"; }`;
      const first = { name: 'npx', command: npx, answer: undefined };
      const outputs = await runPageCommands(bash, [first, ...steps], { folder, deadlineMs: 60_000 });
      for (const [index, { answer }] of steps.entries()) {
        expect(answer).toBeDefined();
        const output = outputs[index + 1] ?? '';
        if (answer !== undefined) expect(outputDifference(answer, output), output).toBeUndefined();
      }
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

describe(PAGE, () => {
  test('has a mapping file by which its columns are read', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'boxtwin-drives-page-'));
    try {
      const [columnsFile, drive] = [join(folder, 'columns.yaml'), join(folder, 'log.csv')];
      writeFileSync(columnsFile, fileOnPage(PAGE, 'columns.yaml'));
      const rows = Array.from(
        { length: 30 },
        (_, second) => `${second * 1_000},${52 + second / 9_000},13,12`,
      );
      writeFileSync(drive, ['Zeit,Breite,Laenge,v', ...rows].join('\n'));
      const { routes } = await readDriveFiles({ files: [drive], columnsFile });
      expect(routes[0]?.drive?.durationS).toBe(29);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  test('names every quantity that a column can hold', () => {
    for (const name of Object.keys(DRIVE_COLUMNS))
      expect(page).toMatch(new RegExp(`^\\|.*\\b${name}\\b.*\\|`, 'm'));
  });
});
