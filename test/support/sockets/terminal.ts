import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { PROGRAM } from '../run/product.ts';
import { TerminalRows } from './terminal-rows.ts';

/** The command at a pseudo-terminal of `script` (util-linux): stdin, stdout and stderr are that terminal. */
export class Terminal {
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
export async function hangUpAll(): Promise<void> {
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
