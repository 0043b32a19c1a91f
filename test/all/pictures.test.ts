import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chromium, withService } from '../support/run/external-services.ts';
import { openChromium } from '../support/sockets/chromium.ts';
import { runCommand, UpProcess } from '../support/sockets/up-process.ts';

/** The pictures of README.md. `PICTURES=write` replaces them by what this run takes. */
const PICTURES = fileURLToPath(new URL('../../docs/pictures/', import.meta.url));
const TUNNEL = fileURLToPath(new URL('../../scenarios/stories/tunnel.yaml', import.meta.url));
const IS_WRITING = process.env['PICTURES'] === 'write';
const SIZES = { console: { width: 1280, height: 800 }, report: { width: 1280, height: 1000 } };
const THEMES = ['light', 'dark'] as const;
/** Vehicles move, so no picture equals another. An empty page has less than a tenth of the bytes. */
const SMALLEST_SHARE = 0.4;

await withService(chromium, ({ path }) => {
  describe("README's pictures, in Chromium", () => {
    const folder = mkdtempSync(join(tmpdir(), 'boxtwin-pictures-'));
    let browser: Browser;
    let up: UpProcess;
    beforeAll(async () => {
      [browser, up] = await Promise.all([
        openChromium(path),
        UpProcess.ownPorts().then((ports) =>
          UpProcess.start(['--seed', '7', '--data', join(folder, 'data'), ...ports], true),
        ),
      ]);
    });
    afterAll(async () => {
      await Promise.allSettled([browser.close(), up.end('SIGTERM')]);
      rmSync(folder, { recursive: true });
    });

    async function pictureOf(
      name: keyof typeof SIZES,
      theme: (typeof THEMES)[number],
      url: string,
      prepare: (page: Page) => Promise<void>,
    ): Promise<void> {
      const context = await browser.newContext({ viewport: SIZES[name], colorScheme: theme });
      try {
        const page = await context.newPage();
        const errors: string[] = [];
        page.on('pageerror', ({ message }) => errors.push(message));
        await page.goto(url);
        await prepare(page);
        const taken = join(folder, `${name}-${theme}.png`);
        await page.screenshot({ path: taken });
        expect(errors).toEqual([]);
        const kept = join(PICTURES, `${name}-${theme}.png`);
        if (IS_WRITING) {
          mkdirSync(PICTURES, { recursive: true });
          copyFileSync(taken, kept);
        }
        expect(sizeOf(kept)).toEqual(SIZES[name]);
        expect(statSync(taken).size / statSync(kept).size).toBeGreaterThan(SMALLEST_SHARE);
      } finally {
        await context.close();
      }
    }

    test.each(THEMES)('show the fleet and a vehicle in the console, %s', async (theme) => {
      await pictureOf('console', theme, `${up.ready.console_url}/`, async (page) => {
        await page.getByRole('listbox').getByRole('option').filter({ hasText: 'km/h' }).first().click();
        await page.getByRole('complementary', { name: 'Vehicle' }).waitFor();
        await expect.poll(() => page.locator('canvas').count()).toBeGreaterThan(0);
        await page.getByText(/truth/i).first().waitFor();
      });
    });

    test('show the report of a scenario', async () => {
      const report = join(folder, 'tunnel.html');
      // A picture of a path of this machine would be of no use to anybody.
      copyFileSync(TUNNEL, join(folder, 'tunnel.yaml'));
      const ran = await runCommand(
        ['scenario', 'run', 'tunnel.yaml', '--report', `html=${report}`],
        process.env,
        folder,
      );
      expect(ran.code).toBe(0);
      for (const theme of THEMES)
        await pictureOf('report', theme, pathToFileURL(report).href, (page) =>
          page.getByText('tunnel').first().waitFor(),
        );
    });
  });
});

/** Width and height of a PNG file: PNG (Third Edition), 11.2.1 IHDR. */
function sizeOf(path: string): { readonly width: number; readonly height: number } {
  const bytes = readFileSync(path);
  return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
}
