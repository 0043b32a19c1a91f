import { describe, expect, test } from 'vitest';
import { type FleetBox, startFleet } from '../../../simulator/fleet.ts';
import { planFleet } from '../../../simulator/plan.ts';
import { openVirtualWorld } from '../../../world/virtual-world.ts';
import { SmallBackend } from './small-backend.ts';

const TRACKING = { 'tracking.enabled': 1, 'tracking.timeIntervalS': 10 } as const;
const HOUR_MS = 3_600_000;

/** One box that reports every ten seconds, after its first minute. */
async function stage() {
  const world = openVirtualWorld({ seed: 5 });
  const backend = new SmallBackend(world);
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
  await world.pass(60_000);
  const offByMs = (which: FleetBox = box) => Number(which.belief()['clockMs']) - world.loop.nowMs;
  const journal = () => box.belief()['journal'] as { epoch: number; next: number; held: number };
  const [plan] = plans;
  const restart = async () => {
    await stop();
    return start();
  };
  return { world, backend, box, offByMs, journal, restart, boxId: plan?.boxId ?? '' };
}

describe('what breaks in a box', () => {
  test('a clock that jumps back is wrong until the next word of the backend', async () => {
    const { world, box, offByMs } = await stage();
    expect(Math.abs(offByMs())).toBeLessThan(1_000);
    box.jumpClock(-2 * HOUR_MS);
    // Until its page is in flash.
    await world.pass(10);
    expect(Math.round(offByMs() / HOUR_MS)).toBe(-2);
    await world.pass(30_000);
    expect(Math.abs(offByMs())).toBeLessThan(1_000);
  });

  test('a clock that jumps ahead is wrong until the box has asked in a session that it begins for it, once', async () => {
    const { world, box, offByMs } = await stage();
    const before = Number(box.belief()['connection']);
    box.jumpClock(2 * HOUR_MS);
    // Until its page is in flash.
    await world.pass(10);
    expect(Math.round(offByMs() / HOUR_MS)).toBe(2);
    await world.pass(60_000);
    expect(Math.abs(offByMs())).toBeLessThan(1_000);
    await world.pass(600_000);
    expect(Number(box.belief()['connection'])).toBe(before + 1);
  });

  test('a jump without coverage stays in what the box stamps, over a restart of the program too', async () => {
    const { world, box, offByMs, restart } = await stage();
    box.setCoverage(false);
    box.jumpClock(-2 * HOUR_MS);
    await world.pass(60_000);
    expect(Math.round(offByMs() / HOUR_MS)).toBe(-2);
    const again = await restart();
    again.setCoverage(false);
    await world.pass(60_000);
    expect(Math.round(offByMs(again) / HOUR_MS)).toBe(-2);
  });

  test('a full flash holds no more than it held, says what it gave up, and takes records again once it is mended', async () => {
    const { world, backend, box, journal, boxId } = await stage();
    box.setCoverage(false);
    await world.pass(60_000);
    const held = journal().held;
    box.setFlashFull(true);
    await world.pass(120_000);
    // Twelve records; tombstones have room of their own.
    expect(journal().held - held).toBeLessThan(5);
    box.setFlashFull(false);
    await world.pass(60_000);
    expect(journal().held).toBeGreaterThan(held + 3);
    box.setCoverage(true);
    await world.pass(120_000);
    expect(journal().held).toBe(0);
    expect(backend.messagesOf(boxId).some(({ kind }) => kind === 'tombstone')).toBe(true);
  });

  test('a wiped flash begins another epoch from its first sequence, and the vehicle stays as it is', async () => {
    const { world, box, journal } = await stage();
    const before = { ...journal(), mileage: box.truth()['mileageKm'] };
    box.wipe();
    await world.pass(60_000);
    expect(journal().epoch).not.toBe(before.epoch);
    expect(journal().next).toBeLessThan(before.next + 10);
    expect(journal().held).toBeLessThan(5);
    expect(Number(box.truth()['mileageKm'])).toBeGreaterThanOrEqual(Number(before.mileage));
    expect(box.belief()['session']).toBe('ready');
  });

  test('without satellites the box reports no position', async () => {
    const { world, backend, box, boxId } = await stage();
    const qualities = (from: number) =>
      backend
        .messagesOf(boxId)
        .slice(from)
        .flatMap((message) => (message.kind === 'report' ? (message.signals.gnss?.quality ?? []) : []));
    box.setSky(false);
    const from = backend.messagesOf(boxId).length;
    await world.pass(60_000);
    expect(new Set(qualities(from + 1))).toEqual(new Set([0]));
    box.setSky(true);
    const later = backend.messagesOf(boxId).length;
    await world.pass(60_000);
    expect(qualities(later + 1)).not.toContain(0);
  });

  test('across a border the network is lost, and after the gap the box is on a foreign one, and at home again', async () => {
    const { world, box } = await stage();
    const home = box.belief()['network'];
    box.crossBorder(true, 45_000);
    await world.pass(40_000);
    expect([box.belief()['network'], box.belief()['modem']]).toEqual([null, 'searching']);
    await world.pass(60_000);
    expect(box.belief()['network']).toBe('Orange F');
    expect(box.belief()['session']).toBe('ready');
    box.crossBorder(false, 1_000);
    await world.pass(60_000);
    expect(box.belief()['network']).toBe(home);
  });
});
