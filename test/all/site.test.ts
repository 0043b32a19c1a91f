import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname, join, normalize } from 'node:path';
import { promisify } from 'node:util';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { serveHttp } from '../../deployment/http/http-server.ts';
import { chromium, waitUntil, withService } from '../support/run/external-services.ts';
import { openChromium } from '../support/sockets/chromium.ts';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

/** Serves the files of a folder as they are, below `/sub/`, on a free port. `url` ends with a slash. */
async function serveFolder(
  folder: string,
): Promise<{ readonly url: string; readonly close: () => Promise<void> }> {
  const server = await serveHttp({ port: 0 }, async (request) => {
    const path = decodeURIComponent(new URL(request.url).pathname);
    const file = normalize(path.replace(/^\/sub\//, '').replace(/(^|\/)$/, '$1index.html'));
    const type = TYPES[extname(file)];
    const body = path.startsWith('/sub/')
      ? await readFile(join(folder, file)).catch(() => undefined)
      : undefined;
    if (body === undefined || type === undefined) return new Response('not found', { status: 404 });
    return new Response(body, { headers: { 'content-type': type } });
  });
  return { url: `http://127.0.0.1:${server.port}/sub/`, close: () => server.close() };
}

const ROOT = join(import.meta.dirname, '../..');
const SITE = join(ROOT, 'site/dist');

describe('the documentation site', () => {
  beforeAll(async () => {
    await promisify(execFile)('npm', ['run', 'site'], { cwd: ROOT, maxBuffer: 16 * 1024 * 1024 });
  }, 300_000);

  test('is built, with each link and anchor checked', () => {
    expect(existsSync(join(SITE, 'index.html'))).toBe(true);
    expect(existsSync(join(SITE, 'docs/decisions/index.html'))).toBe(true);
  });
});

await withService(chromium, ({ path }) => {
  describe('the documentation site, in Chromium without a network', () => {
    let site: Awaited<ReturnType<typeof serveFolder>>;
    let browser: Browser;
    let page: Page;
    /** Whatever was asked of another origin, or was not there. */
    const refused: string[] = [];
    const missing: string[] = [];
    const complaints: string[] = [];

    beforeAll(async () => {
      site = await serveFolder(SITE);
      browser = await openChromium(path);
      page = await (await browser.newContext({ viewport: { width: 1280, height: 800 } })).newPage();
      await page.route('**/*', (route) => {
        const url = route.request().url();
        if (url.startsWith(site.url) || url.startsWith('data:')) return route.continue();
        refused.push(url);
        return route.abort();
      });
      page.on('response', (response) => {
        if (!response.ok()) missing.push(`${response.status()} ${response.url()}`);
      });
      page.on('pageerror', (error) => complaints.push(String(error)));
    });
    afterAll(async () => {
      await browser.close();
      await site.close();
    });

    test('begins with the README and the navigation', async () => {
      await page.goto(site.url);
      await page.getByRole('heading', { name: 'boxtwin', level: 1 }).waitFor();
      await page.getByRole('link', { name: 'Testing a client' }).first().waitFor();
    });

    test('finds a word, and opens the page at its heading', async () => {
      // The page listens to keys only once its scripts have run, which it does not tell.
      const field = page.locator('#localsearch-input');
      await waitUntil(async () => {
        if (!(await field.isVisible())) await page.keyboard.press('Control+k');
        return field.isVisible();
      });
      await field.fill('tombstone');
      const found = page.locator('#localsearch-list li');
      await found.first().waitFor();
      expect(await found.count()).toBeGreaterThan(3);
      await page.keyboard.press('Enter');
      await page.waitForURL(/docs\/.*\.html(#.+)?$/);
    });

    test('lists the decision records, and a link of a page leads on', async () => {
      await page.goto(`${site.url}docs/decisions/index.html`);
      await page.locator('main').getByRole('link', { name: '0002 The libraries' }).click();
      await page.getByRole('heading', { name: /^0002 The libraries/ }).waitFor();
    });

    test('has asked nobody else for anything, and missed nothing', () => {
      expect(refused).toEqual([]);
      expect(missing).toEqual([]);
      expect(complaints).toEqual([]);
    });
  });
});
