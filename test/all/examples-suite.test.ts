import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { z } from 'zod';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));
const outcome = z.looseObject({
  success: z.boolean(),
  testResults: z.array(
    z.looseObject({
      assertionResults: z.array(
        z.looseObject({ title: z.string(), status: z.string(), failureMessages: z.array(z.string()) }),
      ),
    }),
  ),
});

test('the suite of the car-sharing back end passes as its users run it', async () => {
  const place = mkdtempSync(join(tmpdir(), 'boxtwin-suite-'));
  try {
    cpSync(join(root, 'examples'), join(place, 'examples'), { recursive: true });
    symlinkSync(join(root, 'node_modules'), join(place, 'node_modules'));
    const source = JSON.stringify(join(root, 'library/vitest.ts'));
    writeFileSync(
      join(place, 'vitest.config.ts'),
      `export default { resolve: { alias: { 'boxtwin/vitest': ${source} } }, server: { fs: { strict: false } } };\n`,
    );
    const env = Object.fromEntries(
      Object.entries(process.env).filter(([name]) => !/^VITEST|^NODE_ENV/.test(name)),
    );
    const report = join(place, 'report.json');
    const vitest = join(root, 'node_modules/vitest/vitest.mjs');
    // The report says which test failed, and why.
    await run(process.execPath, [vitest, 'run', '--reporter=json', `--outputFile=${report}`, 'examples'], {
      cwd: place,
      env,
    }).catch(() => undefined);
    const { success, testResults } = outcome.parse(JSON.parse(readFileSync(report, 'utf8')));
    const failed = testResults.flatMap(({ assertionResults }) =>
      assertionResults.filter(({ status }) => status === 'failed'),
    );
    expect(failed.map(({ title, failureMessages }) => [title, failureMessages[0]])).toEqual([]);
    expect(success).toBe(true);
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
});
