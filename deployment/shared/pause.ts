import type { Time } from '../../world/time/time.ts';

/** Waits for this time, or until it is aborted. */
export function pause(
  { time, ended }: { readonly time: Time; readonly ended: AbortSignal },
  lengthMs: number,
): Promise<void> {
  if (ended.aborted || lengthMs <= 0) return Promise.resolve();
  return new Promise((resolve) => {
    const over = () => {
      cancel();
      ended.removeEventListener('abort', over);
      resolve();
    };
    const cancel = time.alarm(time.nowMs() + lengthMs, over);
    ended.addEventListener('abort', over);
  });
}
