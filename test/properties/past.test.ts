import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MODELS } from '../../protocol/models/models.ts';
import { anyMoment, live } from './any-deed.ts';
import { START_MS, vehicleOf } from './vehicles.ts';

const ROOM = 4_096;

describe('what a vehicle was', () => {
  test('is told afterwards as it was told then', () => {
    fc.assert(
      fc.property(
        fc.integer(),
        fc.constantFrom(...MODELS.keys()),
        fc.boolean(),
        fc.array(anyMoment, { minLength: 1, maxLength: 12 }),
        (seed, model, driving, moments) => {
          const vehicle = vehicleOf(seed, { model, driving });
          vehicle.remember(ROOM);
          const then = new Map<number, Record<string, unknown>>();
          let atMs = START_MS;
          for (const moment of moments) {
            atMs = live(vehicle, moment, atMs);
            then.set(atMs, vehicle.truth());
          }
          vehicle.advance(atMs + 60_000);
          for (const [thenMs, truth] of then) {
            const told = vehicle.truths(thenMs, thenMs);
            if (told !== undefined) expect(told.at(-1)).toEqual(truth);
          }
          // What lies further back than it remembers is not told at all, and never wrongly.
          expect(vehicle.truths(START_MS - 1, START_MS)).toBeUndefined();
        },
      ),
      { numRuns: 60 },
    );
  });

  test('is told at so many moments that no speed between two times is missed', () => {
    fc.assert(
      fc.property(fc.integer(), fc.integer({ min: 5_000, max: 200_000 }), (seed, fromMs) => {
        const [vehicle, other] = [vehicleOf(seed, { driving: true }), vehicleOf(seed, { driving: true })];
        vehicle.remember(ROOM);
        vehicle.advance(START_MS + 300_000);
        const told = vehicle.truths(START_MS + fromMs, START_MS + fromMs + 1_000) ?? [];
        const speeds = told.map(({ speedKph }) => Number(speedKph));
        for (let ms = fromMs; ms <= fromMs + 1_000; ms += 50) {
          other.advance(START_MS + ms);
          const { speedKph } = other.truth() as { speedKph: number };
          expect(speedKph).toBeGreaterThanOrEqual(Math.min(...speeds) - 1e-6);
          expect(speedKph).toBeLessThanOrEqual(Math.max(...speeds) + 1e-6);
        }
      }),
      { numRuns: 40 },
    );
  });

  test('keeps no more changes than it has room for, and the latest of them', () => {
    const vehicle = vehicleOf(1, { driving: true });
    vehicle.remember(32);
    vehicle.advance(START_MS + 3_600_000);
    expect(vehicle.truths(START_MS, START_MS)).toBeUndefined();
    expect(vehicle.truths(START_MS + 3_599_000, START_MS + 3_600_000)).toBeDefined();
  });
});
