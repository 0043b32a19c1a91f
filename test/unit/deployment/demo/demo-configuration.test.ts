import { expect, test } from 'vitest';
import { orderDemoFeatures } from '../../../../scenarios/testbed/common/demo-configuration.ts';
import { VirtualLoop } from '../../../../world/loop/virtual-loop.ts';
import { ProcessScope } from '../../../../world/loop/virtual-process-scope.ts';
import { virtualTime } from '../../../../world/time/virtual-time.ts';

test('the demo waits when the service has too many requests, and configures each vehicle once', async () => {
  const loop = new VirtualLoop();
  const time = virtualTime(loop, new ProcessScope('demo'));
  const beganMs = loop.nowMs;
  const box = { boxId: '0011223344556677', vehicleId: 'VEH01', isUp: () => true };
  const callsMs: number[] = [];
  const answers = [
    new Response(null, { status: 429, headers: { 'retry-after': '40' } }),
    new Response(null, { status: 201 }),
  ];
  const order = orderDemoFeatures({
    time,
    boxes: [box],
    waitMs: 30_000,
    call: async () => {
      callsMs.push(loop.nowMs - beganMs);
      return answers[callsMs.length - 1] ?? new Response(null, { status: 500 });
    },
  });
  await loop.runUntil(beganMs + 120_000);
  await order;
  expect(callsMs.length).toBe(2);
  expect(callsMs[1]).toBeGreaterThanOrEqual(40_000);
});

test('a demo that is ended while it waits for its boxes orders nothing any more', async () => {
  const loop = new VirtualLoop();
  const time = virtualTime(loop, new ProcessScope('demo'));
  const beganMs = loop.nowMs;
  let isEnded = false;
  let calls = 0;
  const order = orderDemoFeatures({
    time,
    boxes: [{ boxId: '0011223344556677', vehicleId: 'VEH01', isUp: () => false }],
    waitMs: 30_000,
    isEnded: () => isEnded,
    call: async () => {
      calls += 1;
      return new Response(null, { status: 201 });
    },
  });
  await loop.runUntil(beganMs + 10_000);
  isEnded = true;
  await loop.runUntil(beganMs + 120_000);
  await order;
  expect(calls).toBe(0);
});
