import { AsyncLocalStorage } from 'node:async_hooks';
import { Stage } from '../scenarios/stage.ts';
import { sleep } from '../world/time.ts';
import { VirtualLoop } from '../world/virtual-loop.ts';
import { runInSandbox } from '../world/virtual-sandbox.ts';
import type { Figure, Rate } from './run.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const BULK = '/configure-vehicle-telematics-unit-bulk';

/**
 * Virtual seconds a second of a fleet of which each box drives two hours a day: of 1,000 boxes a twelfth drives at any
 * time, the others are parked, and all track with the service's defaults (60 s, 1 km, 60 degrees), every other feature
 * off. A window of the day is measured, with the same mean load; the aim is a day in 60 s.
 */
const day = { vehicles: 1_000, driving: 83, warmUpMs: 2 * MINUTE_MS, windowMs: 10 * MINUTE_MS } as const;

export async function virtualDay(): Promise<Rate> {
  const { seconds } = await played(day.vehicles, async (stage, clock) => {
    await configure(
      stage,
      stage.plans.map((plan) => plan.vehicleId),
    );
    [...stage.fleet.boxes.values()].forEach((box, index) => {
      if (index < day.driving) box.drive();
      else box.park();
    });
    await sleep(stage.world.time, day.warmUpMs);
    clock.begin();
    await sleep(stage.world.time, day.windowMs);
    clock.end();
  });
  return {
    name: `virtual day: ${day.vehicles} boxes of which ${day.driving} drive, ${day.windowMs / MINUTE_MS} minutes of it`,
    unit: 'virtual seconds a second',
    rates: [day.windowMs / 1_000 / seconds],
    aim: 86_400 / 60,
  };
}

/**
 * Vehicle hours a second of a bulk configuration over 12 hours with a third of the boxes out of reach. A part of the
 * fleet is played; the aim is that of 10,000 vehicles in 30 s, 4,000 vehicle hours a second.
 */
const bulk = { vehicles: 200, hours: 12 } as const;

export async function virtualBulk(): Promise<Rate> {
  const { seconds } = await played(bulk.vehicles, async (stage, clock) => {
    const boxes = [...stage.fleet.boxes.values()];
    for (const box of boxes) box.park();
    await sleep(stage.world.time, MINUTE_MS);
    for (const [index, box] of boxes.entries()) if (index % 3 === 0) box.setCoverage(false);
    clock.begin();
    await configure(
      stage,
      stage.plans.map((plan) => plan.vehicleId),
    );
    await sleep(stage.world.time, bulk.hours * HOUR_MS);
    clock.end();
  });
  return {
    name: `virtual bulk: ${bulk.vehicles} vehicles, a third asleep, ${bulk.hours} hours`,
    unit: 'vehicle hours a second',
    rates: [(bulk.vehicles * bulk.hours) / seconds],
    aim: (10_000 * 12) / 30,
  };
}

/** Events a second of the virtual loop that each settle a promise, beside a bare setImmediate awaited for each. */
const loop = { events: 300_000, rounds: 3 } as const;

export async function virtualLoop(): Promise<Figure> {
  const rounds: { bare: number; ours: number }[] = [];
  for (let round = 0; round <= loop.rounds; round += 1) {
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

/** The stage with boxes that nobody has configured yet. */
async function played(
  vehicles: number,
  play: (stage: Stage, clock: { begin(): void; end(): void }) => Promise<void>,
): Promise<{ readonly seconds: number }> {
  const stage = new Stage({ seed: 1, vehicles, isUnconfigured: true });
  // Within a run there is no real clock; this one is asked outside of it.
  const outside = AsyncLocalStorage.snapshot();
  const realMs = () => outside(() => performance.now());
  let beganMs = 0;
  let seconds = 0;
  const clock = {
    begin: () => {
      beganMs = realMs();
    },
    end: () => {
      seconds = (realMs() - beganMs) / 1_000;
    },
  };
  await runInSandbox(stage.world, () =>
    stage.world.run(async () => {
      await stage.raise();
      await sleep(stage.world.time, MINUTE_MS);
      await play(stage, clock);
    }),
  );
  return { seconds };
}

async function configure(stage: Stage, vehicles: readonly string[]): Promise<void> {
  const body = JSON.stringify({
    items: vehicles.map((id) => ({ id })),
    feature_configuration: { tracking: {} },
  });
  const answer = await stage.call('POST', BULK, await stage.token(), body);
  if (answer.status !== 201) throw new Error(`The bulk request was refused: ${await answer.text()}`);
  await sleep(stage.world.time, MINUTE_MS);
}
