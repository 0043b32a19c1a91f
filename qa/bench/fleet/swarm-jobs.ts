import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { lineOf } from '../measure/children.ts';
import type { Figure } from '../measure/figures.ts';

const load = { runs: 40, seed: 1 } as const;
const COMMAND = fileURLToPath(new URL('../../../bin/boxtwin.js', import.meta.url));

/** Runs of the swarm a second with two jobs, beside the same runs with one; the start of the program counts. */
export async function swarmJobs(count: number): Promise<Figure> {
  const rounds: { bare: number; ours: number }[] = [];
  for (let round = 0; round < count; round += 1)
    rounds.push({ bare: await runsPerS(1), ours: await runsPerS(2) });
  return {
    name: `swarm of ${load.runs} runs with 2 jobs (ours) and with 1 (bare)`,
    unit: 'runs/s',
    rounds,
    aim: undefined,
  };
}

async function runsPerS(jobs: number): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'boxtwin-bench-swarm-'));
  const beganMs = performance.now();
  const options = [
    'swarm',
    '--json',
    '--runs',
    String(load.runs),
    '--seed',
    String(load.seed),
    '--jobs',
    String(jobs),
    '--out',
    join(folder, 'found.yaml'),
  ];
  const child = spawn(process.execPath, [COMMAND, ...options], { stdio: ['ignore', 'pipe', 'inherit'] });
  const { runs } = await lineOf<{ readonly runs: number }>(child);
  rmSync(folder, { recursive: true, force: true });
  // One that finds something ends before.
  return runs / ((performance.now() - beganMs) / 1_000);
}
