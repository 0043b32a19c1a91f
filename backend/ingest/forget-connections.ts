import type { World } from '../../world/world.ts';
import type { IngestStore } from '../store/port/ingest-store.ts';
import type { CommitBatch } from './batch-worker.ts';

export interface ForgetConnectionsParts {
  readonly world: Pick<World, 'log' | 'time'>;
  readonly store: Pick<IngestStore, 'forgetConnections'>;
}

/**
 * Lets the store forget its open connections at once, and calls `commit` only after that: an earlier hello
 * would be forgotten too. If the store fails, the next commit retries that first, and fails with it.
 */
export function afterConnectionsForgotten(parts: ForgetConnectionsParts, commit: CommitBatch): CommitBatch {
  const { world, store } = parts;
  let forgotten = store.forgetConnections(world.time.nowMs());
  let hasFailed = false;
  forgotten.catch((error: unknown) => {
    hasFailed = true;
    world.log.error(
      { error: String(error) },
      'connections that ended with the broker are still recorded as open',
    );
  });
  return async (payloads) => {
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
    return commit(payloads);
  };
}
