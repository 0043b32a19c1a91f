import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { terminalScript, waitUntil, withService } from '../support/run/external-services.ts';
import { freePort } from '../support/run/free-port.ts';
import { hangUpAll, Terminal } from '../support/sockets/terminal.ts';
import { UpProcess } from '../support/sockets/up-process.ts';

const COLUMNS = 100;
/** The line, behind its spinner. */
const LIVE = /lag \d+ ms/;

let data: string;
beforeEach(() => {
  data = mkdtempSync(join(tmpdir(), 'boxtwin-'));
});
afterEach(async () => {
  await hangUpAll();
  rmSync(data, { recursive: true, force: true });
});

await withService(terminalScript, ({ script }) => {
  describe('at a terminal', () => {
    test.each([
      ['one', 'service and boxes in one process'],
      ['several', 'each in a process of its own'],
    ])(
      'up --processes %s has a line below all else: %s',
      async (processes) => {
        const options = [
          '--vehicles',
          '6',
          '--radio',
          'ideal',
          '--processes',
          processes,
          '--log-level',
          'debug',
        ];
        const own = ['--data', data, ...(await UpProcess.ownPorts())];
        const terminal = new Terminal(script, COLUMNS, ['up', ...options, ...own]);
        const last = () => terminal.rows().at(-1) ?? '';
        await waitUntil(
          () => /^\S boxes 9\/9 ready {2}frames [\d.,]+\/s .*outbox \d+ {2}memory \d+ MB/.test(last()),
          60_000,
        );
        // It stands there once, and nothing has been written into it.
        expect(terminal.rows().filter((row) => LIVE.test(row))).toEqual([last()]);
        expect(await terminal.interrupt()).toBe(0);

        const shown = terminal.rows();
        expect(shown.filter((row) => LIVE.test(row))).toEqual([]);
        expect(shown.filter((row) => row !== '').at(-1)).toBe('boxtwin: ending');
        const lines = terminal.lastRows().filter((row) => LIVE.test(row) && !row.endsWith('^C'));
        expect(lines.some((row) => row.includes('▕'))).toBe(true);
        expect(Math.max(...lines.map((row) => row.length))).toBeLessThan(COLUMNS);
        // The log, each line whole, and the banner.
        expect(shown.some((row) => row.startsWith('info: connected to the MQTT broker'))).toBe(true);
        expect(shown.filter((row) => row.includes('"level"'))).toEqual([]);
        expect(shown.some((row) => row.startsWith('boxtwin is up: 6 vehicles, '))).toBe(true);
        expect(shown).toContain('Ctrl-C ends it; nothing is lost.');
      },
      120_000,
    );

    test('there is no line with --live off', async () => {
      const fleet = ['fleet', '--link', 'memory', '--vehicles', '2', '--live', 'off', '--data', data];
      const terminal = new Terminal(script, COLUMNS, [...fleet, '--simulator-port', `${await freePort()}`]);
      await waitUntil(() => terminal.rows().includes('Ctrl-C ends it; nothing is lost.'), 60_000);
      expect(await terminal.interrupt()).toBe(0);
      expect(terminal.lastRows().filter((row) => LIVE.test(row) || row.includes('boxes 0'))).toEqual([]);
    });
  });
});

describe('in a pipe', () => {
  test('up says once that its boxes are ready, and nothing else', async () => {
    const options = ['--vehicles', '120', '--radio', 'ideal', '--drivers', 'off', '--data', data];
    const up = UpProcess.raw(['up', ...options, ...(await UpProcess.ownPorts())]);
    await waitUntil(() => up.errors().includes('123 of 123 boxes are ready'), 60_000);
    expect(await up.end('SIGTERM')).toBe(0);
    expect(up.errors()).toMatch(
      /^(boxtwin: \d+ of 123 boxes are ready after \d+\.\d s\n)*boxtwin: 123 of 123 boxes are ready after \d+\.\d s\n$/,
    );
  });

  test('a fleet says so with --json where it is asked to, and of a few boxes too', async () => {
    const fleet = [
      'fleet',
      '--link',
      'memory',
      '--vehicles',
      '1',
      '--data',
      data,
      '--simulator-port',
      `${await freePort()}`,
    ];
    const asked = UpProcess.raw([...fleet, '--json', '--live', 'on']);
    await waitUntil(() => asked.errors() !== '', 60_000);
    expect(await asked.end('SIGTERM')).toBe(0);
    expect(asked.errors()).toMatch(/^boxtwin: 4 of 4 boxes are ready after \d+\.\d s\n$/);
    expect(asked.output().trim().split('\n')).toHaveLength(1);
  });
});
