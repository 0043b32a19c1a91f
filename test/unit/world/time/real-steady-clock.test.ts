import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { limits } from '../../../../world/limits.ts';
import { steadyClock } from '../../../../world/time/real-steady-clock.ts';

type Happening = { readonly kind: 'passes' | 'sleeps' | 'is-set'; readonly ms: number };

/** A machine whose uptime is told in steps of `uptimeStepMs`. */
function openMachine(uptimeStepMs: number) {
  const now = { wallMs: 1_760_000_000_000, monotonicMs: 5_000, uptimeMs: 900_000 };
  const steadyMs = steadyClock({
    wallMs: () => Math.floor(now.wallMs),
    monotonicMs: () => now.monotonicMs,
    uptimeS: () => (Math.floor(now.uptimeMs / uptimeStepMs) * uptimeStepMs) / 1_000,
  });
  const happens = ({ kind, ms }: Happening): void => {
    now.wallMs += ms;
    if (kind === 'is-set') return;
    now.uptimeMs += ms;
    if (kind === 'passes') now.monotonicMs += ms;
  };
  return { steadyMs, happens };
}

const happening: fc.Arbitrary<Happening> = fc.oneof(
  fc.record({ kind: fc.constant('passes' as const), ms: fc.double({ min: 0, max: 100_000, noNaN: true }) }),
  fc.record({ kind: fc.constant('sleeps' as const), ms: fc.integer({ min: 5_000, max: 100_000_000 }) }),
  fc.record({
    kind: fc.constant('is-set' as const),
    ms: fc.integer({ min: -100_000_000, max: 100_000_000 }),
  }),
);

describe('the steady clock', () => {
  test('begins with the time of the wall clock', () => {
    expect(openMachine(10).steadyMs()).toBe(1_760_000_000_000);
  });

  test('goes on for as long as time passes and the machine sleeps, however its wall clock is set; it never goes back', () => {
    for (const uptimeStepMs of [10, 1_000])
      fc.assert(
        fc.property(fc.array(happening), (happenings) => {
          const { steadyMs, happens } = openMachine(uptimeStepMs);
          const beganMs = steadyMs();
          let lastMs = beganMs;
          let passedMs = 0;
          let sleeps = 0;
          for (const one of happenings) {
            happens(one);
            if (one.kind !== 'is-set') passedMs += one.ms;
            if (one.kind === 'sleeps') sleeps += 1;
            const nowMs = steadyMs();
            expect(nowMs).toBeGreaterThanOrEqual(lastMs);
            expect(Math.abs(nowMs - beganMs - passedMs)).toBeLessThanOrEqual(
              sleeps === 0 ? 1 : 2 * uptimeStepMs,
            );
            lastMs = nowMs;
          }
        }),
      );
  });

  test('asks for the slow uptime only where the clocks have gone apart', () => {
    let asked = 0;
    let setMs = 0;
    const steadyMs = steadyClock({
      wallMs: () => 1_760_000_000_000 + setMs,
      monotonicMs: () => 0,
      uptimeS() {
        asked += 1;
        return 0;
      },
    });
    for (let count = 0; count < 100; count += 1) steadyMs();
    expect(asked).toBe(1);
    setMs = limits.clockStepMs + 1;
    for (let count = 0; count < 100; count += 1) steadyMs();
    expect(asked).toBe(2);
  });
});
