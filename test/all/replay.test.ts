import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chromium, withService } from '../support/run/external-services.ts';
import { PROGRAM } from '../support/run/product.ts';
import { openChromium } from '../support/sockets/chromium.ts';
import { type PartProcess, startPart } from '../support/sockets/up-process.ts';

/** It fails: the cars are silent for longer than is waited for them. */
const FAILING = `name: too-long
about: A call that hopes for too much.
seed: 3
fleet: [{ count: 2, model: petrol-compact, driving: true }]
steps:
  - at: 1m
    weather: { coverage: none }
    for: 3m
  - at: 2m
    call: { command: unlock-central-lock }
    expect: { status: 200 }
`;

await withService(chromium, ({ path }) => {
  describe('the replay of a run, in Chromium', () => {
    const folder = mkdtempSync(join(tmpdir(), 'boxtwin-replay-'));
    const trace = join(folder, 'run.ndjson');
    let shown: PartProcess;
    let browser: Browser;
    let page: Page;
    const complaints: string[] = [];

    beforeAll(async () => {
      const file = join(folder, 'too-long.yaml');
      writeFileSync(file, FAILING);
      try {
        execFileSync(process.execPath, [PROGRAM, 'scenario', 'run', file, '--trace', trace, '--quiet']);
        throw new Error('The scenario should fail.');
      } catch (error) {
        expect((error as { readonly status?: number }).status).toBe(1);
      }
      shown = await startPart(['console', trace, '--port', '0']);
      browser = await openChromium(path);
      page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
      page.on('pageerror', (error) => complaints.push(String(error)));
      page.on('console', (message) => {
        if (message.type() === 'error') complaints.push(message.text());
      });
      await page.goto(String(shown.ready['console_url']));
      await page.getByRole('heading', { name: 'too-long' }).waitFor();
    });
    afterAll(async () => {
      await browser.close();
      await shown.end('SIGTERM');
      rmSync(folder, { recursive: true });
    });

    const cell = (of: string) => page.locator(`tr[data-vehicle="1"] td[data-of="${of}"]`).textContent();

    test('begins at its first failure, and shows what was so then', async () => {
      expect(await page.getByLabel('Failures').getByRole('listitem').count()).toBe(2);
      expect(await cell('session')).toContain('Offline');
      expect(await page.getByLabel('Active faults').textContent()).toContain('weather coverage none');
      expect(await page.locator('.log li', { hasText: '504' }).count()).toBeGreaterThan(0);
    });

    test('moves through time by slider and keys: session and journal follow', async () => {
      const slider = page.getByLabel('Moment');
      await slider.fill((await slider.getAttribute('min')) ?? '');
      expect(await cell('session')).toContain('Ready');
      await slider.fill((await slider.getAttribute('max')) ?? '');
      expect(await cell('messages')).not.toBe('0');
      await page.getByRole('button', { name: '1 petrol-compact' }).click();
      const before = await page.locator('.time output').textContent();
      await page.keyboard.press('p');
      expect(await page.locator('.time output').textContent()).not.toBe(before);
    });

    test('is saved as one file, which shows the same without a server, and runs nothing else', async () => {
      const downloading = page.waitForEvent('download');
      await page.getByRole('button', { name: 'Save as one HTML file' }).click();
      const file = join(folder, 'saved.html');
      await (await downloading).saveAs(file);
      const saved = await browser.newPage();
      const asked: string[] = [];
      saved.on('request', (request) => asked.push(request.url()));
      saved.on('pageerror', (error) => complaints.push(String(error)));
      await saved.goto(pathToFileURL(file).href);
      await saved.getByRole('heading', { name: 'too-long' }).waitFor();
      expect(await saved.getByLabel('Failures').getByRole('listitem').count()).toBe(2);
      expect(asked.filter((url) => !url.startsWith('blob:'))).toEqual([pathToFileURL(file).href]);
      await saved.close();
    });

    test('stands beside another one, at the moment where the two part', async () => {
      const passing = join(folder, 'passing.yaml');
      const second = join(folder, 'passing.ndjson');
      writeFileSync(
        passing,
        FAILING.replace('for: 3m', 'for: 30s').replace('at: 2m', 'at: 2m30s').replace('true', 'false'),
      );
      execFileSync(process.execPath, [PROGRAM, 'scenario', 'run', passing, '--trace', second, '--quiet']);
      await page.getByLabel('Compare with…').setInputFiles(second);
      await page.getByRole('status').filter({ hasText: 'First difference at' }).waitFor();
      expect(await page.getByRole('region', { name: 'The other run' }).getByText('passed').count()).toBe(1);
      await page.getByRole('button', { name: 'Close comparison' }).click();
      await page.getByLabel('Moment', { exact: true }).waitFor();
    });

    test('another file takes its place by the dialog, and one that is no trace leaves it there', async () => {
      const other = join(folder, 'other.ndjson');
      writeFileSync(other, 'no trace\n');
      await page.getByLabel('Open trace…').setInputFiles(other);
      await page.getByRole('alert').filter({ hasText: 'Line 1: this is not JSON' }).waitFor();
      expect(await page.getByRole('heading', { name: 'too-long' }).count()).toBe(1);
    });

    test('complained of nothing', () => {
      expect(complaints).toEqual([]);
    });
  });
});
