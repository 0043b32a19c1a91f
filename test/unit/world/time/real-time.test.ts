import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { limits } from '../../../../world/limits.ts';
import { realTime } from '../../../../world/time/real-time.ts';

/** vitest's timers replace Node's: a month passes at once, and the wall clock can be set. */
function withTimers(run: () => void): void {
  vi.useFakeTimers({ now: 1_760_000_000_000 });
  try {
    run();
  } finally {
    vi.useRealTimers();
  }
}

describe('real time', () => {
  test('a clock that advances between two readings causes no negative timer', () => {
    withTimers(() => {
      const delaysMs: unknown[] = [];
      const now = Date.now();
      const clock = vi
        .spyOn(Date, 'now')
        .mockReturnValueOnce(now)
        .mockReturnValue(now + 50);
      const timer = vi.spyOn(globalThis, 'setTimeout').mockImplementation((_run, delayMs) => {
        delaysMs.push(delayMs);
        return setInterval(() => undefined, 1_000);
      });
      realTime().alarm(now + 10, () => undefined);
      clock.mockRestore();
      timer.mockRestore();
      expect(delaysMs).toEqual([0]);
    });
  });

  test('an alarm fires at its time, not before', () => {
    withTimers(() => {
      const wake = vi.fn();
      realTime().alarm(Date.now() + 1_000, wake);
      vi.advanceTimersByTime(999);
      expect(wake).not.toHaveBeenCalled();
      vi.advanceTimersByTime(1);
      expect(wake).toHaveBeenCalledTimes(1);
    });
  });

  test('an alarm beyond 2^31 ms fires then, and not at once', () => {
    withTimers(() => {
      const wake = vi.fn();
      const fortyDaysMs = 40 * 24 * 3_600_000;
      realTime().alarm(Date.now() + fortyDaysMs, wake);
      vi.advanceTimersByTime(fortyDaysMs - 1);
      expect(wake).not.toHaveBeenCalled();
      vi.advanceTimersByTime(1);
      expect(wake).toHaveBeenCalledTimes(1);
    });
  });

  test('an alarm in the past fires soon, but not within the call', () => {
    withTimers(() => {
      const wake = vi.fn();
      realTime().alarm(Date.now() - 5_000, wake);
      realTime().alarm(Date.now(), wake);
      expect(wake).not.toHaveBeenCalled();
      vi.advanceTimersByTime(0);
      expect(wake).toHaveBeenCalledTimes(2);
    });
  });

  test('a cancelled alarm does not fire, whether due later or in the past', () => {
    withTimers(() => {
      const wake = vi.fn();
      const cancels = [0, 10, 100_000].map((delayMs) => realTime().alarm(Date.now() + delayMs, wake));
      vi.advanceTimersByTime(0);
      const rungBefore = wake.mock.calls.length;
      for (const cancel of cancels) cancel();
      vi.advanceTimersByTime(1_000_000);
      expect(wake.mock.calls.length).toBe(rungBefore);
      for (const cancel of cancels) cancel();
    });
  });

  test('of many alarms each rings once, in the order of their times, unless it is cancelled', () => {
    withTimers(() => {
      fc.assert(
        fc.property(fc.array(fc.tuple(fc.integer({ min: 1, max: 5_000 }), fc.boolean())), (wanted) => {
          const time = realTime();
          const fromMs = Date.now();
          const rung: number[] = [];
          const cancels = wanted.map(([afterMs]) =>
            time.alarm(fromMs + afterMs, () => {
              expect(Date.now()).toBeGreaterThanOrEqual(fromMs + afterMs);
              rung.push(afterMs);
            }),
          );
          for (const [index, [, isCancelled]] of wanted.entries()) if (isCancelled) cancels[index]?.();
          vi.advanceTimersByTime(6_000);
          const left = wanted.filter(([, isCancelled]) => !isCancelled).map(([afterMs]) => afterMs);
          expect(rung).toEqual(left.sort((one, other) => one - other));
          expect(vi.getTimerCount()).toBe(0);
        }),
      );
    });
  });

  test('all alarms together take one timer, and the last that is cancelled takes it away', () => {
    withTimers(() => {
      const time = realTime();
      const cancels = [5, 3, 9].map((afterS) => time.alarm(Date.now() + afterS * 1_000, () => undefined));
      expect(vi.getTimerCount()).toBe(1);
      for (const cancel of cancels) cancel();
      expect(vi.getTimerCount()).toBe(0);
    });
  });

  test('an alarm that throws takes no other with it', () => {
    withTimers(() => {
      const time = realTime();
      const wake = vi.fn();
      time.alarm(Date.now() + 10, () => {
        throw new Error('planned');
      });
      time.alarm(Date.now() + 10, wake);
      expect(() => vi.advanceTimersByTime(10)).toThrow('planned');
      vi.advanceTimersByTime(10);
      expect(wake).toHaveBeenCalledTimes(1);
    });
  });

  test('more alarms than ring in a row all ring', () => {
    withTimers(() => {
      const time = realTime();
      const wake = vi.fn();
      for (let count = 0; count < 3 * limits.alarmsAtOnce; count += 1) time.alarm(Date.now() + 10, wake);
      vi.advanceTimersByTime(20);
      expect(wake).toHaveBeenCalledTimes(3 * limits.alarmsAtOnce);
    });
  });

  test('follows the wall clock: an alarm waits longer if it is set back, and fires within a minute if it jumps ahead', () => {
    withTimers(() => {
      const back = vi.fn();
      realTime().alarm(Date.now() + 10_000, back);
      vi.setSystemTime(Date.now() - 5_000);
      vi.advanceTimersByTime(10_000);
      expect(back).not.toHaveBeenCalled();
      vi.advanceTimersByTime(5_000);
      expect(back).toHaveBeenCalledTimes(1);

      const jump = vi.fn();
      realTime().alarm(Date.now() + 3_600_000, jump);
      vi.setSystemTime(Date.now() + 3_600_000);
      vi.advanceTimersByTime(60_000);
      expect(jump).toHaveBeenCalledTimes(1);
    });
  });
});
