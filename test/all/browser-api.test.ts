import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { chromium, withService } from '../support/run/external-services.ts';
import {
  callFromPage,
  openChromium,
  type PageCall,
  startWebSite,
  type WebSite,
} from '../support/sockets/chromium.ts';
import { UpProcess } from '../support/sockets/up-process.ts';

/**
 * Swagger UI writes the time into its state, asks for a token, draws it all: on a loaded machine that takes a while.
 */
const PATIENCE_MS = 30_000;

await withService(chromium, ({ path }) => {
  describe('the API in Chromium', () => {
    let folder: string;
    let up: UpProcess;
    let friend: WebSite;
    let stranger: WebSite;
    let browser: Browser;
    let context: BrowserContext;
    let base: string;

    beforeAll(async () => {
      folder = mkdtempSync(join(tmpdir(), 'boxtwin-browser-'));
      [friend, stranger] = [await startWebSite(), await startWebSite('', 'localhost')];
      const options = ['--vehicles', '2', '--data', join(folder, 'data'), '--cors-origin', friend.origin];
      up = await UpProcess.start([...options, ...(await UpProcess.ownPorts())]);
      base = up.ready.base_url;
      browser = await openChromium(path);
    });
    beforeEach(async () => {
      context = await browser.newContext();
      context.setDefaultTimeout(PATIENCE_MS);
    });
    afterEach(() => context.close());
    afterAll(async () => {
      await browser.close();
      await up.end('SIGTERM');
      for (const site of [friend, stranger]) await site.close();
      rmSync(folder, { recursive: true, force: true });
    });

    const call = (site: WebSite, address: string, init: Parameters<typeof callFromPage>[3] = {}) =>
      callFromPage(context, site.origin, address, init);
    const seen = (answer: PageCall | string): PageCall => {
      if (typeof answer === 'string') throw new Error(`the page saw nothing: ${answer}`);
      return answer;
    };
    const json = (answer: PageCall | string) => JSON.parse(seen(answer).body) as Record<string, unknown>;
    /** A token request as OAuth libraries send it: with an Authorization header, so the browser asks beforehand. */
    const tokenRequest = () => ({
      method: 'POST',
      headers: {
        authorization: `Basic ${btoa(`${up.ready.client_id}:${up.ready.client_secret}`)}`,
        'content-type': 'application/x-www-form-urlencoded',
      },
      body: 'grant_type=client_credentials',
    });

    test('lets a page of an allowed origin use discovery, get a token, read, change, and read a refusal', async () => {
      const found = json(await call(friend, `${base}/.well-known/openid-configuration`));
      const keys = json(await call(friend, String(found['jwks_uri'])));
      expect(keys['keys']).toHaveLength(1);
      const tokens = json(await call(friend, String(found['token_endpoint']), tokenRequest()));
      const authorization = `Bearer ${String(tokens['access_token'])}`;
      const list = seen(await call(friend, `${base}/vehicles`, { headers: { authorization } }));
      const { items } = JSON.parse(list.body) as { items: readonly { readonly id: string }[] };
      expect(list.headers['x-rate-limit-remaining']).toMatch(/^\d+$/);
      const address = `${base}/vehicles/${items[0]?.id}`;
      const one = seen(await call(friend, address, { headers: { authorization } }));
      expect(one.headers['etag']).toMatch(/^"\d+\.[0-9a-f]{16}"$/);
      const change = { method: 'PATCH', body: '{"tags":["browser"]}' };
      const patch = (etag: string) =>
        call(friend, address, {
          ...change,
          headers: { authorization, 'content-type': 'application/json', 'if-match': etag },
        });
      expect(seen(await patch(one.headers['etag'] ?? '')).status).toBe(200);
      const refused = seen(await patch('"0"'));
      expect(refused.status).toBe(412);
      expect(refused.headers['x-service-flow-id']).toBe(
        (JSON.parse(refused.body) as Record<string, unknown>)['flow_id'],
      );
      expect(seen(await call(friend, `${base}/vehicles`)).status).toBe(401);
      expect(seen(await call(friend, `${base}/nowhere`)).status).toBe(404);
    });

    test('shows a page of another origin nothing, not even a refusal, and accepts no change from it', async () => {
      const authorization = `Bearer ${await up.token()}`;
      expect(await call(stranger, `${base}/vehicles`)).toBe('TypeError');
      expect(await call(stranger, `${base}/vehicles`, { headers: { authorization } })).toBe('TypeError');
      expect(await call(stranger, `${base}/auth/oauth/token`, tokenRequest())).toBe('TypeError');
      expect(await call(stranger, `${base}/.well-known/openid-configuration`)).toBe('TypeError');
      const apart = ['/auth/oauth/authorize', '/docs', '/health', '/metrics'];
      for (const place of apart) expect(await call(friend, `${base}${place}`), place).toBe('TypeError');
    });

    /** Opens the reference and its sign-in, which is a window of its own. */
    async function openSignIn(page: Page): Promise<Page> {
      await page.goto(`${base}/docs`);
      await page.click('button.authorize');
      const flow = page.locator('.auth-container', { hasText: 'authorizationCode' });
      expect(await flow.locator('input[id^="client_id"]').inputValue()).toBe('reference-page');
      const opened = context.waitForEvent('page');
      await flow.locator('button.authorize').click();
      return opened;
    }

    async function signIn(window: Page): Promise<void> {
      await window.fill('#name', up.ready.user_name);
      await window.fill('#password', up.ready.user_password);
      await window.click('button:has-text("Sign in")');
      await window.waitForSelector('button:has-text("Allow")');
    }

    test('has a reference in which a call can be tried after the sign-in', async () => {
      const page = await context.newPage();
      const complaints: string[] = [];
      page.on('console', (message) => {
        if (message.type() === 'error') complaints.push(message.text());
      });
      const window = await openSignIn(page);
      expect(new URL(window.url()).searchParams.get('code_challenge_method')).toBe('S256');
      await signIn(window);
      const closed = window.waitForEvent('close');
      await window.click('button:has-text("Allow")');
      await closed;
      const flow = page.locator('.auth-container', { hasText: 'authorizationCode' });
      await flow.locator('button:has-text("Logout")').waitFor();
      await page.click('.modal-ux button.close-modal');

      await page.click('#operations-tag-Vehicles');
      const operation = page.locator('#operations-Vehicles-getVehicles');
      await operation.locator('button.opblock-summary-control').click();
      await operation.locator('button:has-text("Try it out")').click();
      const answered = page.waitForResponse((response) => response.url().startsWith(`${base}/vehicles`));
      await operation.locator('button.execute').click();
      expect((await answered).status()).toBe(200);
      await operation.locator('.live-responses-table td.response-col_status:has-text("200")').waitFor();
      expect(complaints).toEqual([]);
    });

    test('has a reference that shows when the person denies access', async () => {
      const page = await context.newPage();
      const window = await openSignIn(page);
      await signIn(window);
      const closed = window.waitForEvent('close');
      await window.click('button:has-text("Deny")');
      await closed;
      await page.locator('.auth-container .errors', { hasText: 'access_denied' }).first().waitFor();
    });

    test('has its reference under localhost too, at the name that the API has', async () => {
      const page = await context.newPage();
      await page.goto(`${base.replace('127.0.0.1', 'localhost')}/docs`);
      expect(page.url()).toBe(`${base}/docs`);
    });
  });
});
