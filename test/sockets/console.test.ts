import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Running, start } from '../../library/start.ts';
import { chromium, waitUntil, withService } from '../support/run/external-services.ts';
import { callFromPage, openChromium, startWebSite, type WebSite } from '../support/sockets/chromium.ts';

await withService(chromium, ({ path }) => {
  describe('the console, in Chromium', () => {
    let running: Running;
    let url: string;
    let browser: Browser;
    let context: BrowserContext;
    let page: Page;
    let site: WebSite;
    /** Whatever the page complained of. */
    const complaints: string[] = [];

    beforeAll(async () => {
      running = await start({ vehicles: 6, makerVehicles: 2, unassignedDevices: 3, console: true });
      url = running.consoleUrl ?? '';
      site = await startWebSite();
      browser = await openChromium(path);
      context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
      page = await context.newPage();
      page.on('console', (message) => {
        if (message.type() === 'error') complaints.push(message.text());
      });
      page.on('pageerror', (error) => complaints.push(String(error)));
      await page.goto(url);
      await page.getByRole('listbox').getByRole('option').first().waitFor();
    });
    afterAll(async () => {
      await browser.close();
      await site.close();
      await running.stop();
    });

    /** Chooses a vehicle in the list; its panel is there then. */
    async function choose(vehicleId: string): Promise<void> {
      await page.getByRole('listbox').getByRole('option').filter({ hasText: vehicleId }).click();
      await page.getByRole('heading', { name: vehicleId }).waitFor();
    }
    const cell = (property: string, of: 'truth' | 'box' | 'service') =>
      page.locator(`tr[data-property="${property}"] td[data-of="${of}"]`);
    const vehicleThat = async (stands: boolean): Promise<string> => {
      for (const { id } of running.vehicles) {
        const { truth } = await running.box(id).look();
        if ((truth['ignitionOn'] === false) === stands) return id;
      }
      throw new Error('The fleet has no such vehicle.');
    };

    test('lists every box of the fleet, and its map moves', async () => {
      expect(await page.getByRole('listbox').getByRole('option').count()).toBe(
        running.vehicles.length + running.unassignedDevices.length,
      );
      const canvas = page.locator('canvas.vehicles');
      const before = await canvas.screenshot();
      await waitUntil(async () => !(await canvas.screenshot()).equals(before), 10_000);
    });

    test('unlocks a parked car from its panel, and truth, box and service follow', async () => {
      await choose(await vehicleThat(true));
      await waitUntil(async () => (await cell('central_lock', 'truth').textContent()) === 'LOCKED', 10_000);
      await page.getByRole('button', { name: 'unlock-central-lock' }).click();
      await page.locator('.done .good', { hasText: 'unlock-central-lock' }).waitFor();
      await expect
        .poll(() => page.locator('.done .curl').first().textContent())
        .toContain('unlock-central-lock');
      for (const of of ['truth', 'box', 'service'] as const)
        await waitUntil(
          async () => ((await cell('central_lock', of).textContent()) ?? '').startsWith('UNLOCKED'),
          15_000,
        );
    });

    test('in a dead zone that is drawn a driving car falls silent, its journal grows, and empties once it is lifted', async () => {
      const vehicleId = await vehicleThat(false);
      await choose(vehicleId);
      const row = page.getByRole('listbox').getByRole('option').filter({ hasText: vehicleId });
      await page.getByText(/^Dead zones/).click();
      await page.getByRole('button', { name: 'Draw a circle' }).click();
      const { x, y, width, height } = (await page.locator('.drawing').boundingBox()) ?? {
        x: 0,
        y: 0,
        width: 0,
        height: 0,
      };
      await page.mouse.move(x + width / 2, y + height / 2);
      await page.mouse.down();
      // To the corner: whoever is in sight is within it, wherever on the map.
      await page.mouse.move(x + 2, y + 2, { steps: 4 });
      await page.mouse.up();
      await row.filter({ hasText: 'offline' }).waitFor();
      const held = async () => Number(await row.locator('.held').textContent());
      await waitUntil(async () => (await held()) > 0, 40_000);
      await expect
        .poll(() => page.locator('.cause', { hasText: 'in a stored record' }).count())
        .toBeGreaterThan(0);
      await page.getByRole('button', { name: 'Remove' }).click();
      await row.filter({ hasText: 'ready' }).waitFor();
      await waitUntil(async () => (await held()) === 0, 40_000);
    });

    test('follows a record from the flash of the box to the queue', async () => {
      await choose(await vehicleThat(true));
      await page.getByText('Records, from flash to queue').click();
      await page.getByText('Messages: Live').waitFor();
      await page.getByRole('button', { name: 'request-vehicle-state' }).click();
      await page.locator('.done .good', { hasText: 'request-vehicle-state' }).waitFor();
      const row = page.locator('.records tr[data-record]', { hasText: 'reply' }).first();
      const hops = () => row.locator('td').allTextContents();
      await expect
        .poll(hops)
        .toEqual([
          expect.stringMatching(/^\d\d:\d\d:\d\d\.\d{3}$/),
          ...Array.from({ length: 3 }, () => expect.stringMatching(/^-?\d+\.\d\d s$/)),
        ]);
      expect(page.url()).toContain('records=on');
      await page.getByText('Records, from flash to queue').click();
    });

    test('sends calls that configure with their bodies, and shows what was read', async () => {
      const form = page.getByRole('form', { name: 'Read and configure' });
      const sent = async (method: string, text: string) => {
        await form.getByRole('combobox').selectOption(`${method} …/feature-configuration/tracking`);
        await form.getByRole('button', { name: 'Send' }).click();
        await page
          .locator('.done .good', { hasText: `${method} tracking` })
          .filter({ hasText: text })
          .waitFor();
      };
      await sent('PUT', '-X PUT');
      await sent('GET', '"time_interval_in_seconds":30');
    });

    test('lights up the bytes of a field that is pointed at, and the field of a byte', async () => {
      const frame = page.locator('.wire details', { hasText: 'reply #' }).first();
      await frame.waitFor();
      await frame.locator('summary').click();
      const [field, bytes] = [frame.locator('.fields button'), frame.locator('.bytes button')];
      await expect
        .poll(async () => {
          await field.first().hover();
          return bytes.and(page.locator('.lit')).count();
        })
        .toBeGreaterThan(0);
      const lit = await bytes.and(page.locator('.lit')).first().elementHandle();
      await field.nth(1).hover();
      expect(await field.and(page.locator('.lit')).count()).toBe(1);
      await lit?.hover();
      await expect.poll(() => field.first().getAttribute('class')).toContain('lit');
    });

    test('shows messages as they come, and what the service says of itself', async () => {
      await page.getByRole('link', { name: 'Messages', exact: true }).click();
      await page.locator('.messages li').first().waitFor({ timeout: 30_000 });
      await page.getByRole('link', { name: 'Health' }).click();
      await page.getByRole('row', { name: /store ok/ }).waitFor();
      await page.getByRole('link', { name: 'Fleet', exact: true }).click();
    });

    test('keeps what is shown in the address: the same page comes again', async () => {
      const vehicleId = await vehicleThat(true);
      await choose(vehicleId);
      await page.getByRole('searchbox').fill('petrol');
      await expect.poll(() => page.url()).toContain('find=petrol');
      const address = page.url();
      await page.goto('about:blank');
      await page.goto(address);
      await page.getByRole('heading', { name: vehicleId }).waitFor();
      expect(await page.getByRole('searchbox').inputValue()).toBe('petrol');
      await page.getByRole('searchbox').fill('');
    });

    test('each page has its own filters, and has them again', async () => {
      await page.getByRole('searchbox').fill('ready');
      await page.getByRole('link', { name: 'Messages', exact: true }).click();
      await page.getByRole('heading', { name: 'Messages' }).waitFor();
      expect(await page.getByRole('searchbox').inputValue()).toBe('');
      await page.getByRole('link', { name: 'Fleet', exact: true }).click();
      await page.getByRole('listbox').waitFor();
      expect(await page.getByRole('searchbox').inputValue()).toBe('ready');
      await page.getByRole('searchbox').fill('');
    });

    test('goes to a vehicle that is out of sight when that is chosen', async () => {
      await choose(await vehicleThat(false));
      const canvas = page.locator('canvas.vehicles');
      const { x, y, width, height } = (await canvas.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
      // As text: these tests know no document.
      const middleAlpha = () =>
        page.evaluate(`(() => {
          const canvas = document.querySelector('canvas.vehicles');
          const [middle, high] = [Math.floor(canvas.width / 2), Math.floor(canvas.height / 2)];
          return canvas.getContext('2d').getImageData(middle, high, 1, 1).data[3];
        })()`);
      for (let drags = 0; drags < 3; drags += 1) {
        await page.mouse.move(x + width / 2, y + 80);
        await page.mouse.down();
        await page.mouse.move(x + width / 2, y + height - 5, { steps: 4 });
        await page.mouse.up();
      }
      await expect.poll(middleAlpha).toBe(0);
      await choose(await vehicleThat(true));
      await expect.poll(middleAlpha).toBe(255);
    });

    test('a page of another origin can neither read nor act', async () => {
      const { origin } = site;
      expect(await callFromPage(context, origin, `${url}/console/facts`)).toBe('TypeError');
      const { id } = running.vehicles[0] ?? { id: '' };
      const headers = { 'content-type': 'text/plain' };
      const act = `${url}/console/vehicles/${id}/acts/cut-link`;
      const init = { method: 'POST', mode: 'no-cors', headers, body: '{}' } as const;
      const before = await running.box(id).look();
      await callFromPage(context, origin, act, init);
      expect((await running.box(id).look()).belief['connection']).toBe(before.belief['connection']);
    });

    test('takes its subscription away when it ends, also while somebody reads', async () => {
      const data = mkdtempSync(join(tmpdir(), 'boxtwin-'));
      const own = await start({ vehicles: 1, console: true, data });
      const other = await context.newPage();
      const names = async ({ call }: Running) => (await call('GET', '/message-subscriptions')).text();
      await other.goto(`${own.consoleUrl}/#/messages`);
      await waitUntil(async () => (await names(own)).includes('console-'), 20_000);
      await own.stop();
      const again = await start({ vehicles: 1, data });
      expect(await names(again)).not.toContain('console-');
      await again.stop();
      await other.close();
      rmSync(data, { recursive: true });
    });

    test('complained of nothing', () => {
      expect(complaints).toEqual([]);
    });
  });
});
