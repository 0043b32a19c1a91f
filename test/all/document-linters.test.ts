import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestService } from '../support/http/test-service.ts';

const run = promisify(execFile);
const { resolve } = createRequire(import.meta.url);
const programOf = (name: string, path: string) => join(dirname(resolve(`${name}/package.json`)), path);

let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'boxtwin-linters-'));
  const stage = await openTestService();
  for (const name of ['openapi', 'asyncapi'])
    writeFileSync(join(folder, `${name}.json`), await (await stage.ask('GET', `/${name}.json`)).text());
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What a linter prints; it exits with 1 where it has findings. */
async function printed(program: string, options: readonly string[]): Promise<string> {
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
  const settings = { cwd: folder, env, maxBuffer: 16 * 1024 * 1024 };
  const { stdout } = await run(process.execPath, [program, ...options], settings).catch(
    (error: { stdout: string }) => error,
  );
  return stdout;
}

test('Redocly finds nothing in /openapi.json', async () => {
  const program = programOf('@redocly/cli', 'bin/cli.js');
  const options = ['lint', 'openapi.json', '--extends', 'recommended', '--format', 'json', '--max-problems'];
  const { problems } = JSON.parse(await printed(program, [...options, '1000'])) as {
    problems: readonly { ruleId: string; severity: string; location: readonly { pointer: string }[] }[];
  };
  const left = problems.map(({ ruleId, location }) => `${ruleId} ${location[0]?.pointer ?? ''}`);
  // The form of the sign-in page is answered with a redirect, and with nothing else.
  expect(left).toEqual(['operation-2xx-response #/paths/~1auth~1oauth~1authorize/post/responses']);
});

test.each(['openapi', 'asyncapi'])('Spectral finds nothing in /%s.json', async (name) => {
  writeFileSync(join(folder, 'rules.yaml'), 'extends: ["spectral:oas", "spectral:asyncapi"]\n');
  const program = programOf('@stoplight/spectral-cli', 'dist/index.js');
  const stdout = await printed(program, [
    'lint',
    `${name}.json`,
    '--ruleset',
    'rules.yaml',
    '--format',
    'json',
  ]);
  const found = (JSON.parse(stdout) as readonly { code: string; path: readonly string[] }[]).map(
    ({ code, path: at }) => `${code} ${at.join('.')}`,
  );
  // There is nobody to name, and the documents keep to the version that the tests hold them against.
  const left = ['info-contact info', 'asyncapi-info-contact info', 'asyncapi-latest-version asyncapi'];
  expect(found.filter((one) => !left.includes(one))).toEqual([]);
  expect(found.length).toBeGreaterThan(0);
});
