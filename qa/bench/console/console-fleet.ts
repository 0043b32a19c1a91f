import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Browser, chromium } from 'playwright-core';
import { endChild, lineOf } from '../measure/children.ts';
import { freePorts } from '../measure/free-ports.ts';

const COMMAND = fileURLToPath(new URL('../../../bin/boxtwin.js', import.meta.url));
const CHROMIUM = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium';

/** Why the console cannot be measured here; undefined: it can. */
export function noChromium(): string | undefined {
  return existsSync(CHROMIUM) ? undefined : `no Chromium at ${CHROMIUM} (CHROMIUM_PATH)`;
}

/** Measures in a browser, beside the console of a fleet in memory in a process of its own; ends both. */
export async function withConsole<Result>(
  vehicles: number,
  measure: (browser: Browser, url: string) => Promise<Result>,
): Promise<Result> {
  const data = mkdtempSync(join(tmpdir(), 'boxtwin-bench-'));
  const [page = 0, simulator = 0] = await freePorts(2);
  const child = spawn(
    process.execPath,
    [
      COMMAND,
      'fleet',
      '--link',
      'memory',
      '--vehicles',
      `${vehicles}`,
      '--data',
      data,
      '--json',
      '--console-port',
      `${page}`,
      '--simulator-port',
      `${simulator}`,
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const browser = await chromium.launch({ executablePath: CHROMIUM, chromiumSandbox: false });
  try {
    const { console_url: url } = await lineOf<{ readonly console_url: string }>(child);
    return await measure(browser, url);
  } finally {
    await browser.close();
    await endChild(child);
    rmSync(data, { recursive: true, force: true });
  }
}
