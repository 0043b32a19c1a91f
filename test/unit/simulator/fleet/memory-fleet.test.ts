import { describe, expect, test } from 'vitest';
import type { BoxPlan } from '../../../../simulator/box-plan.ts';
import { startFleet } from '../../../../simulator/fleet/fleet.ts';
import { planFleet } from '../../../../simulator/fleet/fleet-plan.ts';
import { startMemoryFleet } from '../../../../simulator/fleet/memory-fleet.ts';
import { limits } from '../../../../simulator/limits.ts';
import { memoryFlash } from '../../../../world/flash/memory-flash.ts';
import { memoryMqtt } from '../../../../world/mqtt/memory-mqtt.ts';
import type { TraceEvent } from '../../../../world/trace/trace.ts';
import { openVirtualWorld } from '../../../../world/virtual-world.ts';

/** A fleet in memory, in virtual time. */
async function started(count: number, options: { readonly rampPerSecond?: number } = {}) {
  const world = openVirtualWorld({ seed: 1 });
  const mqtt = memoryMqtt(world);
  const flash = memoryFlash();
  const plans: readonly BoxPlan[] = planFleet(world.random, count);
  const held = { ...world, mqtt: mqtt.client, flash };
  const memory = await world.run(() => startMemoryFleet(held, plans, options));
  const journalOf = (plan: BoxPlan) => memory.fleet.boxes.get(plan.boxId)?.snapshot()['journal'];
  return { world, mqtt, plans, held, memory, journalOf };
}

