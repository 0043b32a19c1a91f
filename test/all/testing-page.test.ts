import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

/** The first TypeScript example of a page in docs/, unchanged. */
function exampleOf(page: string): string {
  const text = readFileSync(new URL(`../../docs/${page}`, import.meta.url), 'utf8');
  const block = /^```ts\n([\s\S]*?)^```$/m.exec(text)?.[1];
  if (block === undefined) throw new Error(`docs/${page} has no TypeScript example.`);
  return block;
}

const run = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));

/**
 * A user's project with the page's example, in which the package is the source of this checkout. That the published
 * package is imported the same way is for .ci/smoke, which runs the same example on it.
 */
function project(): string {
  const place = mkdtempSync(join(tmpdir(), 'boxtwin-example-'));
  symlinkSync(join(root, 'node_modules'), join(place, 'node_modules'));
  writeFileSync(join(place, 'package.json'), '{"type": "module"}');
  writeFileSync(join(place, 'fleet.test.ts'), exampleOf('testing.md'));
  const source = JSON.stringify(join(root, 'library/vitest.ts'));
  writeFileSync(
    join(place, 'vitest.config.ts'),
    `export default { resolve: { alias: { 'boxtwin/vitest': ${source} } }, server: { fs: { strict: false } } };\n`,
  );
  return place;
}

test('the example of docs/testing.md passes unchanged', async () => {
  const place = project();
  try {
    const vitest = join(root, 'node_modules/vitest/vitest.mjs');
    // Without the variables by which the outer run would be taken for this one.
    const env = Object.fromEntries(
      Object.entries(process.env).filter(([name]) => !/^VITEST|^NODE_ENV/.test(name)),
    );
    const report = join(place, 'report.json');
    await run(process.execPath, [vitest, 'run', '--reporter=json', `--outputFile=${report}`], {
      cwd: place,
      env,
    });
    const result: unknown = JSON.parse(readFileSync(report, 'utf8'));
    expect(result).toMatchObject({ success: true, numPassedTests: 4, numFailedTests: 0 });
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
});
