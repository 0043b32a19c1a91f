import type { Time } from './time.ts';

export interface ClosableTime {
  readonly time: Time;
  close(): void;
}

/**
 * The same time, whose alarms can all be cancelled at once: a promise that waits for one then never settles.
 */
export function closableTime(time: Time): ClosableTime {
  const open = new Set<() => void>();
  let isClosed = false;
  return {
    time: {
      nowMs: () => time.nowMs(),
      alarm: (dueMs, wake) => {
        if (isClosed) return () => undefined;
        const cancel = time.alarm(dueMs, () => {
          open.delete(cancel);
          wake();
        });
        open.add(cancel);
        return () => {
          open.delete(cancel);
          cancel();
        };
      },
    },
    close() {
      isClosed = true;
      for (const cancel of open) cancel();
      open.clear();
    },
  };
}
