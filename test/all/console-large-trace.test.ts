import { once } from 'node:events';
import { createWriteStream, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chromium, withService } from '../support/run/external-services.ts';
import { openChromium } from '../support/sockets/chromium.ts';
import { runCommand, UpProcess } from '../support/sockets/up-process.ts';

const GIB = 1024 ** 3;
const MIB = 1024 ** 2;
/** The trace of this story is repeated, each time behind the one before. */
const STORY = 'scenarios/stories/tunnel.yaml';

/** Writes a trace of at least so many bytes: the rows of one that is there, over and over, at later and later times. */
async function writeLarge(from: string, to: string, bytes: number): Promise<void> {
  const lines = readFileSync(from, 'utf8').trimEnd().split('\n');
  const [header = '', ...rows] = lines;
  const end = rows.pop() ?? '';
  const times = rows.flatMap((row) => /"at_ms":(\d+)/.exec(row)?.[1] ?? []).map(Number);
  const lastsMs = Math.max(...times) - Math.min(...times) + 1_000;
  const out = createWriteStream(to);
  let written = header.length;
  out.write(`${header}\n`);
  for (let round = 0; written < bytes; round += 1) {
    const block = `${rows.join('\n')}\n`.replaceAll(
      /"at_ms":(\d+)/g,
      (_, atMs: string) => `"at_ms":${Number(atMs) + round * lastsMs}`,
    );
    written += block.length;
    if (!out.write(block)) await once(out, 'drain');
  }
  out.end(`${end}\n`);
  await once(out, 'close');
}

await withService(chromium, ({ path }) => {
  describe('a trace of a gibibyte, in Chromium', { timeout: 300_000 }, () => {
    const folder = mkdtempSync(join(tmpdir(), 'boxtwin-large-'));
    const large = join(folder, 'large.ndjson');
    beforeAll(async () => {
      const small = join(folder, 'small.ndjson');
      const { code } = await runCommand(['scenario', 'run', STORY, '--trace', small]);
      expect(code).toBe(0);
      await writeLarge(small, large, GIB);
    }, 300_000);
    afterAll(() => rmSync(folder, { recursive: true }));

    test('is shown with its progress, moves through its time, and stays within bounded memory', async () => {
      expect(statSync(large).size).toBeGreaterThan(GIB);
      const console_ = UpProcess.raw(['console', large, '--json']);
      await expect.poll(() => console_.output()).toContain('\n');
      const { console_url: url } = JSON.parse(console_.output()) as { readonly console_url: string };
      const browser = await openChromium(path);
      try {
        const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
        await page.goto(url);
        await page
          .getByText(/MiB of/)
          .first()
          .waitFor({ timeout: 60_000 });
        await page.getByRole('heading', { name: 'tunnel' }).waitFor({ timeout: 240_000 });
        const slider = page.getByLabel('Moment');
        await slider.fill((await slider.getAttribute('max')) ?? '');

        const session = await page.context().newCDPSession(page);
        await session.send('HeapProfiler.collectGarbage');
        const heap = await session.send('Runtime.getHeapUsage');
        process.stderr.write(`large trace: ${Math.round(heap.usedSize / MIB)} MiB of heap\n`);
        expect(heap.usedSize).toBeLessThan(700 * MIB);
      } finally {
        await browser.close();
        await console_.end('SIGTERM');
      }
    });
  });
});
