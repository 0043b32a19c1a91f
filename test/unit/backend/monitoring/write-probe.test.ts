import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { healthLimits } from '../../../../backend/base/limits.ts';
import { makeWriteProbe } from '../../../../backend/monitoring/write-probe.ts';
import { StoreFailed } from '../../../../backend/store/port/store.ts';
import { openVirtualWorld } from '../../../../world/virtual-world.ts';

type Manner = 'works' | 'fails' | 'hangs';

function stage() {
  const world = openVirtualWorld({ seed: 1 });
  let manner: Manner = 'works';
  let probes = 0;
  const probe = (): Promise<void> => {
    probes += 1;
    if (manner === 'hangs') return new Promise(() => undefined);
    return manner === 'works' ? Promise.resolve() : Promise.reject(new StoreFailed('full'));
  };
  const writes = makeWriteProbe(world.time, () => ({ probe }));
  return {
    world,
    writes,
    probes: () => probes,
    set: (to: Manner) => {
      manner = to;
    },
    ask: () => world.run(() => writes.canWrite()),
  };
}

describe("health's own write", () => {
  test('is made no more often than its limit, however often health is requested', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.integer({ min: 0, max: 3_000 }), fc.constantFrom<Manner>('works', 'fails')), {
          minLength: 1,
          maxLength: 30,
        }),
        async (steps) => {
          const { world, writes, probes, set } = stage();
          let passedMs = 0;
          for (const [pauseMs, manner] of steps) {
            set(manner);
            await world.runFor(pauseMs);
            passedMs += pauseMs;
            await world.run(() => Promise.all([writes.canWrite(), writes.canWrite()]));
          }
          expect(probes()).toBeGreaterThan(0);
          expect(probes()).toBeLessThanOrEqual(1 + passedMs / healthLimits.probeFailingMs);
          if (steps.every(([, manner]) => manner === 'works'))
            expect(probes()).toBeLessThanOrEqual(1 + passedMs / healthLimits.probeEveryMs);
        },
      ),
    );
  });

  test('that hangs is abandoned after a time-out, and no other is begun meanwhile', async () => {
    const { world, ask, probes, set } = stage();
    set('hangs');
    const beganMs = world.time.nowMs();
    expect(await ask()).toBe(false);
    expect(world.time.nowMs() - beganMs).toBe(healthLimits.probeTimeoutMs);
    await world.runFor(60_000);
    expect(await ask()).toBe(false);
    expect(probes()).toBe(1);
    expect(world.time.nowMs() - beganMs).toBe(healthLimits.probeTimeoutMs + 60_000);
  });

  test('that fails once is retried soon, and is healthy as soon as it succeeds', async () => {
    const { world, ask, set } = stage();
    set('fails');
    expect(await ask()).toBe(false);
    set('works');
    expect(await ask()).toBe(false);
    await world.runFor(healthLimits.probeFailingMs);
    expect(await ask()).toBe(true);
  });

  test('does not override another write that has just failed', async () => {
    const { world, ask, writes } = stage();
    expect(await ask()).toBe(true);
    writes.failed();
    expect(await ask()).toBe(false);
    await world.runFor(healthLimits.writeFailedMs);
    expect(await ask()).toBe(false);
    await world.runFor(1);
    expect(await ask()).toBe(true);
  });
});
