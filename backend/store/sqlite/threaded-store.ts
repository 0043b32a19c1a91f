import { GroupCommit } from '../../../world/group-commit/group-commit.ts';
import { realPace } from '../../../world/group-commit/real-pace.ts';
import { startThread, ThreadEnded, ThreadRefused } from '../../../world/threads/real-thread.ts';
import { limits } from '../../base/limits.ts';
import { type Store, StoreFailed } from '../port/store.ts';
import { STORE_ERRORS, type StoreCall, type StoreOutcome, storeOfCalls } from '../port/store-calls.ts';
import { makeWakeUpListeners } from '../wake-up-listeners.ts';
import { EarlyOpens, type WriteCall } from './early-opens.ts';
import { openReader } from './open.ts';
import { asPromise, openParts, reader } from './store.ts';
import type { PostedOutcome, StoreThreadSettings } from './store-thread.ts';

/** How long a call that nobody waits for may wait for another one to share its transaction. */
const PATIENCE_MS = 50;

export interface ThreadedStoreOptions {
  /**
   * A command that opens is committed with what comes next, its reply at the latest: for boxes that end with this process.
   * Absent: it is committed before it is sent.
   */
  readonly opensEarly?: boolean;
}

/**
 * A store in one SQLite file, whose writes are carried out on a thread of their own: no commit holds up the caller's
 * event loop, and calls that come while a commit is in progress share the next one. Reads are carried out at once, by a
 * connection of their own, and see what has been committed. Rejects with `StoreInUse`, `StoreTooNew` or `StoreFailed`.
 */
export async function openThreadedStore(
  path: string,
  { opensEarly = false }: ThreadedStoreOptions = {},
): Promise<Store> {
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
    const write: WriteCall = async (call, mayWait) => asPromise(await group.add(call, mayWait));
    const read = reader(database, parts);
    const early = opensEarly ? new EarlyOpens(parts.commands) : undefined;
    return storeOfCalls(parts, {
      write: (call) =>
        early === undefined ? write(call, isPatient(call)) : early.write(call, isPatient(call), write),
      read: (call) => (early === undefined ? read(call) : early.read(call, read)),
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
