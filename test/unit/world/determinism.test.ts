import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { hashOfRun } from '../../support/world/small-fleet-run.ts';

const PROGRAM = fileURLToPath(new URL('../../support/world/small-fleet-run.ts', import.meta.url));

/** The hash of a run in another process, with another time zone. */
async function hashElsewhere(seed: number, zone: string): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [PROGRAM, `${seed}`], {
    env: { ...process.env, TZ: zone },
  });
  return stdout.trim();
}

describe('a virtual run', () => {
  test('has the same hash again in this process, in others and in other time zones', {
    timeout: 60_000,
  }, async () => {
    const hash = await hashOfRun(1);
    expect(hash).toMatch(/^[0-9a-f]{64}$/);
    expect(await hashOfRun(1)).toBe(hash);
    expect(await hashElsewhere(1, 'UTC')).toBe(hash);
    expect(await hashElsewhere(1, 'Pacific/Auckland')).toBe(hash);
  });

  test('has another hash with another seed', async () => {
    expect(await hashOfRun(2)).not.toBe(await hashOfRun(3));
  });
});
