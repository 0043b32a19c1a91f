import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Running, start } from '../../library/start.ts';
import { chromium, withService } from '../support/run/external-services.ts';
import { openChromium } from '../support/sockets/chromium.ts';

await withService(chromium, ({ path }) => {
  describe('scenarios on the console, in Chromium', () => {
    let running: Running;
    let browser: Browser;
    let page: Page;

    beforeAll(async () => {
      running = await start({ vehicles: 3, console: true });
      browser = await openChromium(path);
      page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
      await page.goto(`${running.consoleUrl}/#/scenarios`);
    });
    afterAll(async () => {
      await browser.close();
      await running.stop();
    });
    const editor = () => page.getByLabel('The scenario');
    /** The text in the editor: what is seen of it is only a part. */
    const text = async () => String(await page.evaluate("sessionStorage.getItem('boxtwin-draft') ?? ''"));
    const run = async (verdict: string) => {
      await page.getByRole('button', { name: 'Run', exact: true }).click();
      await page.locator('.result .outcome', { hasText: verdict }).waitFor({ timeout: 60_000 });
    };

    test('one with a mistake says where, cannot be run, and can once it is mended; what was typed stays', async () => {
      await page.getByRole('button', { name: 'tunnel', exact: true }).click();
      await expect.poll(() => text()).toContain('name: tunnel');
      const right = await text();
      await editor().fill(right.replace('coverage: none', 'covrage: none'));
      await page.locator('.mistakes li', { hasText: 'coverage' }).waitFor();
      expect(await page.getByRole('button', { name: 'Run', exact: true }).isDisabled()).toBe(true);
      await page.reload();
      await expect.poll(() => text()).toContain('covrage');
      await editor().fill(right);
      await page.locator('.mistakes li').waitFor({ state: 'detached' });
      await run('passed');
    });

    test('the words of the language are offered where they fit', async () => {
      const right = await text();
      await editor().fill('name: x\nsteps:\n  - at: 1m\n    weather: { cov');
      await editor().press('Control+End');
      await page.keyboard.type('e');
      await page.locator('.cm-tooltip-autocomplete', { hasText: 'coverage' }).waitFor();
      // An offer that has just come is not taken by accident.
      await page.waitForTimeout(300);
      await page.keyboard.press('Enter');
      await expect.poll(text).toContain('weather: { coverage');
      await editor().fill(right);
    });

    test('what is typed faster than the page is drawn stays as it was typed', async () => {
      const right = await text();
      await editor().fill('# ');
      await editor().press('Control+End');
      const words = Array.from({ length: 60 }, (_, index) => `${index} `);
      await Promise.all(words.map((word) => page.keyboard.insertText(word)));
      await expect.poll(text).toBe(`# ${words.join('')}`);
      await editor().fill(right);
      await run('passed');
    });

    test('a text that is chosen stands in the editor before anything can be typed over it', async () => {
      const right = await text();
      await editor().fill('name: before');
      await expect.poll(text).toBe('name: before');
      // The next task after the draft is kept is the first in which a key could arrive.
      const seen = page.evaluate(`new Promise((tell) => {
        const keep = Storage.prototype.setItem;
        Storage.prototype.setItem = function (key, value) {
          keep.call(this, key, value);
          if (key !== 'boxtwin-draft') return;
          Storage.prototype.setItem = keep;
          setTimeout(() => tell(document.querySelector('.yaml').shadowRoot.textContent));
        };
      })`);
      await page.getByRole('button', { name: 'tunnel', exact: true }).click();
      expect(await seen).toContain('name: tunnel');
      await editor().fill(right);
    });

    test('a run is replayed, and branched: the same up to that moment', async () => {
      await page.getByRole('link', { name: 'Replay' }).click();
      await page.getByRole('heading', { name: 'tunnel' }).waitFor();
      await page.getByLabel('Moment').fill((await page.getByLabel('Moment').getAttribute('min')) ?? '');
      await page.getByRole('button', { name: 'New scenario from here' }).click();
      // That is another page.
      await editor().waitFor();
      await expect.poll(() => text()).toContain('The run up to 0s');
      expect(await text()).not.toContain('unlock-central-lock');
      await run('passed');
    });

    test('weather is applied to a vehicle and removed, a part is broken and repaired', async () => {
      await page.getByRole('link', { name: 'Fleet' }).click();
      await page.getByRole('listbox').getByRole('option').first().click();
      const panel = page.getByRole('region', { name: 'Faults' });
      await panel.getByRole('combobox').selectOption('weather half_open');
      await panel.getByLabel('Duration').fill('');
      await panel.getByRole('button', { name: 'Apply' }).click();
      const inForce = panel.getByRole('list', { name: 'Active' }).getByRole('listitem');
      await inForce.filter({ hasText: 'half_open' }).filter({ hasText: 'until removed' }).waitFor();
      await inForce.getByRole('button', { name: 'Remove' }).click();
      await inForce.waitFor({ state: 'detached' });
      await panel.getByRole('combobox').selectOption('weather latency');
      await panel.getByLabel('Settings as in a scenario (JSON)').fill('{"weather":{"latncy":{}}}');
      await panel.getByRole('button', { name: 'Apply' }).click();
      await panel.getByRole('alert').filter({ hasText: 'Did you mean latency?' }).waitFor();
      await page.getByRole('link', { name: 'Health' }).click();
      await panel.getByRole('combobox').selectOption('exchange blocked');
      await panel.getByRole('button', { name: 'Apply' }).click();
      await page.getByRole('row', { name: /amqp degraded/ }).waitFor();
      await inForce.getByRole('button', { name: 'Remove' }).click();
      await page.getByRole('row', { name: /amqp ok/ }).waitFor();
    });

    test('the exported actions do again what was done', async () => {
      await page.getByRole('link', { name: 'Fleet' }).click();
      await page.getByRole('listbox').getByRole('option').first().click();
      await page.getByLabel('Action or fault').selectOption('cut-link');
      await page.getByRole('button', { name: 'Run', exact: true }).click();
      await page.locator('.done .good', { hasText: 'cut-link' }).waitFor();
      await page.getByRole('link', { name: 'Scenarios' }).click();
      await page.getByRole('button', { name: 'Export my actions' }).click();
      await expect.poll(() => text()).toContain('weather: cut');
      expect(await text()).toMatch(/half_open[\s\S]*break: \{ exchange/);
      await run('passed');
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await page.getByRole('button', { name: 'by-hand', exact: true }).waitFor();
    });
  });
});
