import { runThread } from '../../../world/threads/thread-program.ts';
import { STORE_ERRORS, type StoreCall, type StoreOutcome } from '../port/store-calls.ts';
import { groupTransaction } from './group-transaction.ts';
import { lockDatabase, openDatabase } from './open.ts';
import { openParts } from './store.ts';

export interface StoreThreadSettings {
  readonly path: string;
}

/** An outcome as it is posted. Classes of errors do not pass between threads, so the port's go by their names. */
export type PostedOutcome = StoreOutcome | { readonly errorName: string; readonly message: string };

/** The thread that writes the database of the service: each request is a group of calls. */
runThread<StoreThreadSettings, readonly StoreCall[], readonly PostedOutcome[]>(({ path }) => {
  const lock = lockDatabase(path);
  const { database, parts } = openParts(() => openDatabase(path, { sharing: 'process' }));
  const carryOut = groupTransaction(database, parts);
  return {
    answer: (calls) => carryOut(calls).map(posted),
    close: () => {
      database.close();
      lock.close();
    },
  };
});

function posted(outcome: StoreOutcome): PostedOutcome {
  if ('value' in outcome || !(outcome.error instanceof Error)) return outcome;
  const { name, message } = outcome.error;
  return name in STORE_ERRORS ? { errorName: name, message } : outcome;
}
