import type { GroupPace } from './group-commit.ts';

/**
 * A group begins at the end of the turn of the event loop: whatever that turn brings shares it, and costs one crossing to
 * a thread. A patient call waits for `patienceMs`; absent: no call is patient.
 */
export function realPace(patienceMs?: number): GroupPace {
  const soon = (begin: () => void): void => void setImmediate(begin);
  if (patienceMs === undefined) return { soon };
  return {
    soon,
    later: (begin) => {
      const timer = setTimeout(begin, patienceMs);
      return () => clearTimeout(timer);
    },
  };
}
