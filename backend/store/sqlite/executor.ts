import type { Database, Statement as Prepared } from 'better-sqlite3';
import type { Place, SqlValue, Statement } from '../statements/statement.ts';
import type { Answer, Calls, Step, Transaction } from '../statements/transaction.ts';
import type { Synchronous } from './call.ts';
import { messageWriter } from './outbox/outbox.ts';

interface PreparedStatement {
  readonly prepared: Prepared<SqlValue[], unknown>;
  readonly places: readonly Place[];
}

/** Carries out steps at once, with a connection: each statement is prepared once. Throws the driver's error. */
export function stepper(database: Database): (step: Step) => Answer {
  const known = new Map<Statement<unknown, unknown>, PreparedStatement>();
  const writeMessages = messageWriter(database);

  function prepare(statement: Statement<unknown, unknown>): PreparedStatement {
    const there = known.get(statement);
    if (there !== undefined) return there;
    const { sql, places } = statement.compiledFor('sqlite');
    const made = { prepared: database.prepare<SqlValue[], unknown>(sql), places };
    known.set(statement, made);
    return made;
  }

  return (step) => {
    if (step.kind === 'messages') {
      const rows = writeMessages(step.messages);
      return { rows, changes: step.messages.length };
    }
    const { prepared, places } = prepare(step.statement);
    const values = places.map(({ name, kind }) => bound(step.values[name], kind));
    if (!prepared.reader) return { rows: [], changes: prepared.run(...values).changes };
    const rows = prepared.all(...values);
    return { rows, changes: rows.length };
  };
}

/** Lists are one parameter: docs/store.md, Lists as one parameter. */
function bound(value: SqlValue | undefined, kind: Place['kind']): SqlValue {
  if (value === undefined) throw new TypeError('A statement lacks a value.');
  return kind === 'list' ? JSON.stringify(value) : value;
}

/** Runs a transaction to its end. The caller has begun one in the database, or needs none. */
export function atOnce<Result>(take: (step: Step) => Answer, transaction: Transaction<Result>): Result {
  let next = transaction.next();
  while (!next.done) next = transaction.next(take(next.value));
  return next.value;
}

/** Calls that are carried out at once, of calls as transactions. */
export function synchronous<Part extends object>(
  take: (step: Step) => Answer,
  calls: Calls<Part>,
): Synchronous<Part> {
  const members = Object.entries(calls).map(([name, call]) => {
    const make = call as (...parameters: readonly unknown[]) => Transaction<unknown>;
    return [name, (...parameters: readonly unknown[]) => atOnce(take, make(...parameters))];
  });
  // The members have the names of the part's calls, and pass their parameters and results through.
  return Object.fromEntries(members) as Synchronous<Part>;
}
