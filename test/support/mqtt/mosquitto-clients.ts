import { type ChildProcess, spawn } from 'node:child_process';
import { waitUntil } from '../run/external-services.ts';

export interface ProgramOutcome {
  /** The exit code; null where it had to be ended. */
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** A running `mosquitto_sub`. */
export interface MosquittoSub {
  /** The lines that it printed so far. */
  lines(): string[];
  /** Its output on stderr. */
  complaints(): string;
  isOver(): boolean;
  stop(): Promise<ProgramOutcome>;
}

/** Runs `mosquitto_pub` or `mosquitto_sub` to its end, `input` on stdin. */
export async function runProgram(
  program: string,
  args: readonly string[],
  input?: Uint8Array,
): Promise<ProgramOutcome> {
  const { child, said } = begin(program, args);
  child.stdin?.end(input);
  await waitUntil(() => child.exitCode !== null || child.signalCode !== null, 20_000).catch(() =>
    child.kill('SIGKILL'),
  );
  return { code: child.exitCode, out: said.out, err: said.err };
}

/** Starts `mosquitto_sub -d`; resolves once it has its SUBACK, or has ended. */
export async function startMosquittoSub(program: string, args: readonly string[]): Promise<MosquittoSub> {
  // Into a pipe it would keep its lines to itself until it ends.
  const { child, said } = begin('stdbuf', ['-oL', program, '-d', ...args]);
  const isOver = () => child.exitCode !== null || child.signalCode !== null;
  try {
    await waitUntil(() => isOver() || /SUBACK|Subscribed/.test(said.out));
  } catch (error) {
    child.kill('SIGKILL');
    throw error;
  }
  return {
    // Debug lines and messages are on the same stream; messages are printed with this mark by -F.
    lines: () => said.out.split('\n').filter((line) => line.startsWith('MSG ')),
    complaints: () => said.out + said.err,
    isOver,
    async stop() {
      child.kill('SIGTERM');
      await waitUntil(isOver);
      return { code: child.exitCode, out: said.out, err: said.err };
    },
  };
}

function begin(
  program: string,
  args: readonly string[],
): { child: ChildProcess; said: { out: string; err: string } } {
  const child = spawn(program, [...args]);
  const said = { out: '', err: '' };
  child.stdout.on('data', (chunk: Buffer) => {
    said.out += chunk.toString();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    said.err += chunk.toString();
  });
  // A peer that hangs up while we still write is what some tests are after.
  child.stdin.on('error', () => undefined);
  return { child, said };
}
