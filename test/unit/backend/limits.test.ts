import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { backoffMs } from '../../../backend/backoff.ts';
import { limits } from '../../../backend/limits.ts';
import { vehicleLimits } from '../../../backend/vehicles/limits.ts';
import { limits as wireLimits } from '../../../protocol/limits.ts';
import { SETTINGS } from '../../../protocol/settings.ts';

describe('the bounds of the backend', () => {
  test('fit each other', () => {
    // A batch must fit the queue, and the largest payload the queue's bytes.
    expect(limits.batchPayloads).toBeLessThanOrEqual(limits.intakePayloads);
    expect(wireLimits.payloadBytes).toBeLessThan(limits.intakeBytes);
    // A brake that holds for longer than one and a half keep-alive periods ends the session.
    expect(limits.lastStoreBackoffMs).toBeLessThan(limits.linkKeepAliveS * 1_000);
    // One read of the outbox fits the window, what is on its way comes out of it, and marks keep up with it.
    expect(limits.courierReadRows).toBeLessThanOrEqual(limits.courierWindow);
    expect(limits.courierInFlight).toBeLessThanOrEqual(limits.courierWindow);
    expect(limits.courierSentGroup).toBeLessThan(limits.courierUnmarked);
    // The journal's ranges must hold what one receipt can name.
    expect(limits.journalRanges).toBeGreaterThanOrEqual(wireLimits.receiptRanges);
    // A box at rest reports before its silence means anything; it is not gone before it counts as silent.
    const standby = SETTINGS.find(({ name }) => name === 'box.standbyReportIntervalS');
    const reportMs = Number(standby?.standard) * 1_000;
    expect(limits.silentMs).toBe(reportMs + vehicleLimits.reportWayMs);
    expect(limits.silentMs).toBeLessThan(reportMs + vehicleLimits.overdueMs);
    expect(limits.recordsPerBox).toBeGreaterThan(limits.recordPruneStride);
  });
});

describe('a backoff', () => {
  test('doubles from the first wait, stays within the last one, and jitters over its second half', () => {
    const attempt = fc.integer({ min: 0, max: 2_000 });
    const fraction = fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true });
    fc.assert(
      fc.property(attempt, fraction, (count, part) => {
        const delayMs = backoffMs(count, 250, 30_000, part);
        const fullMs = count > 20 ? 30_000 : Math.min(30_000, 250 * 2 ** count);
        expect(delayMs).toBeGreaterThanOrEqual(fullMs / 2);
        expect(delayMs).toBeLessThanOrEqual(fullMs);
      }),
    );
  });
});
