import { describe, expect, test } from 'vitest';
import { BoxDelays } from '../../../../simulator/box/box-delays.ts';
import { DelayQueue } from '../../../../simulator/box/delay-queue.ts';
import { firstFixAfterMs } from '../../../../simulator/gnss/receiver.ts';
import { limits } from '../../../../simulator/radio/limits.ts';
import { seededRandom } from '../../../../world/random/seeded-random.ts';
import { openVirtualWorld } from '../../../../world/virtual-world.ts';

const LOCK = [{ set: 'locked' }, { set: 'drivingEnabled' }] as const;

/** The way of a command and of its answer, over and over, for a box whose radio sleeps in between or does not. */
function roundTrips(seed: number, everyMs: number, csq = 20, boxId = 'box'): readonly number[] {
  const delays = new BoxDelays(seededRandom(seed), boxId);
  return Array.from({ length: 200 }, (_, index) => {
    const nowMs = index * everyMs;
    return delays.downlinkMs(nowMs, csq) + delays.motorMs(LOCK) + delays.uplinkMs(nowMs + 500, csq);
  });
}

const median = (values: readonly number[]) =>
  [...values].sort((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;

describe('the delays of the road radio', () => {
  test('are the same for the same box and seed, and differ for others', () => {
    expect(roundTrips(1, 60_000)).toEqual(roundTrips(1, 60_000));
    expect(roundTrips(2, 60_000)).not.toEqual(roundTrips(1, 60_000));
    expect(roundTrips(1, 60_000, 20, 'other')).not.toEqual(roundTrips(1, 60_000));
  });

  test('have medians between 0.3 and 1.5 s, longer if the radio must be woken', () => {
    for (let seed = 1; seed <= 30; seed += 1) {
      const [awake, asleep] = [median(roundTrips(seed, 2_000)), median(roundTrips(seed, 60_000))];
      expect(awake).toBeGreaterThan(300);
      expect(asleep).toBeGreaterThan(awake + 300);
      expect(asleep).toBeLessThan(1_500);
    }
  });

  test('are longer with a poor signal, and bounded', () => {
    expect(median(roundTrips(1, 2_000, 3))).toBeGreaterThan(median(roundTrips(1, 2_000, 20)));
    const delays = new BoxDelays(seededRandom(4), 'box');
    const { linkMostMs, setUpMs, pagingMs, processorMs } = limits;
    const most = linkMostMs + setUpMs[1] + pagingMs + processorMs[1] + 1;
    for (let index = 0; index < 5_000; index += 1) {
      const delayMs = delays.downlinkMs(index * 60_000, 0);
      expect(Number.isInteger(delayMs) && delayMs > 0 && delayMs <= most).toBe(true);
    }
  });

  test('keep the order of delayed items, and drop cleared ones', async () => {
    const world = openVirtualWorld({ seed: 1 });
    const seen: string[] = [];
    const delayed = new DelayQueue(world.time);
    const beganMs = world.time.nowMs();
    const see = (what: string) => () => seen.push(`${what} ${world.time.nowMs() - beganMs}`);
    delayed.push(300, see('slow'));
    delayed.push(10, see('fast'));
    delayed.push(400, see('late'));
    await world.runFor(350);
    expect(seen).toEqual(['slow 300', 'fast 300']);
    delayed.clear();
    delayed.push(100, see('new'));
    await world.runFor(1_000);
    expect(seen).toEqual(['slow 300', 'fast 300', 'new 450']);
  });

  test('give a receiver that had no power a longer time to first fix', () => {
    const firstFix = (reason: Parameters<typeof firstFixAfterMs>[0], index: number) =>
      firstFixAfterMs(reason, seededRandom(1).stream(`start ${index}`));
    for (let index = 0; index < 50; index += 1) {
      const [cold, warm, hot] = [
        firstFix('GENERAL', index),
        firstFix('POWER_DOWN_MODE', index),
        firstFix('BROWN_OUT', index),
      ];
      expect(cold).toBeGreaterThanOrEqual(26_000);
      expect(cold).toBeLessThanOrEqual(40_000);
      expect(warm).toBeLessThanOrEqual(28_000);
      expect(hot).toBeLessThanOrEqual(3_000);
      for (const reason of ['SOFTWARE', 'WATCHDOG', 'USER', 'BACKUP'] as const)
        expect(firstFix(reason, index)).toBe(0);
    }
  });
});
