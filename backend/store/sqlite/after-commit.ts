import type { Database } from 'better-sqlite3';

const waiting = new WeakMap<Database, (() => void)[]>();

/** Calls `work` once the open transaction has committed, at once if none is open; never if it is rolled back. */
export function afterCommit(database: Database, work: () => void): void {
  if (!database.inTransaction) {
    work();
    return;
  }
  const there = waiting.get(database);
  if (there === undefined) waiting.set(database, [work]);
  else there.push(work);
}

/** The transaction has committed. */
export function runAfterCommit(database: Database): void {
  const due = waiting.get(database);
  if (due === undefined) return;
  waiting.delete(database);
  for (const work of due) work();
}

/** The transaction was rolled back. */
export function discardAfterCommit(database: Database): void {
  waiting.delete(database);
}
