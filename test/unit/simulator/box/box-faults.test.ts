import { describe, expect, test } from 'vitest';
import type { FleetBox } from '../../../../simulator/box/fleet-box.ts';
import { startFleet } from '../../../../simulator/fleet/fleet.ts';
import { planFleet } from '../../../../simulator/fleet/fleet-plan.ts';
import { openVirtualWorld } from '../../../../world/virtual-world.ts';
import { FakeBackend } from '../../../support/firmware/fake-backend.ts';

const TRACKING = { 'tracking.enabled': 1, 'tracking.timeIntervalS': 10 } as const;
const HOUR_MS = 3_600_000;

/** One box that reports every ten seconds, after its first minute. */
async function stage() {
  const world = openVirtualWorld({ seed: 5 });
  const backend = new FakeBackend(world);
  await world.run(() => backend.start());
  const plans = planFleet(world.random, 1).map((plan) => ({ ...plan, factorySettings: TRACKING }));
  const start = async (): Promise<FleetBox> => {
    const fleet = await world.run(() => startFleet(world, plans));
    const [box] = fleet.boxes.values();
    if (box === undefined) throw new Error('The fleet is empty');
    stop = () => world.run(() => fleet.stop());
    return box;
  };
  let stop = async (): Promise<void> => undefined;
  const box = await start();
  await world.runFor(60_000);
  const offByMs = (which: FleetBox = box) => Number(which.snapshot()['clockMs']) - world.loop.nowMs;
  const journal = () => box.snapshot()['journal'] as { epoch: number; next: number; held: number };
  const [plan] = plans;
  const restart = async () => {
    await stop();
    return start();
  };
  return { world, backend, box, offByMs, journal, restart, boxId: plan?.boxId ?? '' };
}

describe('faults of a box', () => {
  test('a clock that jumps back is wrong until the next frame of the backend', async () => {
    const { world, box, offByMs } = await stage();
    expect(Math.abs(offByMs())).toBeLessThan(1_000);
    box.jumpClock(-2 * HOUR_MS);
    // Until its page is in flash.
    await world.runFor(10);
    expect(Math.round(offByMs() / HOUR_MS)).toBe(-2);
    await world.runFor(30_000);
    expect(Math.abs(offByMs())).toBeLessThan(1_000);
  });

  test('a clock that jumps ahead is wrong until the next receipt of a record', async () => {
    const { world, box, offByMs } = await stage();
    const before = Number(box.snapshot()['connection']);
    box.jumpClock(2 * HOUR_MS);
    // Until its page is in flash.
    await world.runFor(10);
    expect(Math.round(offByMs() / HOUR_MS)).toBe(2);
    await world.runFor(60_000);
    expect(Math.abs(offByMs())).toBeLessThan(1_000);
    await world.runFor(600_000);
    expect(Number(box.snapshot()['connection'])).toBe(before);
  });

  test('a jump without coverage stays in the times of the records, even over a restart of the program', async () => {
    const { world, box, offByMs, restart } = await stage();
    box.setCoverage(false);
    box.jumpClock(-2 * HOUR_MS);
    await world.runFor(60_000);
    expect(Math.round(offByMs() / HOUR_MS)).toBe(-2);
    const again = await restart();
    again.setCoverage(false);
    await world.runFor(60_000);
    expect(Math.round(offByMs(again) / HOUR_MS)).toBe(-2);
  });

  test('a full flash stores no more records, reports those given up, and accepts records again once it is repaired', async () => {
    const { world, backend, box, journal, boxId } = await stage();
    box.setCoverage(false);
    await world.runFor(60_000);
    const held = journal().held;
    box.setFlashFull(true);
    await world.runFor(120_000);
    // Twelve records; tombstones have room of their own.
    expect(journal().held - held).toBeLessThan(5);
    box.setFlashFull(false);
    await world.runFor(60_000);
    expect(journal().held).toBeGreaterThan(held + 3);
    box.setCoverage(true);
    await world.runFor(120_000);
    expect(journal().held).toBe(0);
    expect(backend.messagesOf(boxId).some(({ kind }) => kind === 'tombstone')).toBe(true);
  });

  test('a wiped flash begins another epoch from its first sequence, and the vehicle is unchanged', async () => {
    const { world, box, journal } = await stage();
    const before = { ...journal(), mileage: box.truth()['mileageKm'] };
    box.wipe();
    await world.runFor(60_000);
    expect(journal().epoch).not.toBe(before.epoch);
    expect(journal().next).toBeLessThan(before.next + 10);
    expect(journal().held).toBeLessThan(5);
    expect(Number(box.truth()['mileageKm'])).toBeGreaterThanOrEqual(Number(before.mileage));
    expect(box.snapshot()['session']).toBe('ready');
  });

  test('without satellites the box reports no position', async () => {
    const { world, backend, box, boxId } = await stage();
    const qualities = (from: number) =>
      backend
        .messagesOf(boxId)
        .slice(from)
        .flatMap((message) => (message.kind === 'report' ? (message.signals.gnss?.quality ?? []) : []));
    box.setGnssReception(false);
    const from = backend.messagesOf(boxId).length;
    await world.runFor(60_000);
    expect(new Set(qualities(from + 1))).toEqual(new Set([0]));
    box.setGnssReception(true);
    const later = backend.messagesOf(boxId).length;
    await world.runFor(60_000);
    expect(qualities(later + 1)).not.toContain(0);
  });

  test('across a border the network is lost, then the box is on a foreign one, and later at home again', async () => {
    const { world, box } = await stage();
    const home = box.snapshot()['network'];
    box.crossBorder(true, 45_000);
    await world.runFor(40_000);
    expect([box.snapshot()['network'], box.snapshot()['modem']]).toEqual([null, 'searching']);
    await world.runFor(60_000);
    expect(box.snapshot()['network']).toBe('Orange F');
    expect(box.snapshot()['session']).toBe('ready');
    box.crossBorder(false, 1_000);
    await world.runFor(60_000);
    expect(box.snapshot()['network']).toBe(home);
  });
});
