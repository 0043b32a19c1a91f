import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));

test('the suite of the car-sharing back end passes as its users run it', async () => {
  const place = mkdtempSync(join(tmpdir(), 'boxtwin-suite-'));
  try {
    cpSync(join(root, 'examples'), join(place, 'examples'), { recursive: true });
    symlinkSync(join(root, 'node_modules'), join(place, 'node_modules'));
    const source = JSON.stringify(join(root, 'cli/library/vitest.ts'));
    writeFileSync(
      join(place, 'vitest.config.ts'),
      `export default { resolve: { alias: { 'boxtwin/vitest': ${source} } }, server: { fs: { strict: false } } };\n`,
    );
    const env = Object.fromEntries(
      Object.entries(process.env).filter(([name]) => !/^VITEST|^NODE_ENV/.test(name)),
    );
    const report = join(place, 'report.json');
    const vitest = join(root, 'node_modules/vitest/vitest.mjs');
    await run(process.execPath, [vitest, 'run', '--reporter=json', `--outputFile=${report}`, 'examples'], {
      cwd: place,
      env,
    });
    expect(JSON.parse(readFileSync(report, 'utf8'))).toMatchObject({ success: true, numFailedTests: 0 });
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}, 120_000);
