import { describe, expect, test, vi } from 'vitest';
import { realTime } from '../../../world/real-time.ts';
import { sleep } from '../../../world/time.ts';

/** vitest's timers stand in for Node's: a month passes at once, and the wall clock can be set. */
function withTimers(run: () => void): void {
  vi.useFakeTimers({ now: 1_760_000_000_000 });
  try {
    run();
  } finally {
    vi.useRealTimers();
  }
}

describe('real time', () => {
  test('a clock that goes on between two looks leads to no negative timer', () => {
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

  test('rings at its time, not before', () => {
    withTimers(() => {
      const wake = vi.fn();
      realTime().alarm(Date.now() + 1_000, wake);
      vi.advanceTimersByTime(999);
      expect(wake).not.toHaveBeenCalled();
      vi.advanceTimersByTime(1);
      expect(wake).toHaveBeenCalledTimes(1);
    });
  });

  test('an alarm beyond 2^31 ms rings then, and not at once', () => {
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

  test('an alarm in the past rings soon, never within the call', () => {
    withTimers(() => {
      const wake = vi.fn();
      realTime().alarm(Date.now() - 5_000, wake);
      realTime().alarm(Date.now(), wake);
      expect(wake).not.toHaveBeenCalled();
      vi.advanceTimersByTime(0);
      expect(wake).toHaveBeenCalledTimes(2);
    });
  });

  test('an alarm that is taken back does not ring, before its time or in the past', () => {
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

  test('goes by the wall clock: it waits on when that is set back, and notices within a minute when it jumps', () => {
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

  test('sleeps on the real clock', async () => {
    const time = realTime();
    const startMs = time.nowMs();
    await sleep(time, 20);
    expect(time.nowMs() - startMs).toBeGreaterThanOrEqual(20);
    expect(Number.isInteger(time.nowMs())).toBe(true);
  });
});
