import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { sleep, type Time, valueWithin } from '../../world/time/time.ts';

export interface TimeFixture {
  readonly time: Time;
  close(): Promise<void>;
}

/** The common behaviour of all implementations of `Time`. Waits are a few milliseconds of that world. */
export function timeContract(name: string, setUp: () => Promise<TimeFixture>): void {
  describe(`time: ${name}`, () => {
    let fixture: TimeFixture;
    beforeEach(async () => {
      fixture = await setUp();
    });
    afterEach(() => fixture.close());

    test('the clock shows whole milliseconds above 0 and does not go back', async () => {
      const first = fixture.time.nowMs();
      expect(Number.isSafeInteger(first)).toBe(true);
      expect(first).toBeGreaterThan(0);
      await sleep(fixture.time, 2);
      expect(fixture.time.nowMs()).toBeGreaterThanOrEqual(first + 2);
    });

    test('an alarm never fires before its time', async () => {
      const { time } = fixture;
      const dueMs = time.nowMs() + 15;
      const rangMs = await new Promise<number>((resolve) => {
        time.alarm(dueMs, () => resolve(time.nowMs()));
      });
      expect(rangMs).toBeGreaterThanOrEqual(dueMs);
    });

    test('an alarm in the past fires as soon as possible, but not within the call', async () => {
      const { time } = fixture;
      let isCalling = true;
      const wasCalling = await new Promise<boolean>((resolve) => {
        time.alarm(time.nowMs() - 1_000, () => resolve(isCalling));
        isCalling = false;
      });
      expect(wasCalling).toBe(false);
    });

    test('an alarm fires once', async () => {
      let rings = 0;
      fixture.time.alarm(fixture.time.nowMs() + 1, () => {
        rings += 1;
      });
      await sleep(fixture.time, 20);
      expect(rings).toBe(1);
    });

    test('what is wanted within a time is had, or its failure, or nothing after that time; no alarm is left', async () => {
      const { time } = fixture;
      let waiting = 0;
      const counted: Time = {
        nowMs: () => time.nowMs(),
        alarm(dueMs, wake) {
          waiting += 1;
          const cancel = time.alarm(dueMs, wake);
          return () => {
            waiting -= 1;
            cancel();
          };
        },
      };
      expect(await valueWithin(counted, 60_000, Promise.resolve('had'))).toBe('had');
      await expect(valueWithin(counted, 60_000, Promise.reject(new Error('broken')))).rejects.toThrow(
        'broken',
      );
      expect(await valueWithin(counted, 2, new Promise(() => undefined))).toBeUndefined();
      expect(waiting).toBe(0);
    });

    test('a cancelled alarm does not fire; cancelling it twice or after it fired does nothing', async () => {
      const { time } = fixture;
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

    test('alarms fire in the order of their times', async () => {
      const { time } = fixture;
      const rung: number[] = [];
      const fromMs = time.nowMs();
      for (const delayMs of [25, 5, 15]) time.alarm(fromMs + delayMs, () => rung.push(delayMs));
      await sleep(time, 40);
      expect(rung).toEqual([5, 15, 25]);
    });
  });
}
