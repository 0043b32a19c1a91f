import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { limits, vehicleLimits } from '../../../../backend/base/limits.ts';
import { backoffMs } from '../../../../backend/base/retry.ts';
import { wireLimits } from '../../../../protocol/limits.ts';
import { SETTINGS } from '../../../../protocol/settings.ts';

describe('the limits of the backend', () => {
  test('are consistent', () => {
    // A batch must fit the queue, and the largest payload the queue's bytes.
    expect(limits.batchPayloads).toBeLessThanOrEqual(limits.queuedPayloads);
    expect(wireLimits.payloadBytes).toBeLessThan(limits.queuedBytes);
    // Backpressure for longer than one and a half keep-alive periods ends the session.
    expect(limits.lastStoreBackoffMs).toBeLessThan(limits.mqttKeepAliveS * 1_000);
    // One read of the outbox fits the window, messages in flight come from it, and marks keep up with it.
    expect(limits.outboxReadRows).toBeLessThanOrEqual(limits.outboxReadAhead);
    expect(limits.messagesInFlight).toBeLessThanOrEqual(limits.outboxReadAhead);
    expect(limits.sentMarkGroup).toBeLessThan(limits.sentUnmarked);
    // The journal's ranges must hold what one receipt can name.
    expect(limits.journalRanges).toBeGreaterThanOrEqual(wireLimits.receiptRanges);
    // A box at rest reports before its silence counts; it is not gone before it counts as silent.
    const standby = SETTINGS.find(({ name }) => name === 'box.standbyReportIntervalS');
    const reportMs = Number(standby?.standard) * 1_000;
    expect(limits.silentMs).toBe(reportMs + vehicleLimits.reportWayMs);
    expect(limits.silentMs).toBeLessThan(reportMs + vehicleLimits.overdueMs);
    expect(limits.recordsPerBox).toBeGreaterThan(limits.recordPruneStride);
  });
});

describe('a backoff', () => {
  test('doubles from the first delay up to the maximum, with jitter over its second half', () => {
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
