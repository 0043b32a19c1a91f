import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { processorSecondsOf } from '../measure/processor-time.ts';

/** What it takes from the start of the process to the ready banner. */
export interface Starts {
  readonly name: string;
  /** Seconds on the wall, and of all threads on the processor; that is undefined where the system has no /proc. */
  readonly starts: readonly { readonly wallS: number; readonly cpuS: number | undefined }[];
  readonly aimS: number;
}

const command = fileURLToPath(new URL('../../../bin/boxtwin.js', import.meta.url));

/**
 * Starts of `boxtwin up` with so many vehicles, each with a data directory of its own. `second`: that of a
 * directory in which a start has been and has ended.
 */
export async function start(
  vehicles: number,
  which: 'first' | 'second',
  aimS: number,
  rounds: number,
): Promise<Starts> {
  const starts: Starts['starts'][number][] = [];
  for (let round = 0; round < rounds; round += 1) {
    const data = mkdtempSync(join(tmpdir(), 'boxtwin-bench-start-'));
    try {
      const first = await startOnce(data, vehicles);
      starts.push(which === 'first' ? first : await startOnce(data, vehicles));
    } finally {
      rmSync(data, { recursive: true, force: true });
    }
  }
  return { name: `the ${which} start of up with ${vehicles} vehicles, to the banner`, starts, aimS };
}

async function startOnce(data: string, vehicles: number): Promise<Starts['starts'][number]> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, [command, 'up', '--vehicles', String(vehicles), '--data', data], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  await banner(child);
  const wallS = (performance.now() - startedAt) / 1_000;
  const cpuS = processorSecondsOf(child.pid);
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  await exited;
  return { wallS, cpuS };
}

/** Resolves with the banner's first line; rejects where the process ends before. */
async function banner(child: ChildProcess): Promise<void> {
  let output = '';
  let errors = '';
  child.stderr?.on('data', (bytes: Buffer) => {
    errors += bytes.toString();
  });
  child.stdout?.on('data', (bytes: Buffer) => {
    output += bytes.toString();
  });
  while (!output.includes(' is up: ')) {
    if (child.exitCode !== null) throw new Error(`"boxtwin up" has ended with ${child.exitCode}: ${errors}`);
    await Promise.race([once(child.stdout ?? child, 'data'), once(child, 'exit')]);
  }
}
