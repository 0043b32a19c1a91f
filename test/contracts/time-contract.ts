import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { sleep, type Time } from '../../world/time.ts';

export interface TimeStage {
  readonly time: Time;
  close(): Promise<void>;
}

/** The behaviour that every fulfilment of `Time` has in common. Waits are a few milliseconds of that world. */
export function timeContract(name: string, setUp: () => Promise<TimeStage>): void {
  describe(`time: ${name}`, () => {
    let stage: TimeStage;
    beforeEach(async () => {
      stage = await setUp();
    });
    afterEach(() => stage.close());

    test('the clock shows whole milliseconds above 0 and does not go back', async () => {
      const first = stage.time.nowMs();
      expect(Number.isSafeInteger(first)).toBe(true);
      expect(first).toBeGreaterThan(0);
      await sleep(stage.time, 2);
      expect(stage.time.nowMs()).toBeGreaterThanOrEqual(first + 2);
    });

    test('an alarm never rings before its time', async () => {
      const { time } = stage;
      const dueMs = time.nowMs() + 15;
      const rangMs = await new Promise<number>((resolve) => {
        time.alarm(dueMs, () => resolve(time.nowMs()));
      });
      expect(rangMs).toBeGreaterThanOrEqual(dueMs);
    });

    test('an alarm in the past rings as soon as possible, but not within the call', async () => {
      const { time } = stage;
      let isCalling = true;
      const wasCalling = await new Promise<boolean>((resolve) => {
        time.alarm(time.nowMs() - 1_000, () => resolve(isCalling));
        isCalling = false;
      });
      expect(wasCalling).toBe(false);
    });

    test('an alarm rings once', async () => {
      let rings = 0;
      stage.time.alarm(stage.time.nowMs() + 1, () => {
        rings += 1;
      });
      await sleep(stage.time, 20);
      expect(rings).toBe(1);
    });

    test('an alarm that is taken back does not ring; taking it back twice or after it rang does nothing', async () => {
      const { time } = stage;
      const rung: string[] = [];
      const takeBack = time.alarm(time.nowMs() + 3, () => rung.push('taken back'));
      const takeBackPast = time.alarm(time.nowMs() - 3, () => rung.push('taken back in the past'));
      const late = time.alarm(time.nowMs() + 1, () => rung.push('rang'));
      takeBack();
      takeBack();
      takeBackPast();
      await sleep(time, 15);
      late();
      expect(rung).toEqual(['rang']);
    });

    test('alarms ring in the order of their times', async () => {
      const { time } = stage;
      const rung: number[] = [];
      const fromMs = time.nowMs();
      for (const delayMs of [25, 5, 15]) time.alarm(fromMs + delayMs, () => rung.push(delayMs));
      await sleep(time, 40);
      expect(rung).toEqual([5, 15, 25]);
    });
  });
}
