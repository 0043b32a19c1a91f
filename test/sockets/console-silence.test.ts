import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { consoleApp } from '../../console/server/console-app.ts';
import { consolePageFiles } from '../../deployment/console/page-files.ts';
import { type HttpServer, serveHttp } from '../../deployment/http/http-server.ts';
import { controlApp } from '../../simulator/control/app.ts';
import { realIds } from '../../world/ids/real-ids.ts';
import { realTime } from '../../world/time/real-time.ts';
import { chromium, withService } from '../support/run/external-services.ts';
import { fakeFleet, fakeTap } from '../support/simulator/fake-fleet.ts';
import { openChromium } from '../support/sockets/chromium.ts';

/** What a service answers, as far as the page needs it. */
const ANSWERS: Readonly<Record<string, unknown>> = {
  '/auth/oauth/token': { access_token: 'a-token' },
  '/health/live': { status: 'ok' },
  '/health': { ready: { checks: [{ name: 'store', status: 'ok' }] } },
  '/openapi.json': {
    paths: {
      '/vehicles/{id}/commands/unlock-central-lock': { post: { summary: 'Unlocks.', tags: ['Commands'] } },
    },
  },
};

await withService(chromium, ({ path }) => {
  describe('a console one of whose parts has ended, in Chromium', () => {
    let server: HttpServer;
    let browser: Browser;
    let page: Page;
    const ended = { service: false, simulator: false };

    beforeAll(async () => {
      const fleet = fakeFleet(3);
      const control = controlApp(fleet, fakeTap());
      const time = realTime();
      const refused = Object.assign(new TypeError('fetch failed'), { cause: { code: 'ECONNREFUSED' } });
      const { app } = consoleApp({
        world: { time, ids: realIds(time) },
        seed: 1,
        messages: undefined,
        hosts: 'loopback',
        page: consolePageFiles(),
        sources: {
          control: async (request) => {
            if (ended.simulator) throw refused;
            return control.fetch(request);
          },
          service: {
            baseUrl: 'http://127.0.0.1:8080',
            clientId: 'console',
            clientSecret: 'secret',
            fetch: async ({ url }) => {
              if (ended.service) throw refused;
              const answer = ANSWERS[new URL(url).pathname];
              return Response.json(answer ?? {}, { status: answer === undefined ? 404 : 200 });
            },
          },
        },
      });
      server = await serveHttp({ port: 0 }, (request) => app.fetch(request));
      browser = await openChromium(path);
      page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
      await page.goto(`http://127.0.0.1:${server.port}/`);
      await page.getByRole('listbox').getByRole('option').first().click();
      await page.getByRole('button', { name: 'unlock-central-lock' }).waitFor();
    });
    afterAll(async () => {
      await browser.close();
      await server.close();
    });
    const command = () => page.getByRole('button', { name: 'unlock-central-lock' });
    const act = () => page.getByRole('button', { name: 'Run', exact: true });

    test('without its service says so, commands are off, and what the simulator does goes on', async () => {
      ended.service = true;
      await page.getByText('The service does not answer: ECONNREFUSED.', { exact: true }).waitFor();
      await page.getByText(/What this page shows of the service is \d+ s old/).waitFor();
      expect([await command().isEnabled(), await act().isEnabled()]).toEqual([false, true]);
      // What the simulator tells is not old.
      expect(await page.locator('.page.stale').count()).toBe(0);
    });

    test('with its service again goes on by itself, and knows the checks again', async () => {
      ended.service = false;
      await page.locator('.silent').waitFor({ state: 'detached' });
      await expect.poll(() => command().isEnabled()).toBe(true);
      await page.getByRole('link', { name: 'Health' }).click();
      await page.getByRole('row', { name: 'store ok' }).waitFor();
      ended.service = true;
      await page.getByRole('row', { name: 'store unknown was ok' }).waitFor();
      await page.locator('.page.stale').waitFor();
      ended.service = false;
      await page.getByRole('row', { name: 'store ok' }).waitFor();
      await page.locator('.page.stale').waitFor({ state: 'detached' });
    });

    test('that was away when its page was opened is asked again for what the page needs', async () => {
      const late = await browser.newPage();
      await late.route(/\/console\/(facts|status|streets)/, (route) => route.abort());
      await late.goto(`http://127.0.0.1:${server.port}/#/fleet`);
      await late.getByText('The console does not answer.', { exact: true }).waitFor();
      // The map is opened, too.
      const streets = late.waitForResponse(/\/console\/streets/);
      await late.unrouteAll();
      await streets;
      await late.getByText(/^Seed 1 · 3 boxes/).waitFor();
      await late.getByRole('link', { name: 'Messages', exact: true }).click();
      await late.getByRole('alert').filter({ hasText: 'there are no messages' }).waitFor();
      await late.close();
    });

    test('without its simulator dims the fleet, and acts are off', async () => {
      await page.getByRole('link', { name: 'Fleet' }).click();
      await command().waitFor();
      ended.simulator = true;
      await page.getByText(/What this page shows of vehicles and boxes is \d+ s old/).waitFor();
      expect(await page.locator('.page.stale').count()).toBe(1);
      expect([await command().isEnabled(), await act().isEnabled()]).toEqual([true, false]);
      ended.simulator = false;
      await page.locator('.silent').waitFor({ state: 'detached' });
      await expect.poll(() => act().isEnabled()).toBe(true);
    });
  });
});
