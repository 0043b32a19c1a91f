import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { clockMs, counterMs, latestMs, learnTime } from '../../../../../simulator/firmware/power/rtc.ts';
import { BOX_FACTS, START_MS } from '../../../../support/firmware/test-box.ts';

const DAY_MS = 86_400_000;

describe('the clock', () => {
  test('is 0 until it was set, and a frame that is no answer does not set it at first', () => {
    const counter = counterMs(BOX_FACTS, START_MS);
    expect(clockMs(undefined, counter)).toBe(0);
    expect(latestMs(undefined, counter)).toBeUndefined();
    expect(learnTime(undefined, counter, START_MS, undefined)).toBeUndefined();
    expect(learnTime(undefined, counter, 0, 100)).toBeUndefined();
  });

  test('never has an upper bound before the time of the backend', () => {
    const anyLesson = fc.record({
      afterMs: fc.integer({ min: 0, max: 20 * DAY_MS }),
      upMs: fc.integer({ min: 0, max: 4_000 }),
      downMs: fc.integer({ min: 0, max: 4_000 }),
      isAnswer: fc.boolean(),
    });
    fc.assert(
      fc.property(
        fc.integer({ min: -100, max: 100 }),
        fc.array(anyLesson, { minLength: 1, maxLength: 20 }),
        fc.integer({ min: 0, max: 5 * DAY_MS }),
        (rtcDriftPpm, lessons, laterMs) => {
          const facts = { ...BOX_FACTS, rtcDriftPpm };
          let at = START_MS;
          let clock = learnTime(undefined, counterMs(facts, at), at, 0);
          for (const { afterMs, upMs, downMs, isAnswer } of lessons) {
            at += afterMs + upMs + downMs;
            const told = at - downMs;
            clock = learnTime(clock, counterMs(facts, at), told, isAnswer ? upMs + downMs : undefined);
          }
          at += laterMs;
          const latest = latestMs(clock, counterMs(facts, at)) ?? 0;
          expect(latest).toBeGreaterThanOrEqual(at);
          // Not without bound either: the round trips, and the possible drift since.
          expect(Math.abs(clockMs(clock, counterMs(facts, at)) - at)).toBeLessThan(
            8_000 + 2 * 0.0002 * (at - START_MS),
          );
        },
      ),
    );
  });

  test('has an error of at most half of the round-trip time', () => {
    const counter = counterMs(BOX_FACTS, START_MS);
    const clock = learnTime(undefined, counter, START_MS - 300, 400);
    expect(Math.abs(clockMs(clock, counter) - START_MS)).toBeLessThanOrEqual(200);
  });

  test('uses the latest time if the earlier one proves wrong', () => {
    const counter = counterMs(BOX_FACTS, START_MS);
    const wrong = learnTime(undefined, counter, START_MS + DAY_MS, 100);
    const right = learnTime(wrong, counter + 1_000, START_MS + 1_000, 100);
    expect(Math.abs(clockMs(right, counter + 1_000) - START_MS - 1_000)).toBeLessThanOrEqual(200);
  });
});
