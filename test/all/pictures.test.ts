import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chromium, withService } from '../support/run/external-services.ts';
import { openChromium } from '../support/sockets/chromium.ts';
import { runCommand, UpProcess } from '../support/sockets/up-process.ts';

/** Of README.md and docs/console.md. `PICTURES=write` replaces their pictures by what this run takes. */
const DOCS = fileURLToPath(new URL('../../docs/', import.meta.url));
const TUNNEL = fileURLToPath(new URL('../../scenarios/stories/tunnel.yaml', import.meta.url));
const IS_WRITING = process.env['PICTURES'] === 'write';
const CONSOLE_SIZE = { width: 1280, height: 800 };
const REPORT_SIZE = { width: 1280, height: 1000 };
const THEMES = ['light', 'dark'] as const;
/** Vehicles move, so no picture equals another. An empty page has less than a tenth of the bytes. */
const SMALLEST_SHARE = 0.4;

/** One picture, and how its page becomes worth one. */
interface Picture {
  /** Below docs/. */
  readonly file: string;
  readonly size: { readonly width: number; readonly height: number };
  readonly theme: (typeof THEMES)[number];
  prepare(page: Page): Promise<void>;
}

/** The pages of docs/console.md. */
const CONSOLE_PAGES: Readonly<Record<string, Picture['prepare']>> = {
  fleet: showVehicle,
  async messages(page) {
    await expect.poll(() => page.locator('.messages li').count(), { timeout: 60_000 }).toBeGreaterThan(20);
  },
  async jobs(page) {
    await page.getByRole('button', { name: 'Start', exact: true }).click();
    await page.getByText(/^COMPLETED: /).waitFor({ timeout: 60_000 });
  },
  async scenarios(page) {
    await page.getByRole('button', { name: 'tunnel', exact: true }).click();
    await page.getByText('name: tunnel').first().waitFor();
  },
  async health(page) {
    await page.getByRole('row', { name: /store ok/ }).waitFor();
    // Its figures begin with the page; a look at them is a point.
    const points = async () => (await page.locator('polyline').first().getAttribute('points'))?.split(' ');
    await expect.poll(async () => (await points())?.length ?? 0, { timeout: 60_000 }).toBeGreaterThan(12);
  },
};

async function showVehicle(page: Page): Promise<void> {
  await page.getByRole('listbox').getByRole('option').filter({ hasText: 'km/h' }).first().click();
  await page.getByRole('complementary', { name: 'Vehicle' }).waitFor();
  await expect.poll(() => page.locator('canvas').count()).toBeGreaterThan(0);
  await page.getByText(/truth/i).first().waitFor();
}

await withService(chromium, ({ path }) => {
  describe('the pictures of README.md and docs/console.md, in Chromium', () => {
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

    async function take({ file, size, theme, prepare }: Picture, url: string): Promise<void> {
      const context = await browser.newContext({ viewport: size, colorScheme: theme });
      try {
        const page = await context.newPage();
        const errors: string[] = [];
        page.on('pageerror', ({ message }) => errors.push(message));
        await page.goto(url);
        await prepare(page);
        const taken = join(folder, basename(file));
        await page.screenshot({ path: taken });
        expect(errors).toEqual([]);
        const kept = join(DOCS, file);
        if (IS_WRITING) {
          mkdirSync(dirname(kept), { recursive: true });
          copyFileSync(taken, kept);
        }
        expect(sizeOf(kept)).toEqual(size);
        expect(statSync(taken).size / statSync(kept).size).toBeGreaterThan(SMALLEST_SHARE);
      } finally {
        await context.close();
      }
    }

    test.each(THEMES)('show the fleet and a vehicle in the console, %s', async (theme) => {
      const file = `pictures/console-${theme}.png`;
      await take({ file, size: CONSOLE_SIZE, theme, prepare: showVehicle }, `${up.ready.console_url}/`);
    });

    test.each(Object.entries(CONSOLE_PAGES))(
      'show the page %s of the console',
      async (name, prepare) => {
        const file = `console/${name}.png`;
        await take(
          { file, size: CONSOLE_SIZE, theme: 'light', prepare },
          `${up.ready.console_url}/#/${name}`,
        );
      },
      120_000,
    );

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
      const prepare = (page: Page) => page.getByText('tunnel').first().waitFor();
      for (const theme of THEMES)
        await take(
          { file: `pictures/report-${theme}.png`, size: REPORT_SIZE, theme, prepare },
          pathToFileURL(report).href,
        );
    });
  });
});

/** Width and height of a PNG file: PNG (Third Edition), 11.2.1 IHDR. */
function sizeOf(path: string): { readonly width: number; readonly height: number } {
  const bytes = readFileSync(path);
  return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
}
