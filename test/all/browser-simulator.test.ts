import type { Browser, BrowserContext } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type HttpServer, serveHttp } from '../../deployment/http/http-server.ts';
import { controlApp } from '../../simulator/control/app.ts';
import { chromium, waitUntil, withService } from '../support/run/external-services.ts';
import { fakeFleet, fakeTap } from '../support/simulator/fake-fleet.ts';
import { callFromPage, openChromium, startWebSite, type WebSite } from '../support/sockets/chromium.ts';

await withService(chromium, ({ path }) => {
  describe("the simulator's port, in Chromium", () => {
    const fleet = fakeFleet(2);
    const lever = `/boxes/${fleet.first.plan.boxId}/cut-link`;
    /** What it answered, as it saw it: a browser hides much of it. */
    let answers: string[];
    let server: HttpServer;
    let own: string;
    /** At another port, under either name of this machine; with a form, a link, and things to be loaded. */
    let sites: WebSite[];
    let browser: Browser;
    let context: BrowserContext;

    beforeAll(async () => {
      const app = controlApp(fleet, fakeTap());
      server = await serveHttp({ port: 0 }, async (request) => {
        const answer = await app.fetch(request);
        answers.push(`${request.method} ${new URL(request.url).pathname} ${answer.status}`);
        return answer;
      });
      own = `http://127.0.0.1:${server.port}`;
      const body = [
        `<form method="post" action="${own}${lever}"><button>send</button></form>`,
        `<a href="${own}/boxes">boxes</a>`,
        `<img src="${own}/picture"><iframe src="${own}/frame"></iframe><script src="${own}/script"></script>`,
      ].join('');
      sites = [await startWebSite(body), await startWebSite(body, 'localhost')];
      browser = await openChromium(path);
      context = await browser.newContext();
    });
    beforeEach(() => {
      answers = [];
      fleet.first.calls.length = 0;
    });
    afterAll(async () => {
      await browser.close();
      for (const one of [server, ...sites]) await one.close();
    });

    test('serves a page of its own origin', async () => {
      const method = 'POST';
      expect(await callFromPage(context, `${own}/boxes`, `${own}${lever}`, { method })).toMatchObject({
        status: 200,
      });
      expect(fleet.first.calls).toEqual(['cut-link']);
      const named = own.replace('127.0.0.1', 'localhost');
      expect(await callFromPage(context, `${named}/boxes`, `${named}${lever}`, { method })).toMatchObject({
        status: 200,
      });
    });

    test('does nothing for scripts of another port of this machine, whether or not they can read the answer', async () => {
      for (const { origin } of sites)
        for (const mode of ['cors', 'no-cors'] as const)
          for (const host of ['127.0.0.1', 'localhost'])
            await callFromPage(context, origin, `${own.replace('127.0.0.1', host)}${lever}`, {
              method: 'POST',
              mode,
            });
      expect(fleet.first.calls).toEqual([]);
      expect(answers.filter((answer) => answer.startsWith('POST'))).toEqual(
        Array(8).fill(`POST ${lever} 403`),
      );
    });

    test('does nothing for a form of another port', async () => {
      for (const { origin } of sites) {
        const page = await context.newPage();
        await page.goto(origin);
        await page.click('button');
        await waitUntil(() => answers.includes(`POST ${lever} 403`));
        // A page that is closed while it goes elsewhere may never be closed.
        await page.waitForURL(`${own}${lever}`);
        answers = [];
        await page.close();
      }
      expect(fleet.first.calls).toEqual([]);
    });

    test('cannot be embedded in a foreign page as image, frame or script; a link to it works', async () => {
      for (const { origin } of sites) {
        const page = await context.newPage();
        await page.goto(origin);
        const parts = ['GET /frame 403', 'GET /picture 403', 'GET /script 403'];
        await waitUntil(() => parts.every((part) => answers.includes(part)));
        expect(answers.filter((answer) => !parts.includes(answer))).toEqual([]);
        await page.click('a');
        await page.waitForURL(`${own}/boxes`);
        expect(answers).toContain('GET /boxes 200');
        answers = [];
        await page.close();
      }
    });
  });
});
