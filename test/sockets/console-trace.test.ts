import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runCommand, startPart } from '../support/sockets/up-process.ts';

describe('boxtwin replay, formerly console', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'boxtwin-console-trace-'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const fileOf = (header: string): string => {
    const file = join(folder, 'trace.ndjson');
    writeFileSync(file, `${header}\n{"kind":"begin","at_ms":0}\n`);
    return file;
  };

  test.each([
    ['no blanks', '{"kind":"header","format":"boxtwin-trace/1"}'],
    ['a blank behind each mark', '{ "kind": "header", "format": "boxtwin-trace/1" }'],
    ['blanks and tabs anywhere', '  {\t"kind" :  "header" , "format":"boxtwin-trace/1"}'],
  ])('shows a trace whose header line has %s', async (_, header) => {
    const part = await startPart(['console', fileOf(header), '--port', '0']);
    expect(part.ready).toMatchObject({ ready: true, console_url: expect.stringContaining('http://') });
    await part.end('SIGTERM');
  });

  test.each(['replay', 'console'])('names itself as it was typed: %s', async (name) => {
    const { output } = await runCommand([name, '--help']);
    expect(output).toContain(`Usage: boxtwin ${name} [options] <trace>`);
  });

  test.each(['{"kind":"begin","at_ms":0}', '{"no":"trace"}', ''])(
    'refuses a file that begins with %j',
    async (header) => {
      const { code, errors } = await runCommand(['console', fileOf(header), '--port', '0']);
      expect([code, errors]).toEqual([2, expect.stringContaining('is not a trace')]);
    },
  );
});
