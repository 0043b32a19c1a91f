import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { chromium, withService } from '../support/run/external-services.ts';
import { openChromium } from '../support/sockets/chromium.ts';
import { UpProcess } from '../support/sockets/up-process.ts';

const listOfSubscriptions = z.looseObject({
  items: z.array(z.looseObject({ id: z.string(), queue_discriminator: z.string() })),
});

const PATIENCE = { timeout: 30_000, interval: 1_000 };

await withService(chromium, ({ path }) => {
  describe('a console whose process is killed and started again, in Chromium', () => {
    const data = mkdtempSync(join(tmpdir(), 'boxtwin-console-'));
    let options: readonly string[];
    let up: UpProcess;
    let browser: Browser;
    let page: Page;

    beforeAll(async () => {
      options = ['--data', data, '--vehicles', '4', ...(await UpProcess.ownPorts())];
      up = await UpProcess.start(options);
      browser = await openChromium(path);
      page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    });
    afterAll(async () => {
      await browser.close();
      await up.end('SIGTERM');
      rmSync(data, { recursive: true });
    });

    test('says so in place, loses nothing that was typed, and goes on by itself', async () => {
      await page.goto(`${up.ready.console_url}/#/scenarios`);
      const editor = page.getByLabel('The scenario');
      await page.getByRole('button', { name: 'tunnel', exact: true }).waitFor();
      await editor.fill('name: typed-before-the-end');
      await up.end('SIGKILL');
      await page.getByText('Connection lost, retrying').waitFor();
      await page.getByRole('button', { name: 'tunnel', exact: true }).click();
      await page.getByRole('alert').filter({ hasText: 'The console does not answer' }).waitFor();
      expect(await editor.textContent()).toBe('name: typed-before-the-end');
      up = await UpProcess.start(options);
      await page.getByText(/· Live$/).waitFor();
      expect(await editor.textContent()).toBe('name: typed-before-the-end');
      // Under the session of the new process.
      await page.getByRole('button', { name: 'tunnel', exact: true }).click();
      await expect.poll(() => editor.textContent()).toContain('name: tunnel');
      await page.getByRole('link', { name: 'Fleet' }).click();
      await page.getByRole('listbox').getByRole('option').first().waitFor();
    });

    test('shows whoever was chosen, again with its service', async () => {
      await page.getByRole('listbox').getByRole('option').first().click();
      await page.locator('tr[data-property="ignition"]').waitFor();
      await up.end('SIGKILL');
      await page.getByRole('alert').filter({ hasText: 'does not answer' }).waitFor();
      up = await UpProcess.start(options);
      await page.getByRole('alert').waitFor({ state: 'detached' });
      await expect.poll(() => page.locator('.silence').count()).toBe(0);
    });

    test('says on every page how old it is, dims it and does nothing, and goes on by itself', async () => {
      const pages = ['fleet', 'messages', 'jobs', 'scenarios', 'health'];
      // Each has a context of its own: a browser has six connections for all pages of one.
      const opened = await Promise.all(
        pages.map(async (name) => {
          const tab = await browser.newPage();
          await tab.goto(`${up.ready.console_url}/#/${name}`);
          await tab.getByText(/· Live$/).waitFor();
          return tab;
        }),
      );
      const [fleet, , , , health] = opened;
      if (fleet === undefined || health === undefined) throw new Error('There are five pages.');
      await fleet.getByRole('listbox').getByRole('option').first().click();
      await fleet.getByRole('button', { name: 'unlock-central-lock' }).waitFor();
      const checks = health.getByRole('table', { name: 'Checks' }).getByRole('row');
      await checks.filter({ hasText: 'store' }).waitFor();
      const known = await checks.count();
      expect(known).toBeGreaterThan(3);
      await up.end('SIGKILL');
      for (const tab of opened) {
        await tab.getByText('The console does not answer.', { exact: true }).waitFor();
        await tab.getByText(/Everything that this page shows is \d+ s old/).waitFor();
        expect(await tab.locator('.page.stale').count()).toBe(1);
        const actions = tab.locator('.actions :is(button, input, select)');
        expect(await actions.and(tab.locator(':enabled')).count()).toBe(0);
      }
      expect(await fleet.locator('.actions button').count()).toBeGreaterThan(5);
      expect(await checks.filter({ hasText: 'unknown' }).count()).toBe(known);
      const age = async () => Number.parseInt((await health.getByRole('timer').textContent()) ?? '', 10);
      const before = await age();
      await expect.poll(age).toBeGreaterThan(before);
      up = await UpProcess.start(options);
      for (const tab of opened) {
        await tab.locator('.silent').waitFor({ state: 'detached' });
        expect(await tab.locator('.page.stale').count()).toBe(0);
      }
      await health.getByRole('row', { name: /store ok/ }).waitFor();
      await expect
        .poll(() => fleet.getByRole('button', { name: 'unlock-central-lock' }).isEnabled())
        .toBe(true);
      for (const tab of opened) await tab.close();
    });

    test('leaves no subscription behind, whoever read messages as it was killed', async () => {
      await page.goto(`${up.ready.console_url}/#/messages`);
      await expect.poll(() => subscriptionsOf(up), PATIENCE).toHaveLength(1);
      const [before] = await subscriptionsOf(up);
      await up.end('SIGKILL');
      up = await UpProcess.start(options);
      await page.getByText(/· Live$/).waitFor();
      await expect.poll(() => subscriptionsOf(up), PATIENCE).not.toContain(before);
      // The page goes on reading, with the one that is there now.
      await expect.poll(() => subscriptionsOf(up), PATIENCE).toHaveLength(1);
    });
  });
});

/** The ids of the console's subscriptions, as the API tells them. */
async function subscriptionsOf(up: UpProcess): Promise<readonly string[]> {
  const authorization = `Bearer ${await up.token()}`;
  const answer = await fetch(`${up.ready.base_url}/message-subscriptions`, { headers: { authorization } });
  const { items } = listOfSubscriptions.parse(await answer.json());
  return items.filter((one) => one.queue_discriminator.startsWith('console-')).map(({ id }) => id);
}
