import { eachTurn } from '../../../world/loop/event-loop-turns.ts';
import type { VirtualLoop } from '../../../world/loop/virtual-loop.ts';

/** One turn of the real event loop: when it resolves, all promise callbacks that could run have run. */
const turn = () => eachTurn(() => false);

/**
 * Lets virtual time pass by itself whenever something is left to happen, so that a suite which knows nothing of the
 * loop can await what it likes. Returns how to stop it.
 */
export function keepRunning(loop: VirtualLoop): () => Promise<void> {
  let isStopped = false;
  const run = async (): Promise<void> => {
    while (!isStopped) {
      if (loop.scheduledCount === 0) await turn();
      else await loop.runUntil(() => isStopped || loop.scheduledCount === 0);
    }
  };
  const running = run();
  return async () => {
    isStopped = true;
    await running;
  };
}

/** How many turns `until` waits where nothing is left to happen. */
const PATIENCE_TURNS = 1_000;

/** Resolves once `condition` holds while the pump runs; rejects where nothing more happens and it still does not. */
export async function runUntilTrue(loop: VirtualLoop, condition: () => boolean): Promise<void> {
  let idleTurns = 0;
  while (!condition()) {
    idleTurns = loop.scheduledCount === 0 ? idleTurns + 1 : 0;
    if (idleTurns > PATIENCE_TURNS)
      throw new Error('The condition does not hold, and nothing is left to happen');
    await turn();
  }
}
