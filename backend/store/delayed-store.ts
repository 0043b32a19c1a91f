import { GroupCommit } from '../../world/group-commit/group-commit.ts';
import type { Stream } from '../../world/random/random.ts';
import { sleep, type Time } from '../../world/time/time.ts';
import { limits } from '../limits.ts';
import type { Store } from './port/store.ts';
import { type StoreCall, type StoreOutcome, storeOfCalls } from './port/store-calls.ts';
import type { SqliteStore } from './sqlite/sqlite-store.ts';
import { asPromise } from './sqlite/sqlite-store.ts';

/** How long a commit takes, drawn for each. Half of it passes before it is durable, half before the answer. */
const SHORTEST_COMMIT_MS = 1;
const LONGEST_COMMIT_MS = 4;

/** A group whose commit is under way. */
interface Commit {
  readonly calls: readonly StoreCall[];
  readonly durableMs: number;
}

/**
 * The store as one instance of the service sees it in the virtual world: as over sockets, writes that come
 * while a commit is under way share the next one, and reads see what has been committed. `time` is that of
 * the instance.
 *
 * `crash` is called when the instance is killed, before `store` is looked at: a commit of which half the time
 * has passed is durable, and nobody hears of it; one that is younger is lost.
 */
export function delayedStore(
  store: SqliteStore,
  time: Time,
  draws: Stream,
): { readonly store: Store; crash(): void } {
  let underWay: Commit | undefined;
  // The service notes what it has committed itself: it is told what others have.
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
      // An event of its own: what another instance does and what this one makes of it are two things.
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
