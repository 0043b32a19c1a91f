import { expect, test } from 'vitest';
import { limits as wire } from '../../../protocol/limits.ts';
import { limits } from '../../../simulator/limits.ts';
import { limits as physics } from '../../../simulator/vehicle/limits.ts';

test('what a box packs fits what the wire allows', () => {
  expect(limits.framesPerPublish).toBeLessThanOrEqual(wire.framesPerPayload);
  expect(limits.bytesPerPublish).toBeLessThanOrEqual(wire.payloadBytes);
  expect(limits.bytesPerPublish).toBeGreaterThan(wire.framePayloadBytes * 2);
});

test('events and replies always have room beside reports', () => {
  expect(limits.urgentPublishesInFlight).toBeGreaterThan(limits.publishesInFlight);
  expect(limits.urgentRecordsAwaitingReceipt).toBeGreaterThan(limits.gapsByReplies);
  expect(limits.repliesAwaitingReceipt).toBeGreaterThan(limits.urgentRecordsAwaitingReceipt);
  expect(limits.gapsByEvents).toBeLessThan(limits.gapsByTombstones);
  expect(limits.gapsByTombstones).toBeLessThan(limits.gapsByReplies);
});

test('a vehicle whose supply sinks is noticed, and one that runs never is', () => {
  expect(physics.brownOutMillivolts).toBeLessThan(limits.brownOutMillivolts);
  expect(limits.brownOutMillivolts).toBeLessThan(limits.restoreMillivolts);
  expect(limits.restoreMillivolts).toBeLessThan(physics.lowestRestVolts * 1_000 - physics.cableMillivolts);
});

test('a reset is over before the backend stops to wait for it', () => {
  const resetMs = limits.errandMs + limits.leavingMs + limits.resetDownMs + limits.bootMs;
  expect(resetMs).toBeLessThan(20_000);
  expect(limits.resetDownMs + limits.bootMs).toBeLessThan(limits.resetExpectedS * 1_000);
});
