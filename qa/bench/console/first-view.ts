import type { BrowserContext } from 'playwright-core';
import type { Duration } from '../measure/figures.ts';
import { noChromium, withConsole } from './console-fleet.ts';

const VEHICLES = 25;
/** Soon enough that nobody wonders whether it comes, in milliseconds. */
const AIM_MS = 1_000;

/**
 * From the address to the list of the fleet: cold in a browser that has nothing of the page, warm in one that has seen it. The
 * page is built before that: a checkout does so once, a package is delivered with it.
 */
export async function consoleFirstView(how: 'cold' | 'warm', rounds: number): Promise<Duration | string> {
  const trouble = noChromium();
  if (trouble !== undefined) return trouble;
  const durations = await withConsole(VEHICLES, async (browser, url) => {
    const found: number[] = [];
    const warm = await browser.newContext();
    // Also builds it, in a checkout.
    await viewedMs(warm, url);
    for (let round = 0; round < rounds; round += 1) {
      const context = how === 'warm' ? warm : await browser.newContext();
      found.push(await viewedMs(context, url));
      if (how === 'cold') await context.close();
    }
    return found;
  });
  const which = how === 'cold' ? 'that has nothing of it' : 'that has seen it';
  return {
    name: `the console's first view: the fleet in a browser ${which}`,
    unit: 'ms',
    durations,
    aim: AIM_MS,
  };
}

async function viewedMs(context: BrowserContext, url: string): Promise<number> {
  const page = await context.newPage();
  const beganMs = performance.now();
  await page.goto(url);
  await page.getByRole('listbox').getByRole('option').first().waitFor();
  const tookMs = performance.now() - beganMs;
  await page.close();
  return Math.round(tookMs);
}
