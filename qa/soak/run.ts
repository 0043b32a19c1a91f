import type { ChildProcess } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { scriptOptions } from '../../test/support/run/script-options.ts';
import { realRandom } from '../../world/random/real-random.ts';
import { loadAverage, machineText } from '../bench/measure/machine.ts';
import { boxesOf, commandClient, figuresOf, type Outcomes } from './clients.ts';
import { type Consumer, startConsumer } from './consumer.ts';
import { type Drive, startCommands, startWeather } from './drive.ts';
import { limits } from './limits.ts';
import { soakReport } from './report.ts';
import { endUp, type LedgerVerdict, ledgerOf, type RunningUp, startUp } from './up.ts';
import { startWatch, type Watch } from './watch.ts';

/** What the script takes, and does. */
const USAGE = {
  name: 'soak',
  line: '--minutes 20 [--vehicles 2000] [--seed 1] [--out qa/soak]',
  does: `Runs "up" in several processes with weather, commands and a consumer: is the memory of each part flat, and the ledger
clean? Exit code 0: yes; 1: no; 2: a wrong option; 130: Ctrl-C.`,
};
const MINUTE_MS = 60_000;
const { values } = scriptOptions(USAGE, {
  minutes: { type: 'string' },
  vehicles: { type: 'string', default: '2000' },
  seed: { type: 'string', default: '1' },
  out: { type: 'string', default: fileURLToPath(new URL('.', import.meta.url)) },
});
const minutes = given('minutes', values.minutes, limits.minutes);
const vehicles = given('vehicles', values.vehicles, limits.vehicles);
const seed = given('seed', values.seed, 2 ** 31);

const folder = mkdtempSync(join(tmpdir(), 'boxtwin-soak-'));
const ending = new AbortController();
const { signal } = ending;
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => ending.abort());
/** What has to be ended, the last first. */
const ends: (() => Promise<unknown>)[] = [];
try {
  process.exitCode = (await Promise.race([soak(), aborted()])) ? 0 : 1;
} catch (error) {
  if (!signal.aborted) say(error instanceof Error ? error.message : String(error));
  process.exitCode = signal.aborted ? 130 : 1;
} finally {
  for (const end of ends.toReversed())
    await end().catch((error: unknown) => say(`at the end: ${String(error)}`));
}
if (process.exitCode === 1) say(`The data directory and the messages stay in ${folder}.`);
else rmSync(folder, { recursive: true, force: true });
// Requests that nobody waits for any more must not keep it.
process.exit();

/** Resolves with whether it has passed. Rejects where it could not be carried out. */
async function soak(): Promise<boolean> {
  const loadBefore = loadAverage();
  const random = realRandom(seed);
  const outcomes: Outcomes = new Map();
  const data = join(folder, 'data');
  const messages = join(folder, 'messages.ndjson');
  const up = await startUp(data, vehicles, (child: ChildProcess) => ends.push(() => endUp(child)));
  const died = up.ended.then((how) => Promise.reject(new Error(`up has ended with ${how}.`)));
  died.catch(() => undefined);
  const consumer = startConsumer(up.ready.amqp_url, messages, say);
  ends.push(() => consumer.close());
  return await Promise.race([
    died,
    consumer.failed,
    inSteps({ up, consumer, random, outcomes, data, messages, loadBefore }),
  ]);
}

async function inSteps(parts: {
  readonly up: RunningUp;
  readonly consumer: Consumer;
  readonly random: ReturnType<typeof realRandom>;
  readonly outcomes: Outcomes;
  readonly data: string;
  readonly messages: string;
  readonly loadBefore: number;
}): Promise<boolean> {
  const { up, consumer, random, outcomes, data, messages, loadBefore } = parts;
  const { base_url: baseUrl, simulator_url: simulatorUrl } = up.ready;
  const connectedBefore = await online(baseUrl);
  const boxes = await boxesOf(simulatorUrl);
  say(`${connectedBefore} of ${vehicles} boxes are connected; the weather begins.`);
  const client = commandClient(up.ready, outcomes);
  await client.renew();
  const forMs = minutes * MINUTE_MS;
  const watch = startWatch(up.pid, baseUrl);
  const drives: readonly Drive[] = [
    startWeather({ simulatorUrl, boxes, random, forMs, outcomes }),
    startCommands({ client, boxes, random, outcomes }),
  ];
  ends.push(() => watch.stop());
  await passTime(forMs, watch, consumer);
  await watch.stop();
  await Promise.all(drives.map((drive) => drive.stop()));
  say('The weather is over; boxes heal and journals drain.');
  const { healedAfterS, ledger } = await healed({ baseUrl, data, messages, connectedBefore });
  const plot = join(values.out, 'result.svg');
  const { isPassed, markdown, svg } = soakReport(
    {
      minutes,
      vehicles,
      seed,
      outcomes,
      connectedBefore,
      healedAfterS,
      ledger,
      date: new Date().toISOString().slice(0, 10),
      machine: machineText(),
      loadAverages: [loadBefore, loadAverage()],
      memory: watch.memory,
      service: watch.service,
      restarted: watch.restarted,
      messages: consumer.count(),
    },
    limits,
    basename(plot),
  );
  mkdirSync(values.out, { recursive: true });
  writeFileSync(join(values.out, 'result.md'), markdown);
  writeFileSync(plot, svg);
  process.stdout.write(markdown);
  return isPassed;
}

