import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Running, start } from '../../library/start.ts';
import { chromium, withService } from '../support/run/external-services.ts';
import { openChromium } from '../support/sockets/chromium.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const PAGES = ['fleet', 'messages', 'jobs', 'scenarios', 'health'] as const;

/** What axe finds: `rule: element`. */
async function violations(page: Page): Promise<readonly string[]> {
  await page.evaluate(AXE);
  return page.evaluate(async () => {
    const { axe } = globalThis as unknown as {
      readonly axe: {
        run(): Promise<{
          readonly violations: readonly {
            readonly id: string;
            readonly nodes: readonly { readonly html: string }[];
          }[];
        }>;
      };
    };
    const found = await axe.run();
    return found.violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html }) => `${id}: ${html.slice(0, 160)}`),
    );
  });
}

await withService(chromium, ({ path }) => {
  describe('the console is for everybody, in Chromium', () => {
    let running: Running;
    let browser: Browser;

    beforeAll(async () => {
      running = await start({ vehicles: 12, makerVehicles: 2, unassignedDevices: 3, console: true });
      browser = await openChromium(path);
    });
    afterAll(async () => {
      await browser.close();
      await running.stop();
    });

    /** A page at that address, once it has what it shows. */
    async function opened(address: string, scheme: 'light' | 'dark', width: number): Promise<Page> {
      const context = await browser.newContext({
        viewport: { width, height: 800 },
        colorScheme: scheme,
        // axe is run within the page, whose policy allows nobody else's script.
        bypassCSP: true,
      });
      const page = await context.newPage();
      await page.goto(`${running.consoleUrl}/${address}`);
      await page.getByText(/[1-9]\d* boxes/).waitFor();
      return page;
    }

    test.each(PAGES.flatMap((name) => (['light', 'dark'] as const).map((scheme) => [name, scheme] as const)))(
      '%s has nothing that axe finds, in %s colours',
      async (name, scheme) => {
        const vehicle = running.vehicles[0]?.boxId ?? '';
        const page = await opened(`#/${name}?vehicle=${vehicle}`, scheme, 1280);
        if (name === 'fleet')
          await page.getByRole('heading', { name: running.vehicles[0]?.id ?? '' }).waitFor();
        if (name === 'messages') await page.locator('.messages li').first().waitFor({ timeout: 30_000 });
        await page.waitForTimeout(500);
        expect(await violations(page)).toEqual([]);
        await page.context().close();
      },
    );

    test.each(['light', 'dark'] as const)(
      'a page whose console does not answer has nothing that axe finds, in %s colours',
      async (scheme) => {
        for (const name of PAGES) {
          const page = await opened(`#/${name}?vehicle=${running.vehicles[0]?.boxId ?? ''}`, scheme, 1280);
          if (name === 'fleet') await page.getByRole('button', { name: 'unlock-central-lock' }).waitFor();
          if (name === 'health') await page.getByRole('row', { name: /store ok/ }).waitFor();
          await page.context().setOffline(true);
          await page.locator('.stale').waitFor();
          expect(await violations(page), name).toEqual([]);
          await page.context().close();
        }
      },
    );

    test.each([375, 768, 1280])('no page is wider than %i pixels', async (width) => {
      for (const name of PAGES) {
        const page = await opened(`#/${name}?vehicle=${running.vehicles[0]?.boxId ?? ''}`, 'light', width);
        await page.waitForTimeout(300);
        const wide = await page.evaluate('document.documentElement.scrollWidth');
        expect(wide, name).toBeLessThanOrEqual(width);
        await page.context().close();
      }
    });

    test('on a narrow page the vehicle that is chosen stands below the map, and is seen', async () => {
      const page = await opened(`#/fleet?vehicle=${running.vehicles[0]?.boxId ?? ''}`, 'light', 375);
      await page.getByRole('heading', { name: running.vehicles[0]?.id ?? '' }).waitFor();
      const { y = Number.NaN } = (await page.getByRole('complementary').boundingBox()) ?? {};
      expect(y).toBeLessThan((page.viewportSize()?.height ?? 0) - 100);
      await page.context().close();
    });

    test('a finger draws a zone', async () => {
      const page = await opened('', 'light', 768);
      await page.getByText(/^Dead zones/).click();
      await page.getByRole('button', { name: 'Draw a circle' }).click();
      const { x, y, width, height } = (await page.locator('.drawing').boundingBox()) ?? {
        x: 0,
        y: 0,
        width: 0,
        height: 0,
      };
      const finger = await page.context().newCDPSession(page);
      const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', offset?: number) =>
        finger.send('Input.dispatchTouchEvent', {
          type,
          touchPoints: offset === undefined ? [] : [{ x: x + width / 2 + offset, y: y + height / 2 }],
        });
      await touch('touchStart', 0);
      for (const offset of [20, 40, 60]) await touch('touchMove', offset);
      await touch('touchEnd');
      await page.getByRole('button', { name: 'Remove' }).click();
      await page.context().close();
    });

    test('everything is reached by keyboard: search, list, commands', async () => {
      const page = await opened('', 'light', 1280);
      await page.getByRole('searchbox').focus();
      await page.keyboard.type('ready');
      await page.getByRole('listbox').focus();
      await page.keyboard.press('ArrowDown');
      await page.getByRole('complementary', { name: 'Vehicle' }).waitFor();
      const names = new Set<string>();
      for (let presses = 0; presses < 60; presses += 1) {
        await page.keyboard.press('Tab');
        names.add(String(await page.evaluate("document.activeElement?.textContent ?? ''")).slice(0, 40));
      }
      expect([...names]).toEqual(expect.arrayContaining(['unlock-central-lock', 'Run']));
      await page.context().close();
    });
  });
});
