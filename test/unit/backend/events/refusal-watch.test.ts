import fc from 'fast-check';
import { expect, test } from 'vitest';
import { limits } from '../../../../backend/base/limits.ts';
import { RefusalWatch } from '../../../../backend/events/refusal-watch.ts';

const { refusalsBeforeRenewal, firstRefusedRenewalMs, lastRefusedRenewalMs } = limits;
const LONG_MS = 10 * lastRefusedRenewalMs;

test('a message that is refused for the first time opens no other connection; from its second time on it does', () => {
  for (let times = 1; times <= 5; times += 1)
    expect(new RefusalWatch().refused(times, LONG_MS, 0)).toBe(times >= refusalsBeforeRenewal);
});

test('a connection is given twice the time of the last one, up to a bound, until a refused message is confirmed', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 20 }),
      fc.integer({ min: 0, max: LONG_MS }),
      (renewals, openForMs) => {
        const watch = new RefusalWatch();
        for (let count = 0; count < renewals; count += 1) watch.refused(2, LONG_MS, 0);
        const waitMs = Math.min(firstRefusedRenewalMs * 2 ** renewals, lastRefusedRenewalMs);
        expect(watch.refused(2, openForMs, 0)).toBe(openForMs >= waitMs);
        watch.confirmed();
        expect(watch.refused(2, firstRefusedRenewalMs - 1, 0)).toBe(false);
        expect(watch.refused(2, firstRefusedRenewalMs, 0)).toBe(true);
      },
    ),
  );
});
