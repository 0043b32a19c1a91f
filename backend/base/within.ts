import type { Time } from '../../world/time/time.ts';

/** Resolves when `work` ends, or after `durationMs` at the latest. No timer remains. */
export function within(time: Time, durationMs: number, work: Promise<unknown>): Promise<void> {
  return new Promise((resolve) => {
    const cancel = time.alarm(time.nowMs() + durationMs, resolve);
    const end = (): void => {
      cancel();
      resolve();
    };
    work.then(end, end);
  });
}