/** Resolves with how many boxes are connected, once enough of them are. Rejects where they are not in time. */
async function online(baseUrl: string): Promise<number> {
  const wanted = Math.ceil(vehicles * limits.onlineShare);
  const fromMs = performance.now();
  let toldMs = fromMs;
  for (;;) {
    const connected = (await figuresOf(baseUrl))?.connected ?? 0;
    if (connected >= wanted) return connected;
    const nowMs = performance.now();
    if (nowMs - fromMs > limits.onlineMs)
      throw new Error(
        `${connected} of ${vehicles} boxes were connected after ${limits.onlineMs / 1_000} s, fewer than ${wanted}: take fewer (--vehicles).`,
      );
    if (nowMs - toldMs >= limits.progressMs) {
      say(`${connected} of ${vehicles} boxes are connected.`);
      toldMs = nowMs;
    }
    await sleep(1_000, undefined, { signal });
  }
}

async function passTime(forMs: number, watch: Watch, consumer: Consumer): Promise<void> {
  const fromMs = performance.now();
  for (;;) {
    const leftMs = forMs - (performance.now() - fromMs);
    if (leftMs <= 0) return;
    await sleep(Math.min(leftMs, limits.progressMs), undefined, { signal });
    const memory = [...watch.memory].map(
      ([part, samples]) => `${part} ${Math.round((samples.at(-1)?.bytes ?? 0) / 2 ** 20)}`,
    );
    const { connected = 0, outbox = 0, lagS = 0 } = watch.service.at(-1) ?? {};
    say(
      `${((performance.now() - fromMs) / MINUTE_MS).toFixed(1)} of ${minutes} min; MiB: ${memory.join(', ')}; ${connected} boxes, outbox ${outbox} (${lagS.toFixed(1)} s), ${consumer.count()} messages`,
    );
  }
}

/**
 * Waits until boxes are connected again, the outbox is short, and the ledger has nothing wrong, and nothing late of a
 * box that is connected. The ledger is the last one either way.
 */
async function healed(parts: {
  readonly baseUrl: string;
  readonly data: string;
  readonly messages: string;
  readonly connectedBefore: number;
}): Promise<{ readonly healedAfterS: number | undefined; readonly ledger: LedgerVerdict }> {
  const fromMs = performance.now();
  for (;;) {
    await sleep(limits.healLookMs, undefined, { signal });
    const figures = await figuresOf(parts.baseUrl);
    const isBack =
      figures !== undefined &&
      figures.connected >= parts.connectedBefore * limits.healedShare &&
      figures.outbox <= limits.healedOutbox;
    const isLast = performance.now() - fromMs > limits.healMs;
    if (!isBack && !isLast) continue;
    const ledger = await ledgerOf(parts.data, parts.messages, signal);
    if (ledger === undefined) throw new Error('The soak was ended.');
    const isLate = ledger.cases.some(({ fate, hop }) => fate === 'late' && hop !== 'box');
    const afterS = (performance.now() - fromMs) / 1_000;
    if (isBack && ledger.right && !isLate) return { healedAfterS: afterS, ledger };
    if (isLast) return { healedAfterS: undefined, ledger };
    say(
      `after ${afterS.toFixed(0)} s: ${ledger.cases.map((one) => `${one.fate} at ${one.hop} ${one.count}`).join(', ')}`,
    );
  }
}

function aborted(): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(new Error('The soak was ended.')), { once: true });
  });
}

/** Ends with 2 where it is no whole number from 1 to `most`. */
function given(name: string, text: string | undefined, most: number): number {
  const number = Number(text);
  if (text !== undefined && Number.isInteger(number) && number >= 1 && number <= most) return number;
  process.stderr.write(
    `--${name} is ${text === undefined ? 'missing' : JSON.stringify(text)}: give a whole number from 1 to ${most}, as in npm run soak -- --minutes 20.\n`,
  );
  process.exit(2);
}

function say(text: string): void {
  process.stderr.write(`soak: ${text}\n`);
}
