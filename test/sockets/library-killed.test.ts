import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { start } from '../../library/start.ts';

const data = mkdtempSync(join(tmpdir(), 'boxtwin-killed-'));
afterAll(() => rmSync(data, { recursive: true, force: true }));

/** Reads messages on the data directory until it is killed. */
const READING = `
import { start } from ${JSON.stringify(new URL('../../library/start.ts', import.meta.url).href)};
const service = await start({ vehicles: 1, data: ${JSON.stringify(data)} });
await service.messages().opened;
process.stdout.write('reading');
`;

test('a start deletes the subscription and the client of a process that was killed on the same data', async () => {
  const child = spawn(process.execPath, ['--input-type=module', '-e', READING], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  const [output] = await Promise.race([once(child.stdout, 'data'), exited]);
  expect(String(output)).toBe('reading');
  child.kill('SIGKILL');
  await exited;
  const client = readFileSync(join(data, 'test-client'), 'utf8');
  expect(existsSync(join(data, 'test-subscription'))).toBe(true);

  const service = await start({ vehicles: 1, data });
  const discriminators = async () => {
    const listed = await (await service.call('GET', '/message-subscriptions')).json();
    return (listed as { items: { queue_discriminator: string }[] }).items.map(
      ({ queue_discriminator: name }) => name,
    );
  };
  try {
    expect(await discriminators()).toEqual(['demo']);
    await expect(service.control('DELETE', `/service/clients/${client}`)).rejects.toThrow('404');
    // A new one is at work, and closes what it has made itself.
    await service.messages().opened;
    expect(await discriminators()).toEqual(['demo', expect.stringMatching(/^test-/)]);
  } finally {
    await service.stop();
  }
  for (const name of ['test-client', 'test-subscription']) expect(existsSync(join(data, name))).toBe(false);
}, 90_000);
