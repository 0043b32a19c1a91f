import type { Database } from 'better-sqlite3';
import { StoreFailed } from '../port/store.ts';
import type { StoreCall, StoreOutcome } from '../port/store-calls.ts';
import { discardAfterCommit, runAfterCommit } from './after-commit.ts';
import { asStoreError } from './call.ts';
import type { SqliteParts } from './calls.ts';

/**
 * Calls whose commit need not be on the medium when they resolve. A mark of a sent message that a power cut reverts
 * only repeats the message with its old id; the next FULL commit syncs it too, since the WAL is written in order.
 */
const NEED_NOT_BE_DURABLE: readonly Pick<StoreCall, 'part' | 'name'>[] = [{ part: 'outbox', name: 'sent' }];

/**
 * Carries out calls of the store together, in one transaction, in their order. Each has its savepoint: one
 * that fails takes no other with it. If the transaction itself fails, all fail with its error and nothing is
 * written. The outcomes are in the order of the calls. Never throws.
 */
export function groupTransaction(
  database: Database,
  parts: SqliteParts,
): (calls: readonly StoreCall[]) => readonly StoreOutcome[] {
  // A transaction, or a savepoint within another one.
  const carryOutOne = database.transaction((call: StoreCall) => perform(parts, call));
  const carryOutAll = database.transaction((calls: readonly StoreCall[]): readonly StoreOutcome[] =>
    calls.map((call) => {
      const outcome = attempt(database, () => carryOutOne(call));
      // After some faults of the medium SQLite rolls everything back automatically (sqlite.org/lang_transaction.html).
      if ('error' in outcome && !database.inTransaction) throw outcome.error;
      return outcome;
    }),
  );

  function inOneTransaction(calls: readonly StoreCall[]): readonly StoreOutcome[] {
    const [first] = calls;
    if (first !== undefined && calls.length === 1)
      return [attempt(database, () => carryOutOne.immediate(first))];
    const together = attempt(database, () => carryOutAll.immediate(calls));
    if ('error' in together) return calls.map(() => together);
    return together.value as readonly StoreOutcome[];
  }

  return (calls) => {
    if (!database.open) return calls.map(() => ({ error: new StoreFailed('The store is closed.') }));
    // The pragma has no effect within a transaction. A database in memory has no medium to wait for.
    const isRelaxed = !database.memory && calls.every(needNotBeDurable);
    if (isRelaxed) database.pragma('synchronous = NORMAL');
    const outcomes = inOneTransaction(calls);
    if (isRelaxed) database.pragma('synchronous = FULL');
    if (outcomes.some((outcome) => 'value' in outcome)) runAfterCommit(database);
    else discardAfterCommit(database);
    return outcomes;
  };
}

function needNotBeDurable({ part, name }: StoreCall): boolean {
  return NEED_NOT_BE_DURABLE.some((each) => each.part === part && each.name === name);
}

/** Carries out one call with these parts; throws the driver's error. */
export function perform(parts: SqliteParts, { part, name, parameters }: StoreCall): unknown {
  // `name` is a member of the port's part, since only `storeOfCalls` makes calls.
  const members = parts[part] as unknown as Readonly<Record<string, (...parameters: unknown[]) => unknown>>;
  return members[name]?.(...parameters);
}

function attempt(database: Database, work: () => unknown): StoreOutcome {
  try {
    return { value: work() };
  } catch (error) {
    return { error: asStoreError(database, error) };
  }
}
