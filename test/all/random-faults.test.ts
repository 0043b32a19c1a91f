import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from 'vitest';
import { type RandomFaultsResult, runRandomFaults } from '../support/simulation/random-faults.ts';

const run = promisify(execFile);
const script = fileURLToPath(new URL('../support/simulation/random-faults-program.ts', import.meta.url));

async function runInProcess(timeZone: string, seed: number): Promise<RandomFaultsResult> {
  const { stdout } = await run(process.execPath, [script, String(seed), '100', '10'], {
    env: { ...process.env, TZ: timeZone },
    maxBuffer: 16 * 1024 * 1024,
  });
  return JSON.parse(stdout) as RandomFaultsResult;
}

describe('ten minutes of random faults with 100 boxes in the virtual world', () => {
  let kathmandu: RandomFaultsResult;
  let honolulu: RandomFaultsResult;

  beforeAll(async () => {
    [kathmandu, honolulu] = await Promise.all([
      runInProcess('Asia/Kathmandu', 7),
      runInProcess('Pacific/Honolulu', 7),
    ]);
  }, 180_000);

  test('have the same trace hash in two processes and two time zones', () => {
    expect(honolulu.hash).toBe(kathmandu.hash);
  });

  test('lose, duplicate, reorder and invent no receipted record', () => {
    expect(kathmandu.findings).toEqual([]);
    expect(kathmandu.records).toBeGreaterThan(1_000);
    expect(kathmandu.messages).toBeGreaterThan(1_000);
  });

  test('contain every kind of fault', () => {
    const kinds = ['cut', 'coverage', 'brown-out', 'crash', 'lose', 'half_open', 'command'];
    for (const kind of kinds) expect(kathmandu.faults[kind] ?? 0, kind).toBeGreaterThan(0);
  });
});

describe('five minutes of random faults with ten boxes', () => {
  const play = (seed: number) => runRandomFaults({ seed, vehicles: 10, durationMs: 5 * 60_000 });

  test('have the same trace hash when repeated in one process, and another one with another seed', async () => {
    const first = await play(1);
    expect((await play(1)).hash).toBe(first.hash);
    expect((await play(2)).hash).not.toBe(first.hash);
  });

  test.each([11, 12, 13, 14, 15])(
    'with seed %i lose or duplicate no receipted record',
    async (seed) => {
      expect((await play(seed)).findings).toEqual([]);
    },
    60_000,
  );
});
