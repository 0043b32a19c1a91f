import type { Page } from 'playwright-core';
import type { Duration } from '../measure/figures.ts';
import { noChromium, withConsole } from './console-fleet.ts';

const VEHICLES = 10_000;
const WATCHED_MS = 30_000;

/** A page that does nothing but move as many points on a canvas, for comparison. */
const BARE = `<!doctype html><canvas id="c" width="1280" height="800"></canvas><script>
const points = Array.from({ length: ${VEHICLES} }, (_, i) => [(i * 7919) % 1280, (i * 104729) % 800]);
const context = document.getElementById('c').getContext('2d');
(function draw(now) {
  context.clearRect(0, 0, 1280, 800);
  const path = new Path2D();
  for (const [x, y] of points) path.rect(x + Math.sin(now / 500), y, 3, 3);
  context.fill(path);
  requestAnimationFrame(draw);
})(0);
</script>`;

/** How long the page's tasks of over 100 ms took in half a minute: in percent of that. */
const LONG_TASKS = `new Promise((done) => {
  let longMs = 0;
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) if (duration > 100) longMs += duration;
  }).observe({ entryTypes: ['longtask'] });
  setTimeout(() => done((100 * longMs) / ${WATCHED_MS}), ${WATCHED_MS});
})`;

/**
 * The console with ten thousand vehicles in memory, in a Chromium that renders by software: the share of half a minute after
 * loading that tasks of over 100 ms take. A bare loop that moves as many points on a canvas is measured in the same run.
 */
export async function consolePage(rounds: number): Promise<Duration | string> {
  const trouble = noChromium();
  if (trouble !== undefined) return trouble;
  const ours: number[] = [];
  const bare: number[] = [];
  await withConsole(VEHICLES, async (browser, url) => {
    for (let round = 0; round < rounds; round += 1) {
      ours.push(
        await measured(await browser.newPage(), async (one) => {
          await one.goto(url);
          await one.getByText(/^\d{5} of \d{5}$/).waitFor();
        }),
      );
      bare.push(await measured(await browser.newPage(), (one) => one.setContent(BARE)));
    }
  });
  const least = Math.min(...bare).toFixed(2);
  return {
    name: `the console with 10,000 vehicles: 30 s in tasks over 100 ms (a bare canvas loop: ${least} %)`,
    unit: '%',
    durations: ours,
    aim: 1,
  };
}

async function measured(page: Page, open: (page: Page) => Promise<unknown>): Promise<number> {
  await open(page);
  const share = Number(await page.evaluate(LONG_TASKS));
  await page.close();
  return share;
}
