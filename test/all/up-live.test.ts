import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { terminalScript, waitUntil, withService } from '../support/run/external-services.ts';
import { freePort } from '../support/run/free-port.ts';
import { PROGRAM } from '../support/run/product.ts';
import { UpProcess } from '../support/sockets/up-process.ts';

const ESCAPE = '\u001b';
/** A part of what a program writes to a terminal: a sequence of control, or a character. */
const PART = new RegExp(`${ESCAPE}\\[(?<parameters>[?\\d;]*)(?<final>[A-Za-z])|[\\s\\S]`, 'gu');
/** The beginning of one, at the end of a text. */
const BEGUN = new RegExp(`${ESCAPE}(\\[[?\\d;]*)?$`);

/**
 * What a terminal shows of the text that is written to it, as rows of any width: it knows line breaks, the column of the
 * cursor, and rows that are erased. Of other sequences of control it knows nothing and shows nothing.
 */
class TerminalRows {
  readonly #rows: string[][] = [[]];
  /** Each text that the last row has held when something was written. */
  readonly lastRows: string[] = [];
  #column = 0;
  /** A sequence that is not there whole. */
  #rest = '';

  write(text: string): void {
    const all = this.#rest + text;
    const cut = BEGUN.exec(all)?.index ?? all.length;
    this.#rest = all.slice(cut);
    for (const part of all.slice(0, cut).matchAll(PART)) {
      const { parameters, final } = part.groups ?? {};
      if (final === undefined) this.#put(part[0]);
      else this.#control(parameters ?? '', final);
    }
    this.#keepLast();
  }

  rows(): readonly string[] {
    return this.#rows.map((row) => row.join('').trimEnd());
  }

  #put(character: string): void {
    if (character === '\r') this.#column = 0;
    else if (character === '\n') {
      this.#keepLast();
      this.#rows.push([]);
    } else {
      const row = this.#last();
      while (row.length < this.#column) row.push(' ');
      row[this.#column] = character;
      this.#column += 1;
    }
  }

  #control(parameters: string, final: string): void {
    if (final === 'G') this.#column = Number(parameters || '1') - 1;
    if (final !== 'K') return;
    this.#keepLast();
    // 0 or nothing: from the cursor on; 2: all of it.
    this.#last().splice(parameters === '2' ? 0 : this.#column);
  }

  #keepLast(): void {
    const last = this.#last().join('').trimEnd();
    if (last !== '' && this.lastRows.at(-1) !== last) this.lastRows.push(last);
  }

  #last(): string[] {
    return this.#rows.at(-1) ?? [];
  }
}

/** The command at a pseudo-terminal of `script` (util-linux): stdin, stdout and stderr are that terminal. */
class Terminal {
  readonly #script: ChildProcessWithoutNullStreams;
  readonly #rows = new TerminalRows();
  readonly #exited: Promise<readonly unknown[]>;

  /** `script`: the program. */
  constructor(script: string, columns: number, args: readonly string[]) {
    const words = [process.execPath, PROGRAM, ...args].map((word) => `'${word.replaceAll("'", "'\\''")}'`);
    const line = `stty cols ${columns} rows 40; exec ${words.join(' ')}`;
    this.#script = spawn(script, ['--quiet', '--flush', '--return', '--command', line, '/dev/null'], {
      // A terminal in CI shows no line that changes.
      env: { ...process.env, TERM: 'xterm', CI: '', NO_COLOR: '1' },
    });
    this.#exited = once(this.#script, 'close');
    const decoder = new TextDecoder();
    this.#script.stdout.on('data', (bytes: Buffer) =>
      this.#rows.write(decoder.decode(bytes, { stream: true })),
    );
    running.add(this.#script);
    this.#script.once('exit', () => running.delete(this.#script));
  }

  /** What has been shown and not been taken away, from the first row on. */
  rows(): readonly string[] {
    return this.#rows.rows();
  }

  /** Every text that the last row has held, in their order. */
  lastRows(): readonly string[] {
    return this.#rows.lastRows;
  }

  /** Ctrl-C; resolves with the exit code of the command. */
  async interrupt(): Promise<unknown> {
    this.#script.stdin.write('\u0003');
    const [code] = await this.#exited;
    return code;
  }
}

const running = new Set<ChildProcessWithoutNullStreams>();

/**
 * Takes every terminal away that a test has left, which ends what runs at it. For after each test: one that fails half-way
 * leaves nothing running behind.
 */
async function hangUpAll(): Promise<void> {
  await Promise.all([...running].map(hungUp));
}
process.once('exit', () => {
  for (const script of running) script.kill('SIGKILL');
});

async function hungUp(script: ChildProcessWithoutNullStreams): Promise<void> {
  const exited = once(script, 'exit');
  // SIGTERM would let it wait for the command.
  script.kill('SIGKILL');
  await exited;
}

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
      '--console-port',
      `${await freePort()}`,
    ];
    const asked = UpProcess.raw([...fleet, '--json', '--live', 'on']);
    await waitUntil(() => asked.errors() !== '', 60_000);
    expect(await asked.end('SIGTERM')).toBe(0);
    expect(asked.errors()).toMatch(/^boxtwin: 4 of 4 boxes are ready after \d+\.\d s\n$/);
    expect(asked.output().trim().split('\n')).toHaveLength(1);
  });
});
