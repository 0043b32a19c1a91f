import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { serveHttp } from '../../deployment/http/http-server.ts';
import { pmtilesOf } from '../support/console/pmtiles-file.ts';
import { chromium, withService } from '../support/run/external-services.ts';
import { openChromium } from '../support/sockets/chromium.ts';
import { UpProcess } from '../support/sockets/up-process.ts';

/** The red, green and blue of a point of the page, as it is seen. */
async function colourAt(page: Page, x: number, y: number): Promise<readonly number[]> {
  const picture = (await page.screenshot({ clip: { x, y, width: 1, height: 1 } })).toString('base64');
  return page.evaluate(`(async () => {
    const image = new Image();
    image.src = 'data:image/png;base64,${picture}';
    await image.decode();
    const context = new OffscreenCanvas(1, 1).getContext('2d');
    context.drawImage(image, 0, 0);
    return [...context.getImageData(0, 0, 1, 1).data].slice(0, 3);
  })()`);
}

await withService(chromium, ({ path }) => {
  describe('the map of the console, in Chromium', () => {
    const folder = mkdtempSync(join(tmpdir(), 'boxtwin-map-'));
    let browser: Browser;
    beforeAll(async () => {
      browser = await openChromium(path);
    });
    afterAll(async () => {
      await browser.close();
      rmSync(folder, { recursive: true });
    });

    /** A page of a fleet with that ground; what `look` finds there. */
    async function withGround(
      map: string,
      look: (page: Page, complaints: readonly string[]) => Promise<void>,
    ): Promise<void> {
      const data = mkdtempSync(join(folder, 'data-'));
      const options = ['--vehicles', '3', '--data', data, '--map', map, ...(await UpProcess.ownPorts())];
      const up = await UpProcess.start(options, true);
      const context = await browser.newContext({
        viewport: { width: 1280, height: 800 },
        colorScheme: 'light',
      });
      try {
        const page = await context.newPage();
        const complaints: string[] = [];
        page.on('console', (message) => {
          if (message.type() === 'error') complaints.push(message.text());
        });
        await page.goto(`${up.ready.console_url}/`);
        await page.getByRole('listbox').getByRole('option').first().waitFor();
        await look(page, complaints);
      } finally {
        await context.close();
        await up.end('SIGTERM');
      }
    }
    /** Between the routes, where only the ground is. */
    const ground = (page: Page) => colourAt(page, 420, 160);

    test('has the layers of a PMTiles file, which the page reads in parts', async () => {
      const file = join(folder, 'world.pmtiles');
      writeFileSync(file, pmtilesOf('water'));
      await withGround(file, async (page, complaints) => {
        // The colour of water in console/page/fleet/map-style.ts.
        await expect.poll(() => ground(page)).toEqual([0xbc, 0xd4, 0xe6]);
        expect(complaints).toEqual([]);
      });
    });

    test('has the style of a server elsewhere, which the policy of the page lets it read', async () => {
      const style = {
        version: 8,
        sources: {},
        layers: [{ id: 'all', type: 'background', paint: { 'background-color': '#123456' } }],
      };
      const server = await serveHttp({ port: 0 }, () =>
        Response.json(style, { headers: { 'access-control-allow-origin': '*' } }),
      );
      try {
        await withGround(`http://127.0.0.1:${server.port}/style.json`, async (page, complaints) => {
          await expect.poll(() => ground(page)).toEqual([0x12, 0x34, 0x56]);
          expect(complaints).toEqual([]);
        });
      } finally {
        await server.close();
      }
    });

    test('says in place that a style cannot be read, and shows the vehicles all the same', async () => {
      await withGround('http://127.0.0.1:9/style.json', async (page) => {
        await page.getByRole('alert').filter({ hasText: 'The map cannot be shown' }).waitFor();
        await page.getByRole('listbox').getByRole('option').first().click();
        await page.getByRole('complementary', { name: 'Vehicle' }).waitFor();
      });
    });

    test('shows the network, and colours vehicles by their journals; both stand in the address', async () => {
      const file = join(folder, 'plain.pmtiles');
      writeFileSync(file, pmtilesOf('nothing-that-is-drawn'));
      await withGround(file, async (page) => {
        const before = await ground(page);
        await page.getByLabel('Coverage').check();
        await page.getByText('% of the visible area has no network').waitFor();
        await expect.poll(() => ground(page)).not.toEqual(before);
        await page.getByLabel('Colour by').selectOption('journal');
        await page.getByRole('list', { name: 'Legend' }).getByText('100 or more').waitFor();
        expect(page.url()).toMatch(/coverage=on/);
        await page.reload();
        await page.getByRole('list', { name: 'Legend' }).getByText('100 or more').waitFor();
        expect(await page.getByLabel('Coverage').isChecked()).toBe(true);
      });
    });
  });
});
