import { AsyncLocalStorage } from 'node:async_hooks';
import { readFileSync } from 'node:fs';
import { NO_RECORDINGS } from '../../../judge/recordings.ts';
import { readDocument, readScenario } from '../../../scenarios/language/document/read.ts';
import { runVirtual } from '../../../scenarios/run/run-virtual.ts';
import { openVirtualTestbed } from '../../../scenarios/testbed/virtual/virtual-testbed.ts';
import type { FleetBox } from '../../../simulator/box/fleet-box.ts';
import { VirtualLoop } from '../../../world/loop/virtual-loop.ts';
import { runInSandbox } from '../../../world/sandbox/virtual-sandbox.ts';
import { sleep, type Time } from '../../../world/time/time.ts';
import type { Duration, Figure, Rate } from '../measure/figures.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/**
 * Virtual seconds a second of a fleet of which each box drives two hours a day, each at its own time of day, so that of
 * 1,000 boxes a twelfth drives at any moment; the others are parked. All track with the service's defaults (60 s, 1 km,
 * 60 degrees), every other feature off. A window of the day is played, in which boxes set out and arrive all the time.
 */
const day = {
  vehicles: 1_000,
  driveMs: 2 * HOUR_MS,
  warmUpMs: 10 * MINUTE_MS,
  windowMs: 2 * HOUR_MS,
} as const;

export async function virtualDay(): Promise<Rate> {
  const seconds = await playDay();
  return {
    name: `virtual day: ${day.vehicles} boxes that each drive two hours of it, ${day.windowMs / HOUR_MS} hours of the 24`,
    unit: 'virtual seconds a second',
    rates: [day.windowMs / 1_000 / seconds],
    // A day in 30 s.
    aim: 86_400 / 30,
  };
}

/** Resolves with the seconds on the wall that the window took. */
async function playDay(): Promise<number> {
  const reading = readDocument({
    name: 'virtual-day',
    about: 'A day of a fleet.',
    seed: 1,
    steps: [{ at: '0s', expect: { connected: true } }],
    always: [],
    fleet: [{ count: day.vehicles, features: { tracking: {} } }],
  });
  if (!reading.ok) throw new Error(JSON.stringify(reading.faults));
  const testbed = openVirtualTestbed(reading.scenario, { recordings: NO_RECORDINGS });
  const { virtualWorld: world, time } = testbed;
  // Within a run there is no real clock; this one is read outside of it.
  const outside = AsyncLocalStorage.snapshot();
  const realMs = () => outside(() => performance.now());
  let seconds = 0;
  await runInSandbox(world, () =>
    world.run(async () => {
      await testbed.start();
      const boxes = testbed.vehicles.flatMap(({ box }) => box ?? []);
      for (const [index, box] of boxes.entries()) drive(box, (index * DAY_MS) / boxes.length, time);
      await sleep(time, day.warmUpMs);
      const beganMs = realMs();
      await sleep(time, day.windowMs);
      seconds = (realMs() - beganMs) / 1_000;
    }),
  );
  await testbed.close();
  return seconds;
}

/** Has a box drive from that time of the day on, every day; the day begins now. */
function drive(box: FleetBox, fromMs: number, time: Time): void {
  const startMs = time.nowMs();
  const arriveMs = fromMs + day.driveMs;
  const setOut = (): void => box.drive();
  const arrive = (): void => box.park();
  // Whoever set out before midnight is still under way.
  if (arriveMs > DAY_MS) {
    setOut();
    time.alarm(startMs + arriveMs - DAY_MS, arrive);
  } else {
    arrive();
    time.alarm(startMs + arriveMs, arrive);
  }
  time.alarm(startMs + fromMs, setOut);
}

const STORY = new URL('../../../scenarios/stories/bulk-third-asleep.yaml', import.meta.url);

/** Seconds of wall clock time for the story of 10,000 vehicles, from reading it to the last checker. */
export async function virtualBulk(): Promise<Duration> {
  const began = performance.now();
  const reading = readScenario(readFileSync(STORY, 'utf8'), 'bulk-third-asleep.yaml');
  if (!reading.ok) throw new Error(reading.problems[0]?.message);
  const { scenario } = reading;
  const { verdict, reason = '', startMs, endMs } = await runVirtual(scenario);
  const seconds = (performance.now() - began) / 1_000;
  if (verdict !== 'passed') throw new Error(`The story has not passed, but ${verdict}. ${reason}`);
  const vehicles = scenario.fleet.reduce((sum, { count }) => sum + count, 0);
  const hours = (endMs - startMs) / HOUR_MS;
  return {
    name: `virtual bulk: the whole story of ${vehicles} vehicles, a third asleep, ${hours.toFixed(1)} hours`,
    unit: 's',
    durations: [seconds],
    aim: 40,
  };
}

/** Events a second of the virtual loop that each settle a promise, beside a bare setImmediate awaited for each. */
const loop = { events: 300_000 } as const;

export async function virtualLoop(count: number): Promise<Figure> {
  const rounds: { bare: number; ours: number }[] = [];
  for (let round = 0; round <= count; round += 1) {
    const bare = await perSecond(async () => {
      for (let count = 0; count < loop.events; count += 1)
        await new Promise((resolve) => setImmediate(resolve));
    });
    const ours = await perSecond(() => {
      const virtual = new VirtualLoop();
      return virtual.runWhile(
        (async () => {
          for (let count = 0; count < loop.events; count += 1)
            await new Promise<void>((resolve) => {
              virtual.schedule(virtual.nowMs + 1, 'bench', resolve);
            });
        })(),
      );
    });
    if (round > 0) rounds.push({ bare, ours });
  }
  return { name: 'virtual loop', unit: 'events a second', rounds, aim: 1 };
}

async function perSecond(body: () => Promise<void>): Promise<number> {
  const began = performance.now();
  await body();
  return loop.events / ((performance.now() - began) / 1_000);
}
