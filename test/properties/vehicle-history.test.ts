import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MODELS } from '../../protocol/models/models.ts';
import { anyMoment, applyMoment } from '../support/vehicles/any-moment.ts';
import { START_MS, vehicleOf } from '../support/vehicles/any-vehicle.ts';

const ROOM = 4_096;

describe('the history of a vehicle', () => {
  test('equals the truth at the time', () => {
    fc.assert(
      fc.property(
        fc.integer(),
        fc.constantFrom(...MODELS.keys()),
        fc.boolean(),
        fc.array(anyMoment, { minLength: 1, maxLength: 12 }),
        (seed, model, driving, moments) => {
          const vehicle = vehicleOf(seed, { model, driving });
          vehicle.keepHistory(ROOM);
          const then = new Map<number, Record<string, unknown>>();
          let atMs = START_MS;
          for (const moment of moments) {
            atMs = applyMoment(vehicle, moment, atMs);
            then.set(atMs, vehicle.truth());
          }
          vehicle.advance(atMs + 60_000);
          for (const [thenMs, truth] of then) {
            const truths = vehicle.truthsBetween(thenMs, thenMs);
            if (truths !== undefined) expect(truths.at(-1)).toEqual(truth);
          }
          // For times before the history begins there is no answer, never a wrong one.
          expect(vehicle.truthsBetween(START_MS - 1, START_MS)).toBeUndefined();
        },
      ),
      { numRuns: 60 },
    );
  });

  test('has enough entries to include every speed between two times', () => {
    fc.assert(
      fc.property(fc.integer(), fc.integer({ min: 5_000, max: 200_000 }), (seed, fromMs) => {
        const [vehicle, other] = [vehicleOf(seed, { driving: true }), vehicleOf(seed, { driving: true })];
        vehicle.keepHistory(ROOM);
        vehicle.advance(START_MS + 300_000);
        const truths = vehicle.truthsBetween(START_MS + fromMs, START_MS + fromMs + 1_000) ?? [];
        const speeds = truths.map(({ speedKph }) => Number(speedKph));
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

  test('keeps the latest changes, no more than its capacity', () => {
    const vehicle = vehicleOf(1, { driving: true });
    vehicle.keepHistory(32);
    vehicle.advance(START_MS + 3_600_000);
    expect(vehicle.truthsBetween(START_MS, START_MS)).toBeUndefined();
    expect(vehicle.truthsBetween(START_MS + 3_599_000, START_MS + 3_600_000)).toBeDefined();
  });
});
