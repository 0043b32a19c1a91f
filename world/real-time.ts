import { limits } from './limits.ts';
import type { Time } from './time.ts';

/** The wall clock and Node's timers. Alarms keep the process alive: whoever sets one takes it back at the end. */
export function realTime(): Time {
  return {
    nowMs: () => Date.now(),
    alarm: (dueMs, wake) => (dueMs <= Date.now() ? ringAtOnce(wake) : ringLater(dueMs, wake)),
  };
}

function ringAtOnce(wake: () => void): () => void {
  const turn = setImmediate(wake);
  return () => clearImmediate(turn);
}

function ringLater(dueMs: number, wake: () => void): () => void {
  let timer: NodeJS.Timeout;
  const wait = () => {
    const remainingMs = dueMs - Date.now();
    // A timer may ring a millisecond early by the wall clock, and much too early where that was set back.
    if (remainingMs <= 0) return wake();
    timer = setTimeout(wait, Math.min(remainingMs, limits.longestTimerMs));
  };
  timer = setTimeout(wait, Math.min(Math.max(dueMs - Date.now(), 0), limits.longestTimerMs));
  return () => clearTimeout(timer);
}
