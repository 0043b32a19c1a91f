import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { clockMs, counterMs, latestMs, learn } from '../../../../simulator/firmware/rtc.ts';
import { START_MS, someFacts } from './rig.ts';

const DAY_MS = 86_400_000;

describe('the clock', () => {
  test('is 0 until something was learnt, and a frame that answers nothing teaches nothing at first', () => {
    const counter = counterMs(someFacts, START_MS);
    expect(clockMs(undefined, counter)).toBe(0);
    expect(latestMs(undefined, counter)).toBeUndefined();
    expect(learn(undefined, counter, START_MS, undefined)).toBeUndefined();
    expect(learn(undefined, counter, 0, 100)).toBeUndefined();
  });

  test('never believes that it is earlier than it can be: the late end is at or after backend time', () => {
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
          const facts = { ...someFacts, rtcDriftPpm };
          let at = START_MS;
          let clock = learn(undefined, counterMs(facts, at), at, 0);
          for (const { afterMs, upMs, downMs, isAnswer } of lessons) {
            at += afterMs + upMs + downMs;
            const told = at - downMs;
            clock = learn(clock, counterMs(facts, at), told, isAnswer ? upMs + downMs : undefined);
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

  test('is off by no more than half of the wait for the answer', () => {
    const counter = counterMs(someFacts, START_MS);
    const clock = learn(undefined, counter, START_MS - 300, 400);
    expect(Math.abs(clockMs(clock, counter) - START_MS)).toBeLessThanOrEqual(200);
  });

  test('takes the newest word where what it knew proves wrong', () => {
    const counter = counterMs(someFacts, START_MS);
    const wrong = learn(undefined, counter, START_MS + DAY_MS, 100);
    const right = learn(wrong, counter + 1_000, START_MS + 1_000, 100);
    expect(Math.abs(clockMs(right, counter + 1_000) - START_MS - 1_000)).toBeLessThanOrEqual(200);
  });
});