describe('a fleet in memory', () => {
  test('every box gets ready, and the journals drain', async () => {
    const { world, plans, memory, journalOf } = await started(20);
    await world.runUntil(() => memory.counts().boxesReady === 20, 60_000);
    await world.runFor(10 * 60_000);
    const counts = memory.counts();
    expect(counts).toMatchObject({ boxesSeen: 20, boxesReady: 20, faults: 0 });
    expect(counts.records).toBeGreaterThan(20);
    for (const plan of plans) expect(journalOf(plan)).toMatchObject({ held: 0 });
    await world.run(() => memory.stop());
  });

  test('a box whose connection is cut counts as gone until it is back, and its records come once', async () => {
    const { world, plans, memory } = await started(3);
    await world.runUntil(() => memory.counts().boxesReady === 3, 60_000);
    const [first] = plans;
    memory.fleet.boxes.get(first?.boxId ?? '')?.cutConnection();
    await world.runFor(100);
    expect(memory.counts().boxesReady).toBe(2);
    await world.runUntil(() => memory.counts().boxesReady === 3, 60_000);
    await world.run(() => memory.stop());
  });

  test('of the boxes that are not ready those without radio coverage are counted', async () => {
    const { world, plans, memory } = await started(3);
    await world.runUntil(() => memory.fleet.readyCount() === 3, 60_000);
    expect(memory.fleet.uncoveredCount()).toBe(0);
    const [first, second] = plans.map(({ boxId }) => memory.fleet.boxes.get(boxId));
    await world.run(async () => {
      first?.setCoverage(false);
      second?.cutConnection();
    });
    await world.runUntil(() => memory.fleet.readyCount() === 1, 60_000);
    expect(memory.fleet.uncoveredCount()).toBe(1);
    await world.run(() => memory.stop());
  });

  test('boxes get power in a ramp, as many each second as asked for', async () => {
    const { world, memory } = await started(20, { rampPerSecond: 2 });
    await world.runFor(7_000);
    const { boxesSeen } = memory.counts();
    expect(boxesSeen).toBeGreaterThan(8);
    expect(boxesSeen).toBeLessThan(15);
    await world.runUntil(() => memory.counts().boxesReady === 20, 60_000);
    await world.run(() => memory.stop());
  });

  test('a fleet that is made in several parts gets power in the same ramp', async () => {
    const count = limits.boxesMadeAtOnce + 5;
    const world = openVirtualWorld({ seed: 1 });
    const [plan] = planFleet(world.random, 1);
    const plans = Array.from({ length: count }, (_, index) => ({
      ...plan,
      boxId: index.toString(16).padStart(16, '0'),
    })) as readonly BoxPlan[];
    const booted: string[] = [];
    const trace = {
      note: ({ who, what }: TraceEvent) => {
        if (what === 'boot') booted.push(who);
      },
    };
    const held = { ...world, trace, flash: memoryFlash(), mqtt: memoryMqtt(world).client };
    const beganMs = world.loop.nowMs;
    const fleet = await world.run(() => startFleet(held, plans, { rampPerSecond: limits.rampMostPerSecond }));
    const seconds = count / limits.rampMostPerSecond;
    await world.runUntil(() => booted.length === count, 60_000);
    expect(booted).toEqual(plans.map(({ boxId }) => `box/${boxId}`));
    expect(world.loop.nowMs - beganMs).toBeGreaterThanOrEqual(seconds * 1_000 - limits.rampTickMs);
    expect(world.loop.nowMs - beganMs).toBeLessThan(seconds * 1_000 + 100);
    await world.run(() => fleet.stop());
  });

  test('a parked box sleeps: in an hour it wakes for its standby reports and for nothing else', async () => {
    const world = openVirtualWorld({ seed: 1 });
    let wakes = 0;
    const time: typeof world.time = {
      nowMs: () => world.time.nowMs(),
      alarm: (dueMs, wake) =>
        world.time.alarm(dueMs, () => {
          wakes += 1;
          wake();
        }),
    };
    const count = 10;
    const plans = planFleet(world.random, count).map((plan) => ({
      ...plan,
      model: 'petrol-compact',
      driving: false,
    }));
    // Only what the boxes wait for is counted, not the turns of the broker.
    const held = { ...world, time, flash: memoryFlash(), mqtt: memoryMqtt(world).client };
    const memory = await world.run(() => startMemoryFleet(held, plans));
    await world.runUntil(() => memory.counts().boxesReady === count, 60_000);
    await world.runFor(10 * 60_000);
    const { frames } = memory.counts();
    wakes = 0;
    await world.runFor(3_600_000);
    expect(memory.counts().frames - frames).toBe(2 * count);
    expect(wakes).toBeLessThanOrEqual(3 * count);
    await world.run(() => memory.stop());
  });

  test('the count of ready boxes is that of the boxes themselves, through cuts, resets and lost power, and ends at 0', async () => {
    const { world, plans, memory } = await started(12);
    const { fleet } = memory;
    const walked = () => {
      const snapshots = [...fleet.boxes.values()].map((box) => box.snapshot());
      return snapshots.filter(({ power, session }) => power === 'up' && session === 'ready').length;
    };
    const counts = new Set<number>();
    const look = () => {
      expect(fleet.readyCount()).toBe(walked());
      counts.add(fleet.readyCount());
    };
    look();
    await world.runUntil(() => fleet.readyCount() === 12, 60_000);
    const [cut, reset, wiped, browned, suspended] = plans.map(({ boxId }) => fleet.boxes.get(boxId));
    cut?.cutConnection();
    reset?.reset('USER');
    wiped?.wipe();
    browned?.brownOut();
    suspended?.setSim('suspended');
    for (let second = 0; second < 120; second += 1) {
      await world.runFor(500);
      look();
    }
    expect(counts).toContain(0);
    expect(counts.size).toBeGreaterThan(2);
    expect(fleet.readyCount()).toBe(11);
    await world.run(() => memory.stop());
    expect(fleet.readyCount()).toBe(0);
  });

  test('a wiped box begins anew, and a reset one goes on from its flash', async () => {
    const { world, plans, memory } = await started(2);
    await world.runUntil(() => memory.counts().boxesReady === 2, 60_000);
    const [wiped, reset] = plans.map((plan) => memory.fleet.boxes.get(plan.boxId));
    const connectionOf = () => reset?.snapshot()['connection'];
    const before = connectionOf();
    wiped?.wipe();
    reset?.reset('USER');
    await world.runFor(60_000);
    expect(memory.counts()).toMatchObject({ boxesReady: 2, faults: 0 });
    expect(connectionOf()).not.toBe(before);
    await world.run(() => memory.stop());
  });
});
