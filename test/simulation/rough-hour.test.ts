import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from 'vitest';
import { type RoughHour, roughHour } from '../../scenarios/rough-hour.ts';

const run = promisify(execFile);
const script = fileURLToPath(new URL('./rough-hour-run.ts', import.meta.url));

async function inProcess(timeZone: string, seed: number): Promise<RoughHour> {
  const { stdout } = await run(process.execPath, [script, String(seed), '100', '10'], {
    env: { ...process.env, TZ: timeZone },
    maxBuffer: 16 * 1024 * 1024,
  });
  return JSON.parse(stdout) as RoughHour;
}

describe('a rough ten minutes of 100 boxes in the virtual world', () => {
  let kathmandu: RoughHour;
  let honolulu: RoughHour;

  beforeAll(async () => {
    [kathmandu, honolulu] = await Promise.all([
      inProcess('Asia/Kathmandu', 7),
      inProcess('Pacific/Honolulu', 7),
    ]);
  }, 180_000);

  test('has the same trace hash in two processes and two time zones', () => {
    expect(honolulu.hash).toBe(kathmandu.hash);
    expect(honolulu.lines).toBe(kathmandu.lines);
  });

  test('loses, doubles, reorders and invents no receipted record', () => {
    expect(kathmandu.findings).toEqual([]);
    expect(kathmandu.records).toBeGreaterThan(1_000);
    expect(kathmandu.messages).toBeGreaterThan(1_000);
  });

  test('was rough: every kind of fault happened', () => {
    for (const [name, count] of Object.entries(kathmandu.faults)) expect(count, name).toBeGreaterThan(0);
  });
});

describe('a rough five minutes of ten boxes', () => {
  const play = (seed: number) => roughHour({ seed, vehicles: 10, durationMs: 5 * 60_000 });

  test('repeats to the byte in one process, and another seed gives another run', async () => {
    const first = await play(1);
    expect((await play(1)).hash).toBe(first.hash);
    expect((await play(2)).hash).not.toBe(first.hash);
  }, 60_000);

  test.each([11, 12, 13, 14, 15])(
    'with seed %i nothing receipted is lost or doubled',
    async (seed) => {
      expect((await play(seed)).findings).toEqual([]);
    },
    60_000,
  );
});
