import type { Time } from './time.ts';
import type { Life } from './virtual-life.ts';
import type { VirtualLoop } from './virtual-loop.ts';

/**
 * The real one, taken before a sandbox forbids it to everybody else. A million turns a second were measured, so the
 * loop gives every event one instead of guessing whether a promise is open.
 */
const realSetImmediate = setImmediate;

let isTurning: boolean = false;

/** One turn of the real event loop: when it resolves, all promise callbacks that could run have run. */
export function turn(): Promise<void> {
  return new Promise((resolve) => {
    isTurning = true;
    realSetImmediate(resolve);
    isTurning = false;
  });
}

/** Whether the loop is asking for its turn just now; a sandbox lets that one through. */
export function isOwnTurn(): boolean {
  return isTurning;
}

/** The clock and the alarms of `life` in the virtual world. */
export function virtualTime(loop: VirtualLoop, life: Life): Time {
  return {
    nowMs: () => loop.nowMs,
    alarm(dueMs, wake) {
      if (life.isSevered) return () => undefined;
      const label = `${life.name} alarm`;
      const cancel = loop.schedule(dueMs, label, () => {
        stopWatching();
        wake();
      });
      const stopWatching = life.onSever(cancel);
      return () => {
        stopWatching();
        cancel();
      };
    },
  };
}
