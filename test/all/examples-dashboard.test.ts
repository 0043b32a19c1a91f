import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { controlApiAt } from '../../deployment/http/control-api.ts';
import { chromium, waitUntil, withService } from '../support/run/external-services.ts';
import { freePort } from '../support/run/free-port.ts';
import { openChromium } from '../support/sockets/chromium.ts';
import { ExampleProcess, exampleVariables } from '../support/sockets/example-process.ts';
import { UpProcess } from '../support/sockets/up-process.ts';

const PATIENCE_MS = 30_000;

await withService(chromium, ({ path }) => {
  describe('the dashboard', () => {
    const folder = mkdtempSync(join(tmpdir(), 'boxtwin-dashboard-'));
    let up: UpProcess;
    let server: ExampleProcess;
    let browser: Browser;
    let context: BrowserContext;
    let page: Page;
    let origin: string;
    const complaints: string[] = [];

    beforeAll(async () => {
      const port = await freePort();
      origin = `http://127.0.0.1:${port}`;
      const options = [
        '--vehicles',
        '3',
        '--drivers',
        'off',
        '--answer-timeout',
        '2',
        '--data',
        join(folder, 'data'),
        '--cors-origin',
        origin,
      ];
      up = await UpProcess.start([...options, ...(await UpProcess.ownPorts())]);
      const variables = { ...exampleVariables(up.ready), PORT: `${port}` };
      server = new ExampleProcess('dashboard/serve.js', variables);
      await server.start(origin);
      browser = await openChromium(path);
    });
    beforeEach(async () => {
      context = await browser.newContext();
      context.setDefaultTimeout(PATIENCE_MS);
      page = await context.newPage();
      page.on('pageerror', (error) => complaints.push(error.message));
    });
    afterEach(() => context.close());
    afterAll(async () => {
      await browser.close();
      await server.end('SIGTERM');
      await up.end('SIGTERM');
      rmSync(folder, { recursive: true, force: true });
    });

    async function signIn(decision: 'Allow' | 'Deny'): Promise<void> {
      await page.goto(origin);
      await page.click('#sign-in');
      expect(new URL(page.url()).searchParams.get('code_challenge_method')).toBe('S256');
      await page.fill('#name', up.ready.user_name);
      await page.fill('#password', up.ready.user_password);
      await page.click('button:has-text("Sign in")');
      await page.click(`button:has-text("${decision}")`);
      await page.waitForURL(`${origin}/`);
    }

    test('shows the fleet to who signs in, and unlocks a parked car', async () => {
      const control = controlApiAt(up.ready.simulator_url);
      await control('POST', '/boxes/8B13V/park', {});
      await waitUntil(async () => {
        const { truth } = (await control('GET', '/boxes/8B13V')) as {
          truth: { speedKph: number; locked: boolean };
        };
        return truth.speedKph === 0;
      }, PATIENCE_MS);
      const headers = { authorization: `Bearer ${await up.token()}` };
      const locking = `${up.ready.base_url}/vehicles/8B13V/commands/lock-central-lock`;
      await waitUntil(async () => (await fetch(locking, { method: 'POST', headers })).status === 200);

      await signIn('Allow');
      const row = page.locator('tr', { hasText: '8B13V' });
      await row.locator('button:has-text("Unlock")').click();
      await page.locator('[role=status]', { hasText: '8B13V: unlocked' }).waitFor();
      // Three with boxes, and the two that have their maker's telematics.
      expect(await page.locator('tbody tr').count()).toBe(5);
      const { truth } = (await control('GET', '/boxes/8B13V')) as { truth: { locked: boolean } };
      expect(truth.locked).toBe(false);

      await control('POST', '/boxes/8B13V/silence', { seconds: 60 });
      await row.locator('button:has-text("Lock")').click();
      await page.locator('[role=status]', { hasText: 'did not answer in time' }).waitFor();
      expect(complaints).toEqual([]);
    });

    test('says so where the person denies access, and shows nothing', async () => {
      await signIn('Deny');
      await page.locator('[role=status]', { hasText: 'access_denied' }).waitFor();
      expect(await page.locator('table').isHidden()).toBe(true);
    });

    test('takes no answer to another sign-in', async () => {
      await page.goto(`${origin}/?code=stolen&state=other`);
      await page.locator('[role=status]', { hasText: 'another sign-in' }).waitFor();
      expect(page.url()).toBe(`${origin}/`);
    });
  });
});

test('the dashboard says what to do where no simulator answers', async () => {
  const variables = {
    SIMULATOR: `http://127.0.0.1:${await freePort()}`,
    PORT: `${await freePort()}`,
  };
  const server = new ExampleProcess('dashboard/serve.js', variables);
  await expect(server.start('is served')).rejects.toThrow(/start "npx boxtwin up"/);
});

test('every example that misses its settings names them', async () => {
  const main = new ExampleProcess('car-sharing/main.ts', {
    API: '',
    CLIENT_ID: 'a',
  });
  await expect(main.start('drivers')).rejects.toThrow(/Set API, CLIENT_SECRET/);
});
