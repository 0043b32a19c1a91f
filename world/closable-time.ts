import type { Time } from './time.ts';

export interface ClosableTime {
  readonly time: Time;
  close(): void;
}

/** The same time, whose alarms can all be taken back at once: who waits for one then waits for ever. */
export function closableTime(time: Time): ClosableTime {
  const open = new Set<() => void>();
  let isClosed = false;
  return {
    time: {
      nowMs: () => time.nowMs(),
      alarm: (dueMs, wake) => {
        if (isClosed) return () => undefined;
        const takeBack = time.alarm(dueMs, () => {
          open.delete(takeBack);
          wake();
        });
        open.add(takeBack);
        return () => {
          open.delete(takeBack);
          takeBack();
        };
      },
    },
    close() {
      isClosed = true;
      for (const takeBack of open) takeBack();
      open.clear();
    },
  };
}
