import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { allot, type QuotaWindow } from '../../../../../backend/store/calls/quotas.ts';

const NOW_MS = 1_000_000;
const wish = { limit: 600, windowMs: 60_000, wanted: 1, spent: undefined };

describe('what a backend is given of a quota', () => {
  test('is half of what may lie unused, where nobody else has any', () => {
    const { allotment, window } = allot(undefined, wish, NOW_MS);
    expect(allotment).toEqual({ calls: 30, left: 570, endsMs: NOW_MS + 60_000, remainingMs: 60_000 });
    expect(window).toEqual({ endsMs: NOW_MS + 60_000, granted: 30, used: 0 });
  });

  test('is as much again once that is used, and only what waits while others have it unused', () => {
    const { window } = allot(undefined, wish, NOW_MS);
    const spent = { endsMs: window.endsMs, calls: 30 };
    expect(allot(window, { ...wish, spent }, NOW_MS + 1).allotment).toMatchObject({ calls: 30, left: 540 });
    const crowded = { ...window, granted: 60 };
    expect(allot(crowded, wish, NOW_MS + 1).allotment).toMatchObject({ calls: 1, left: 539 });
    expect(allot(crowded, { ...wish, wanted: 7 }, NOW_MS + 1).allotment.calls).toBe(7);
  });

  test('is a new window where the last one has ended, or ends later than any can', () => {
    const fresh = { calls: 30, left: 570 };
    for (const endsMs of [NOW_MS, NOW_MS + 60_001]) {
      const used = { endsMs, granted: 600, used: 600 };
      expect(allot(used, wish, NOW_MS).allotment).toMatchObject(fresh);
    }
    const full = { endsMs: NOW_MS + 60_000, granted: 600, used: 600 };
    expect(allot(full, wish, NOW_MS).allotment).toMatchObject({ calls: 0, left: 0 });
  });

  test('does not grow by what was spent of a window that is over, or of calls that were never given', () => {
    const before = { endsMs: NOW_MS + 10, granted: 60, used: 0 };
    const old = { endsMs: NOW_MS - 5, calls: 60 };
    expect(allot(before, { ...wish, spent: old }, NOW_MS).window.used).toBe(0);
    const invented = { endsMs: NOW_MS + 10, calls: 1_000 };
    expect(allot(before, { ...wish, spent: invented }, NOW_MS).window).toMatchObject({
      granted: 90,
      used: 60,
    });
  });

  test('never exceeds the limit, whatever is known and wished', () => {
    const whole = fc.integer({ min: 0, max: 2_000 });
    const before: fc.Arbitrary<QuotaWindow | undefined> = fc.option(
      fc.record({ endsMs: fc.integer({ min: -100, max: 60_100 }), granted: whole, used: whole }),
      { nil: undefined },
    );
    fc.assert(
      fc.property(before, whole, whole, (known, limit, wanted) => {
        const { window, allotment } = allot(known, { ...wish, limit, wanted, spent: undefined }, 0);
        expect(allotment.calls).toBeGreaterThanOrEqual(0);
        const had = window.granted - allotment.calls;
        expect(window.granted).toBeLessThanOrEqual(Math.max(had, limit));
        expect(window.used).toBeLessThanOrEqual(window.granted);
        expect(allotment.left).toBe(Math.max(0, limit - window.granted));
        if (allotment.calls < wanted) expect(allotment.left).toBe(0);
      }),
    );
  });
});
