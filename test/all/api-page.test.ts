import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  assignedNames,
  commandsOf,
  outputDifference,
  runPageCommands,
} from '../support/docs/page-commands.ts';
import { bashShell, withService } from '../support/run/external-services.ts';
import { UpProcess } from '../support/sockets/up-process.ts';

const page = readFileSync(new URL('../../docs/api.md', import.meta.url), 'utf8');
const [addresses, ...steps] = commandsOf(page);

/** What the first block of the page has the reader fill in. */
function ours({ ready }: UpProcess): Readonly<Record<string, string>> {
  return {
    API: ready.base_url,
    SIMULATOR: ready.simulator_url,
    CLIENT_ID: ready.client_id,
    CLIENT_SECRET: ready.client_secret,
    USER_PASSWORD: ready.user_password,
    JSON: 'Content-Type: application/json',
  };
}

test('an answer that differs from the page is detected, with its position', () => {
  const json = (text: string, output: string) => outputDifference({ form: 'json', text }, output);
  expect(json('{"a": ["…"]}', '{"a": ["x"], "b": 1}')).toBeUndefined();
  expect(json('{"a": ["…"]}', '{"a": ["x", "y"]}')).toBe('/a is ["x","y"].');
  expect(json('{"a": {"b": "x…"}}', '{"a": {"b": "y"}}')).toBe('/a/b is "y".');
  expect(json('{"a": 1}', '')).toContain('not JSON');
  const http = (text: string, output: string) => outputDifference({ form: 'http', text }, output);
  expect(http('HTTP/1.1 200 OK\nETag: "…"\n', 'HTTP/1.1 200 OK\r\netag: "1"\r\n\r\n{}')).toBeUndefined();
  expect(http('HTTP/1.1 200 OK\n', 'HTTP/1.1 404 Not Found\r\n\r\n{}')).toContain('404');
  expect(http('HTTP/1.1 200 OK\nETag: "1"\n', 'HTTP/1.1 200 OK\r\n\r\n{}')).toBe('etag: is missing');
  expect(outputDifference({ form: 'text', text: '204\n' }, '404\n')).toContain('404');
});

await withService(bashShell, ({ bash }) => {
  describe('docs/api.md, with a new up', () => {
    let folder: string;
    let outputs: readonly (string | undefined)[] = [];
    let names: readonly string[] = [];

    beforeAll(async () => {
      folder = mkdtempSync(join(tmpdir(), 'boxtwin-page-'));
      const up = await UpProcess.start(['--data', join(folder, 'data'), ...(await UpProcess.ownPorts())]);
      const given = ours(up);
      names = Object.keys(given);
      const command = Object.entries(given).map(([name, value]) => `${name}='${value}'\n`);
      const first = { name: 'the addresses', command: command.join(''), answer: undefined };
      outputs = (await runPageCommands(bash, [first, ...steps], { folder, deadlineMs: 90_000 })).slice(1);
      await up.end('SIGTERM');
    });
    afterAll(() => rmSync(folder, { recursive: true, force: true }));

    test('its first block uses the values of the banner', () => {
      expect(assignedNames(addresses?.command ?? '')).toEqual(names);
    });

    test('every call was made', () => {
      expect(steps.filter((_, index) => outputs[index] === undefined).map(({ name }) => name)).toEqual([]);
      expect(steps.length).toBeGreaterThan(60);
    });

    test.each(steps.map((step, index) => ({ ...step, index })))('$name', ({ answer, command, index }) => {
      const output = outputs[index] ?? '';
      if (answer !== undefined)
        expect(outputDifference(answer, output), `${command}\n${output.slice(0, 2_000)}`).toBeUndefined();
    });
  });
});
