import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const story = (name: string): string => join(root, 'scenarios/stories', `${name}.yaml`);

/** The trace hash of tunnel, printed by a separate process. */
async function hashOf(zone: string, ...args: readonly string[]): Promise<string | undefined> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [join(root, 'bin/boxtwin.js'), 'scenario', 'run', ...args],
    { env: { ...process.env, TZ: zone }, timeout: 60_000 },
  );
  return /tunnel passed.*?trace hash: ([0-9a-f]{64})/s.exec(stdout)?.[1];
}

test('one file and seed give one hash in other processes, in other time zones, at a pace and after other scenarios', {
  timeout: 120_000,
}, async () => {
  const [first, elsewhere, otherSeed] = await Promise.all([
    hashOf('UTC', story('tunnel')),
    hashOf('Pacific/Chatham', story('puback-lost'), story('tunnel'), '--pace', '5000'),
    hashOf('UTC', story('tunnel'), '--seed', '8'),
  ]);
  expect(first).toBeDefined();
  expect(elsewhere).toBe(first);
  expect(otherSeed).not.toBe(first);
});
