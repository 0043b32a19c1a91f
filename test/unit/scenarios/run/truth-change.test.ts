import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { runLimits } from '../../../../scenarios/limits.ts';
import { changeBefore, type TruthsBetween } from '../../../../scenarios/run/last-change/truth-change.ts';

const DAY_MS = 86_400_000;

interface Past {
  /** Times at which the value changes to the number of the change. */
  readonly changes: readonly number[];
  /** Earlier truths are not kept. */
  readonly keptFromMs: number;
  /** Whether it moves: then the truths of a span are 48 at most, and else those of the changes alone. */
  readonly moves: boolean;
}

/** As a history of a vehicle tells it (simulator/vehicle/memory/vehicle-history.ts). */
function truthsOf({ changes, keptFromMs, moves }: Past, asked: number[] = []): TruthsBetween {
  const valueAt = (atMs: number): number => changes.filter((one) => one <= atMs).length;
  return (fromMs, toMs) => {
    if (fromMs < keptFromMs) return undefined;
    const stepMs = Math.max(100, (toMs - fromMs) / 48);
    const moments = moves
      ? Array.from(
          { length: Math.floor((toMs - fromMs) / stepMs) + 1 },
          (_, index) => fromMs + index * stepMs,
        )
      : [fromMs, ...changes.filter((one) => one > fromMs && one <= toMs)];
    asked.push(moments.length + 1);
    return [...moments, toMs].map((atMs) => ({ atMs, value: valueAt(atMs) }));
  };
}

const past = fc.record({
  changes: fc
    .array(fc.integer({ min: 0, max: DAY_MS / 2 }), { maxLength: 5 })
    .map((all) => all.sort((a, b) => a - b)),
  lengthMs: fc.integer({ min: 1, max: DAY_MS / 2 }),
  moves: fc.boolean(),
});

describe('when a value became as it is', () => {
  test('is found however long ago it was, to the tenth of a second, with few looks', () => {
    fc.assert(
      fc.property(past, ({ changes, lengthMs, moves }) => {
        const asked: number[] = [];
        const before = changes.filter((one) => one <= lengthMs);
        const truths = truthsOf({ changes, keptFromMs: 0, moves }, asked);
        const found = changeBefore(truths, ({ value }) => value === before.length, {
          fromMs: 0,
          toMs: lengthMs,
        });
        const last = before.at(-1);
        if (last === undefined || last === 0) expect(found).toBe('beginning');
        else {
          const sinceMs = typeof found === 'object' && 'sinceMs' in found ? found.sinceMs : Number.NaN;
          expect(sinceMs).toBeGreaterThanOrEqual(last);
          expect(sinceMs - last).toBeLessThanOrEqual(runLimits.changeStepMs);
        }
        expect(asked.reduce((sum, one) => sum + one, 0)).toBeLessThan(1_500);
      }),
    );
  });

  test('is before the earliest that is known, where no change is kept', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: DAY_MS / 2 }), fc.boolean(), (keptFromMs, moves) => {
        const found = changeBefore(truthsOf({ changes: [], keptFromMs, moves }), () => true, {
          fromMs: 0,
          toMs: DAY_MS / 2,
        });
        const beforeMs = typeof found === 'object' && 'beforeMs' in found ? found.beforeMs : Number.NaN;
        expect(beforeMs).toBeGreaterThanOrEqual(keptFromMs);
        // The bound, and some milliseconds at the very end of the time.
        expect(beforeMs - keptFromMs).toBeLessThanOrEqual(runLimits.changeStepMs);
      }),
    );
  });

  test('is not looked for longer than a day back', () => {
    const truths = truthsOf({ changes: [1_000], keptFromMs: 0, moves: false });
    const toMs = 3 * DAY_MS;
    expect(changeBefore(truths, ({ value }) => value === 1, { fromMs: 0, toMs })).toEqual({
      beforeMs: toMs - runLimits.changeSearchMs,
    });
  });
});
