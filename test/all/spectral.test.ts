import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { openTestService } from '../support/http/test-service.ts';

const run = promisify(execFile);
const { resolve } = createRequire(import.meta.url);
const bin = join(dirname(resolve('@stoplight/spectral-cli/package.json')), 'dist/index.js');

test.each(['openapi', 'asyncapi'])('Spectral has nothing to say of /%s.json', async (name) => {
  const folder = mkdtempSync(join(tmpdir(), 'boxtwin-spectral-'));
  try {
    const stage = await openTestService();
    const path = join(folder, `${name}.json`);
    const rules = join(folder, 'rules.yaml');
    writeFileSync(path, await (await stage.ask('GET', `/${name}.json`)).text());
    writeFileSync(rules, 'extends: ["spectral:oas", "spectral:asyncapi"]\n');
    const options = ['lint', path, '--ruleset', rules, '--format', 'json'];
    const { stdout } = await run(process.execPath, [bin, ...options], { maxBuffer: 16 * 1024 * 1024 }).catch(
      (error: { stdout: string }) => error,
    );
    const found = (JSON.parse(stdout) as readonly { code: string; path: readonly string[] }[]).map(
      ({ code, path: at }) => `${code} ${at.join('.')}`,
    );
    // There is nobody to name, and the documents keep to the version that the tests hold them against.
    const left = ['info-contact info', 'asyncapi-info-contact info', 'asyncapi-latest-version asyncapi'];
    expect(found.filter((one) => !left.includes(one))).toEqual([]);
    expect(found.length).toBeGreaterThan(0);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
