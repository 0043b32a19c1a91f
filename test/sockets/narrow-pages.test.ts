import { type Browser, chromium as playwright } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type HttpServer, serveHttp } from '../../deployment/http/http-server.ts';
import { htmlPage } from '../../scenarios/reports/html/page.ts';
import { controlApp } from '../../simulator/control/app.ts';
import { chromium, withService } from '../support/run/external-services.ts';
import { FAILED_OUTCOME, FAILED_RUN } from '../support/scenarios/failed-outcome.ts';
import { fakeFleet, fakeTap } from '../support/simulator/fake-fleet.ts';

/** Of a telephone, and of the narrowest that are still about. */
const WIDTHS_PX = [390, 320];

const LONG = 'scenarios/of-a-folder-with-a-long-name/brown-out-during-command-and-much-more.yaml';

await withService(chromium, ({ path }) => {
  describe('pages on a narrow screen', () => {
    let browser: Browser;
    let server: HttpServer;
    beforeAll(async () => {
      // Tests run as root in containers, where the browser's own sandbox cannot be set up.
      browser = await playwright.launch({
        executablePath: path,
        chromiumSandbox: false,
        args: ['--disable-dev-shm-usage'],
      });
      const passed = { ...FAILED_OUTCOME, verdict: 'passed' as const, seed: 4_294_967_295 };
      const report = htmlPage([FAILED_RUN, { ...FAILED_RUN, file: LONG, outcome: passed }], 1);
      const { boxes } = fakeFleet(15);
      const simulator = controlApp({ boxes }, fakeTap());
      server = await serveHttp({ port: 0 }, (request) =>
        new URL(request.url).pathname === '/report'
          ? new Response(report, { headers: { 'content-type': 'text/html' } })
          : simulator.fetch(request),
      );
    });
    afterAll(async () => {
      await browser.close();
      await server.close();
    });

    test.each([
      ['the report of scenarios', '/report', 'of 3 scenarios passed'],
      ["the simulator's root", '/', 'What can be asked and done'],
    ])('%s does not scroll horizontally', async (_what, place, text) => {
      for (const width of WIDTHS_PX) {
        const page = await browser.newPage({ viewport: { width, height: 844 }, isMobile: true });
        await page.goto(`http://127.0.0.1:${server.port}${place}`);
        expect(await page.innerText('body')).toContain(text);
        for (const details of await page.$$('details')) await details.evaluate((one) => (one.open = true));
        const wide = await page.evaluate<number>('document.documentElement.scrollWidth');
        expect(wide).toBeLessThanOrEqual(width);
        await page.close();
      }
    });
  });
});
