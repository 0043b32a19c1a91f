import type { World } from '../../world/world.ts';
import type { IngestStore } from '../store/ingest-store.ts';
import type { Committer } from './committer.ts';

export interface ForgettingParts {
  readonly world: Pick<World, 'log' | 'time'>;
  readonly store: Pick<IngestStore, 'forgetConnections'>;
}

/**
 * Lets the store forget its open connections, at once, and `commit` only once that is done: a hello that came before
 * would be forgotten too. Where the store fails, the next commit tries again first, and fails with it.
 */
export function afterForgetting(parts: ForgettingParts, commit: Committer): Committer {
  const { world, store } = parts;
  let forgotten = store.forgetConnections(world.time.nowMs());
  let hasFailed = false;
  forgotten.catch((error: unknown) => {
    hasFailed = true;
    world.log.error(
      { error: String(error) },
      'connections that ended with the broker are still taken for open',
    );
  });
  return async (arrivals) => {
    if (hasFailed) {
      hasFailed = false;
      forgotten = store.forgetConnections(world.time.nowMs());
    }
    try {
      await forgotten;
    } catch (error) {
      hasFailed = true;
      throw error;
    }
    return commit(arrivals);
  };
}
