import { expect, test } from 'vitest';
import { wireLimits } from '../../../protocol/limits.ts';
import { limits } from '../../../simulator/limits.ts';
import { limits as physics } from '../../../simulator/vehicle/limits.ts';

test('the payloads of a box fit the limits of the wire', () => {
  expect(limits.framesPerPublish).toBeLessThanOrEqual(wireLimits.framesPerPayload);
  expect(limits.bytesPerPublish).toBeLessThanOrEqual(wireLimits.payloadBytes);
  expect(limits.bytesPerPublish).toBeGreaterThan(wireLimits.framePayloadBytes * 2);
});

test('events and replies always have space in addition to reports', () => {
  expect(limits.urgentPublishesInFlight).toBeGreaterThan(limits.publishesInFlight);
  expect(limits.urgentRecordsAwaitingReceipt).toBeGreaterThan(limits.gapsByReplies);
  expect(limits.repliesAwaitingReceipt).toBeGreaterThan(limits.urgentRecordsAwaitingReceipt);
  expect(limits.gapsByEvents).toBeLessThan(limits.gapsByTombstones);
  expect(limits.gapsByTombstones).toBeLessThan(limits.gapsByReplies);
});

test('a low supply is detected, and never in a vehicle whose engine runs', () => {
  expect(physics.brownOutMillivolts).toBeLessThan(limits.brownOutMillivolts);
  expect(limits.brownOutMillivolts).toBeLessThan(limits.restoreMillivolts);
  expect(limits.restoreMillivolts).toBeLessThan(physics.lowestRestVolts * 1_000 - physics.cableMillivolts);
});

test('a reset ends before the backend stops waiting for it', () => {
  const resetMs = limits.pendingTaskMs + limits.goodbyeMs + limits.resetDownMs + limits.bootMs;
  expect(resetMs).toBeLessThan(20_000);
  expect(limits.resetDownMs + limits.bootMs).toBeLessThan(limits.resetExpectedS * 1_000);
});
