import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { runCommand, UpProcess } from '../support/sockets/up-process.ts';

describe('up --client', () => {
  const folder = mkdtempSync(join(tmpdir(), 'boxtwin-client-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** The credentials that a start has, and whether each of these gets a token. */
  async function started(
    data: string,
    options: readonly string[],
    tried: readonly string[],
    printed?: (place: readonly string[]) => Promise<string>,
  ) {
    const ports = await UpProcess.ownPorts();
    const place = ['--data', join(folder, data)];
    const up = await UpProcess.start(['--vehicles', '1', '--no-console', ...ports, ...place, ...options]);
    try {
      const { client_id: id, client_secret: secret } = up.ready;
      const granted: string[] = [];
      for (const text of tried) {
        const answer = await fetch(`${up.ready.base_url}/auth/oauth/token?grant_type=client_credentials`, {
          method: 'POST',
          headers: { authorization: `Basic ${btoa(text)}` },
        });
        if (answer.status === 200) granted.push(text);
      }
      return { client: `${id}:${secret}`, granted, printed: await printed?.(place) };
    } finally {
      await up.end('SIGTERM');
    }
  }

  test('is the client of this start and of later ones, until another one replaces it', async () => {
    const [one, two] = ['demo:secret-1', 'other:secret-2'];
    const env = async (place: readonly string[]) => (await runCommand(['env', ...place])).output;
    const first = await started('one', ['--client', one], [one, two], env);
    expect(first).toMatchObject({ client: one, granted: [one] });
    expect(first.printed).toMatch(/BOXTWIN_CLIENT_ID=.?demo/);
    expect(await started('one', [], [one, two])).toMatchObject({ client: one, granted: [one] });
    const changed = ['--client', two];
    expect(await started('one', changed, [one, two])).toMatchObject({ client: two, granted: [two] });
  });

  test('is the client of all processes', async () => {
    const given = ['--processes', 'several', '--client', 'demo:secret-1'];
    const { client, granted } = await started('several', given, ['demo:secret-1']);
    expect({ client, granted }).toEqual({ client: 'demo:secret-1', granted: ['demo:secret-1'] });
  });
});
