import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { pythonPika, withService } from '../support/run/external-services.ts';
import { freePort } from '../support/run/free-port.ts';
import { runCommand } from '../support/sockets/up-process.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** The examples have names of their own for what they are given. */
const RENAMED =
  'export API=$BOXTWIN_API_URL CLIENT_ID=$BOXTWIN_CLIENT_ID CLIENT_SECRET=$BOXTWIN_CLIENT_SECRET AMQP_CA=$BOXTWIN_AMQP_CA';

const certificate = z.looseObject({
  points: z.array(z.looseObject({ name: z.string(), verdict: z.string(), text: z.string() })),
});

/** What `certify-client` says of an example, by the names of the points. */
class Certified {
  readonly code: number | null;
  readonly points: z.infer<typeof certificate>['points'];

  constructor({ code, output }: { readonly code: number | null; readonly output: string }) {
    this.code = code;
    this.points = certificate.parse(JSON.parse(output)).points;
  }

  /** `name: text` of the points with this verdict. */
  of(verdict: string): readonly string[] {
    return this.points.filter((one) => one.verdict === verdict).map(({ name, text }) => `${name}: ${text}`);
  }

  verdictOf(name: string): string | undefined {
    return this.points.find((one) => one.name === name)?.verdict;
  }
}

async function certified(start: string, variables = ''): Promise<Certified> {
  const command = ['sh', '-c', `${RENAMED} ${variables}; exec ${start}`];
  return new Certified(await runCommand(['certify-client', '--seed', '1', '--json', '--', ...command]));
}

/** Starts the run of the consumer in Python, beside the others: each takes a minute and a half of waiting. */
let startPython: (() => Promise<Certified>) | undefined;
let python: Promise<Certified> | undefined;

await withService(pythonPika, ({ python: program }) => {
  startPython = async () => {
    const folder = mkdtempSync(join(tmpdir(), 'boxtwin-certified-'));
    const consumer = `${program} ${join(ROOT, 'examples/python/consumer.py')}`;
    const report = await certified(consumer, `DATABASE=${join(folder, 'messages.sqlite')}`);
    rmSync(folder, { recursive: true, force: true });
    return report;
  };
});

describe('the examples, looked at by boxtwin certify-client', () => {
  const folder = mkdtempSync(join(tmpdir(), 'boxtwin-certified-'));
  const node = process.execPath;
  let sharing: Certified;
  let wrong: Certified;

  /** Drivers who book, open, and end, one after the other, until nobody answers any more. */
  async function drivers(desk: string, vehicle: string, isOver: () => boolean): Promise<void> {
    const ask = (method: string, path: string, body?: unknown) =>
      fetch(`${desk}${path}`, { method, ...(body === undefined ? {} : { body: JSON.stringify(body) }) })
        .then(
          async (answer) =>
            (await answer.json()) as { readonly status?: string; readonly is_returned?: 0 | 1 },
        )
        .catch(() => ({}) as { readonly status?: string; readonly is_returned?: 0 | 1 });
    for (let number = 1; !isOver(); number += 1) {
      const path = `/bookings/${vehicle}-${number}`;
      await ask('PUT', path, { vehicle_id: vehicle, driver: 'ada' });
      for (let looks = 0; looks < 120 && !isOver(); looks += 1) {
        const { status, is_returned: isReturned } = await ask('GET', path);
        if (isReturned === 1) break;
        if (status === undefined) await ask('PUT', path, { vehicle_id: vehicle, driver: 'ada' });
        if (status === 'RESERVED') await ask('POST', `${path}/unlock`);
        if (status === 'OPEN') await ask('POST', `${path}/end`);
        await sleep(250);
      }
    }
  }

  beforeAll(async () => {
    const port = await freePort();
    let isOver = false;
    const main = `${node} ${join(ROOT, 'examples/car-sharing/main.ts')}`;
    const own = `PORT=${port} DATABASE=${join(folder, 'car-sharing.sqlite')} BILL_AFTER_MS=1000`;
    python = startPython?.();
    const runs = Promise.all([
      certified(main, own),
      certified(
        `${node} ${join(ROOT, 'examples/wrong/consumer.ts')}`,
        `DATABASE=${join(folder, 'wrong.sqlite')}`,
      ),
    ]).finally(() => {
      isOver = true;
    });
    // Vehicles of the seed.
    const renting = ['77B5C', 'N0EJ5', 'AUKD7', 'IQ03W', '8B13V'].map((vehicle) =>
      drivers(`http://127.0.0.1:${port}`, vehicle, () => isOver),
    );
    [sharing, wrong] = await runs;
    await Promise.all([...renting, python]);
  }, 240_000);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test('the car-sharing back end fails at no point', () => {
    expect(sharing.of('failed')).toEqual([]);
    for (const point of [
      'token-reuse',
      'acknowledges',
      'prefetch',
      'amqp-back-off',
      'amqp-return',
      'recovers',
    ])
      expect([point, sharing.verdictOf(point)]).toEqual([point, 'passed']);
    expect(sharing.code).toBe(0);
  });

  test('the consumer that does it wrong is found: what it was sent is gone, and it does not come back', () => {
    expect(wrong.verdictOf('stores-first')).toBe('failed');
    expect(wrong.verdictOf('recovers')).toBe('failed');
    expect(wrong.code).toBe(1);
  });
});

// Where Python is missing, its service has said so above.
if (startPython !== undefined)
  test('the consumer in Python, looked at by boxtwin certify-client, fails at no point', async () => {
    const report = (await python) as Certified;
    expect(report.of('failed')).toEqual([]);
    for (const point of ['acknowledges', 'prefetch', 'amqp-back-off', 'amqp-return', 'recovers'])
      expect([point, report.verdictOf(point)]).toEqual([point, 'passed']);
  });
