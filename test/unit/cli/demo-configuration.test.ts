import { expect, test } from 'vitest';
import { orderDemoFeatures } from '../../../scenarios/demo-configuration.ts';
import type { FleetBox } from '../../../simulator/fleet.ts';
import { Life } from '../../../world/virtual-life.ts';
import { VirtualLoop } from '../../../world/virtual-loop.ts';
import { virtualTime } from '../../../world/virtual-time.ts';

test('the demonstration waits where the service has too many requests, and orders each vehicle once', async () => {
  const loop = new VirtualLoop();
  const time = virtualTime(loop, new Life('demo'));
  const beganMs = loop.nowMs;
  const box = { plan: { vehicleId: 'VEH01' }, belief: () => ({ session: 'ready' }) } as unknown as FleetBox;
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
