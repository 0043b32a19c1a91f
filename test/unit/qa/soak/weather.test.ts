import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { WEATHER } from '../../../../qa/soak/limits.ts';
import { weatherOfMinute } from '../../../../qa/soak/weather.ts';
import { realRandom } from '../../../../world/random/real-random.ts';

const boxIds = Array.from({ length: 500 }, (_, index) => `box${index}`);
const HOUR_MS = 3_600_000;

describe('the weather of a soak', () => {
  test('is the same for the same seed, and another for another seed or minute', () => {
    const of = (seed: number, minute: number) =>
      weatherOfMinute(realRandom(seed), WEATHER, boxIds, minute, HOUR_MS);
    expect(of(1, 3)).toEqual(of(1, 3));
    expect(of(1, 3)).not.toEqual(of(2, 3));
    expect(of(1, 3).map(({ boxId }) => boxId)).not.toEqual(of(1, 4).map(({ boxId }) => boxId));
  });

  test('comes over a share of the boxes, each kind of it, also over a small fleet', () => {
    const acts = weatherOfMinute(realRandom(1), WEATHER, boxIds, 0, HOUR_MS);
    for (const { action, sharePerMinute, lastsMs } of WEATHER)
      expect(acts.filter((one) => one.action === action)).toHaveLength(
        500 * sharePerMinute * (lastsMs === undefined ? 1 : 2),
      );
    const small = Array.from({ length: 100 }, (_, minute) =>
      weatherOfMinute(realRandom(1), WEATHER, boxIds.slice(0, 5), minute, HOUR_MS),
    ).flat();
    expect(new Set(small.map(({ action }) => action)).size).toBe(WEATHER.length);
  });

  test('is in the order of time, ends what it began, and is over at the end', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 2 ** 31 }),
        fc.integer({ min: 0, max: 20 }),
        fc.integer({ min: 0, max: 20 * 60_000 }),
        (seed, minute, endMs) => {
          const acts = weatherOfMinute(realRandom(seed), WEATHER, boxIds, minute, endMs);
          expect(acts).toEqual(acts.toSorted((a, b) => a.atMs - b.atMs));
          for (const { atMs, body, boxId } of acts) {
            expect(atMs).toBeGreaterThanOrEqual(minute * 60_000);
            expect(atMs).toBeLessThanOrEqual(endMs);
            if (body['available'] === false)
              expect(
                acts.some(
                  (later) => later.boxId === boxId && later.body['available'] === true && later.atMs >= atMs,
                ),
              ).toBe(true);
          }
        },
      ),
    );
  });

  test('is none without boxes', () => {
    expect(weatherOfMinute(realRandom(1), WEATHER, [], 0, HOUR_MS)).toEqual([]);
  });
});
