import type { Log } from '../../world/log.ts';
import { limits } from '../limits.ts';
import { TROUBLES, type Trouble } from './plan.ts';

/** Logs a kind of trouble once for each box; the counters tell how often it came. */
export function makeTroubleLog(log: Log): (troubles: readonly Trouble[]) => void {
  const logged = new Set<string>();
  return (troubles) => {
    for (const { kind, boxId, detail } of troubles) {
      const key = `${kind} ${boxId}`;
      if (logged.has(key)) continue;
      if (logged.size >= limits.loggedTroubles) logged.clear();
      logged.add(key);
      log.warn({ kind, boxId, detail }, TROUBLES[kind]);
    }
  };
}
