import { GroupCommit } from '../../../world/group-commit/group-commit.ts';
import { realPace } from '../../../world/group-commit/real-pace.ts';
import { startThread, ThreadEnded, ThreadRefused } from '../../../world/threads/real-thread.ts';
import { limits } from '../../base/limits.ts';
import { type Store, StoreFailed } from '../port/store.ts';
import { STORE_ERRORS, type StoreCall, type StoreOutcome, storeOfCalls } from '../port/store-calls.ts';
import { makeWakeUpListeners } from '../wake-up-listeners.ts';
import { openReader } from './open.ts';
import { asPromise, openParts, reader } from './store.ts';
import type { PostedOutcome, StoreThreadSettings } from './store-thread.ts';

/** How long a call that nobody waits for may wait for another one to share its transaction. */
const PATIENCE_MS = 50;

/**
 * A store in one SQLite file, whose writes are carried out on a thread of their own: no commit holds up the caller's
 * event loop, and calls that come while a commit is in progress share the next one. Reads are carried out at once, by a
 * connection of their own, and see what has been committed. Rejects with `StoreInUse`, `StoreTooNew` or `StoreFailed`.
 */
export async function openThreadedStore(path: string): Promise<Store> {
  const settings: StoreThreadSettings = { path };
  const thread = await startThread<readonly StoreCall[], readonly PostedOutcome[]>(
    './store-thread',
    import.meta.url,
    settings,
  ).catch((error: unknown) => {
    throw asOpenFailure(error);
  });
  try {
    const { database, parts } = openParts(() => openReader(path));
    const wakeUps = makeWakeUpListeners();
    const group = new GroupCommit<StoreCall, StoreOutcome>(
      (calls) =>
        thread.ask(calls).then(
          (posted) => {
            const outcomes = posted.map(received);
            wakeUps.committed(calls, outcomes);
            return outcomes;
          },
          (error: unknown) => failedAll(calls, error),
        ),
      limits.storeGroupCalls,
      realPace(PATIENCE_MS),
    );
    return storeOfCalls(parts, {
      write: async (call) => asPromise(await group.add(call, isPatient(call))),
      read: reader(database, parts),
      listen: (listener) => wakeUps.listen(listener),
      close: async () => {
        await group.idle();
        if (database.open) database.close();
        await thread.close();
      },
    });
  } catch (error) {
    await thread.close();
    throw error;
  }
}

/**
 * Marks of a few sent messages: nobody waits for them, and the next commit takes them along. Many are written at once, since
 * nothing more is published once too many wait.
 */
function isPatient({ part, name, parameters: [positions] }: StoreCall): boolean {
  return (
    part === 'outbox' &&
    name === 'sent' &&
    Array.isArray(positions) &&
    positions.length < limits.sentMarkGroup
  );
}

function received(outcome: PostedOutcome): StoreOutcome {
  if (!('errorName' in outcome)) return outcome;
  const PortError = STORE_ERRORS[outcome.errorName] ?? Error;
  return { error: new PortError(outcome.message) };
}

function failedAll(calls: readonly StoreCall[], error: unknown): readonly StoreOutcome[] {
  const failure =
    error instanceof ThreadEnded
      ? new StoreFailed(`The database is not available any more: ${error.message}`, { cause: error })
      : error;
  return calls.map(() => ({ error: failure }));
}

function asOpenFailure(error: unknown): unknown {
  if (!(error instanceof ThreadRefused)) return error;
  const PortError = STORE_ERRORS[error.reason];
  return PortError === undefined ? error : new PortError(error.message, { cause: error });
}
