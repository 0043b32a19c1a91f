import type { Time } from '../../world/time/time.ts';

/** Waits so long, or until it is ended. */
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
