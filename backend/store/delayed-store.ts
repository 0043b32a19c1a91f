import { GroupCommit } from '../../world/group-commit/group-commit.ts';
import type { Stream } from '../../world/random/random.ts';
import { sleep, type Time } from '../../world/time/time.ts';
import { limits } from '../base/limits.ts';
import type { Store } from './port/store.ts';
import { type StoreCall, type StoreOutcome, storeOfCalls } from './port/store-calls.ts';
import type { SqliteStore } from './sqlite/store.ts';
import { asPromise } from './sqlite/store.ts';

/** How long a commit takes, drawn for each. Half of it passes before it is durable, half before the answer. */
const SHORTEST_COMMIT_MS = 1;
const LONGEST_COMMIT_MS = 4;

/** A group whose commit is in progress. */
interface Commit {
  readonly calls: readonly StoreCall[];
  readonly durableMs: number;
}

/**
 * The store as one instance of the service sees it in the virtual world: as over sockets, writes that come while a
 * commit is in progress share the next one, and reads see what has been committed. `time` is that of the instance.
 *
 * `crash` is called when the instance is killed, before `store` is inspected: a commit of which half the time has
 * passed is durable, without an answer; a younger one is lost.
 */
export function delayedStore(
  store: SqliteStore,
  time: Time,
  draws: Stream,
): { readonly store: Store; crash(): void } {
  let underWay: Commit | undefined;
  // The service knows its own commits; it gets wake-ups about those of others.
  const self = {};
  // One event for both moments: between them only a crash makes a difference.
  const group = new GroupCommit<StoreCall, StoreOutcome>(async (calls) => {
    const commitMs = draws.whole(SHORTEST_COMMIT_MS, LONGEST_COMMIT_MS);
    underWay = { calls, durableMs: time.nowMs() + Math.ceil(commitMs / 2) };
    await sleep(time, commitMs);
    underWay = undefined;
    return store.carryOut(calls, self);
  }, limits.storeGroupCalls);
  return {
    store: storeOfCalls(store, {
      write: async (call) => asPromise(await group.add(call)),
      read: (call) => store.read(call),
      // A separate event: the act of another instance and its effect here are two events.
      listen(listener) {
        let isOver = false;
        const end = store.listenToOthers(self, (wakeUp) => {
          time.alarm(time.nowMs(), () => {
            if (!isOver) listener(wakeUp);
          });
        });
        return () => {
          isOver = true;
          end();
        };
      },
      close: async () => {
        await group.idle();
        await store.close();
      },
    }),
    crash() {
      if (underWay !== undefined && time.nowMs() >= underWay.durableMs) store.carryOut(underWay.calls, self);
      underWay = undefined;
    },
  };
}
