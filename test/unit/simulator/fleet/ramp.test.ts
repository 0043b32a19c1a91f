import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Ramp } from '../../../../simulator/fleet/ramp.ts';
import { limits } from '../../../../simulator/limits.ts';
import { openVirtualWorld } from '../../../../world/virtual-world.ts';

describe('a ramp', () => {
  test('gives each box power once, in order, at its rate', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 5_000 }),
        fc.integer({ min: 1, max: 500 }),
        async (rate, count) => {
          const world = openVirtualWorld({ seed: 1 });
          const ramp = new Ramp(world.time, rate);
          const beganMs = world.loop.nowMs;
          const powered: number[] = [];
          for (let box = 0; box < count; box += 1)
            ramp.add(() => {
              powered.push(box);
              const mostByNow = ((world.loop.nowMs - beganMs) * rate) / 1_000;
              expect(powered.length).toBeLessThanOrEqual(mostByNow + 1e-6);
            });
          await world.runFor((count * 1_000) / rate + 2 * limits.rampTickMs);
          expect(powered).toEqual(Array.from({ length: count }, (_, box) => box));
        },
      ),
      { numRuns: 30 },
    );
  });

  test('that falls behind does not catch up', async () => {
    const world = openVirtualWorld({ seed: 1 });
    // Whatever is due rings a second late, as in a process that is busy.
    const late = {
      ...world.time,
      alarm: (dueMs: number, wake: () => void) => world.time.alarm(dueMs + 1_000, wake),
    };
    const ramp = new Ramp(late, 1_000);
    let powered = 0;
    for (let box = 0; box < 10_000; box += 1)
      ramp.add(() => {
        powered += 1;
      });
    await world.runFor(10_000);
    expect(powered).toBeGreaterThan(0);
    expect(powered).toBeLessThanOrEqual(limits.rampTickMs * 10);
  });

  test('that is stopped gives no more power, and takes boxes again after it has run out', async () => {
    const world = openVirtualWorld({ seed: 1 });
    const ramp = new Ramp(world.time, 1_000);
    let powered = 0;
    const power = () => {
      powered += 1;
    };
    ramp.add(power);
    await world.runFor(1_000);
    ramp.add(power);
    await world.runFor(1_000);
    expect(powered).toBe(2);
    ramp.add(power);
    ramp.stop();
    ramp.add(power);
    await world.runFor(1_000);
    expect(powered).toBe(2);
  });
});
