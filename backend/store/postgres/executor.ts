import type { Stream } from '../../../world/random/random.ts';
import { sleep, type Time } from '../../../world/time/time.ts';
import { backoffMs } from '../../base/retry.ts';
import { type CallIsolation, type Isolation, isolationOf } from '../calls/isolation.ts';
import type { OutboxRow, OutgoingMessage } from '../port/outbox-store.ts';
import { StoreFailed } from '../port/store.ts';
import { isRead, type StoreCall } from '../port/store-calls.ts';
import type { Answer, Step, Transaction } from '../statements/transaction.ts';
import { type Connection, type Connections, DatabaseTrouble } from './connections.ts';
import type { PostgresLimits } from './limits.ts';
import { codeOf, isRolledBack, wordsOf } from './meaning.ts';
import { type PreparedStatements, preparedStatements } from './prepared.ts';

export interface ExecutorParts {
  readonly connections: Connections;
  /** The transaction of a call, from its beginning. */
  readonly begin: (call: StoreCall) => Transaction<unknown>;
  /** Appends messages to the outbox; used for transactions that yield some. */
  readonly outboxMessages: (messages: readonly OutgoingMessage[]) => Transaction<readonly OutboxRow[]>;
  /** Notifies other backends at the end of the transaction of a call, by its result; absent: nothing is sent. */
  readonly tell?: (call: StoreCall, result: unknown) => Transaction<void> | undefined;
  readonly time: Time;
  readonly chance: Stream;
  readonly limits: PostgresLimits;
  /** The database, for people. */
  readonly shown: string;
}

const BEGIN: Readonly<Record<Exclude<Isolation, 'one statement' | 'statement by statement'>, string>> = {
  snapshot: 'begin isolation level repeatable read read only',
  'read committed': 'begin isolation level read committed',
  serializable: 'begin isolation level serializable',
};
const LOST_COMMIT = ' What this call wrote may be there or not.';
const MAY_BE_LOST = '; set local synchronous_commit = off';

interface Runner {
  take(connection: Connection, step: Step): Promise<Answer>;
  /** The result of a transaction, from its first step on. */
  toEnd<Result>(
    connection: Connection,
    transaction: Transaction<Result>,
    first?: IteratorResult<Step, Result>,
  ): Promise<Result>;
  /** Notifies other backends of a call, by its result. */
  tellOthers(connection: Connection, call: StoreCall, result: unknown): Promise<void>;
}

/** Carries out the steps of transactions. */
function runner(parts: ExecutorParts, statements: PreparedStatements): Runner {
  async function take(connection: Connection, step: Step): Promise<Answer> {
    if (step.kind === 'statement') return connection.query(statements.query(step.statement, step.values));
    const rows = await toEnd(connection, parts.outboxMessages(step.messages));
    return { rows, changes: step.messages.length };
  }

  async function toEnd<Result>(
    connection: Connection,
    transaction: Transaction<Result>,
    first = transaction.next(),
  ): Promise<Result> {
    let next = first;
    while (!next.done) next = transaction.next(await take(connection, next.value));
    return next.value;
  }

  async function tellOthers(connection: Connection, call: StoreCall, result: unknown): Promise<void> {
    const told = parts.tell?.(call, result);
    if (told !== undefined) await toEnd(connection, told);
  }

  return { take, toEnd, tellOthers };
}

/**
 * Carries out calls of the store. A call that conflicts with another transaction is retried from its beginning, a
 * bounded number of times. Rejects with `StoreFailed` if the medium failed or each attempt had a conflict; errors that
 * the call itself throws roll it back and are rethrown. A statement that is a whole transaction has neither BEGIN nor
 * COMMIT: each of them is a round trip.
 */
export function executor(parts: ExecutorParts): (call: StoreCall) => Promise<unknown> {
  const { connections, limits, time, chance, shown } = parts;
  const statements = preparedStatements();
  const { take, toEnd, tellOthers } = runner(parts, statements);

  /** A second statement would not see what the first one saw: its row in backend/store/calls/isolation.ts is wrong. */
  async function aloneToEnd(
    connection: Connection,
    call: StoreCall,
    { transaction, first }: Begun,
  ): Promise<unknown> {
    if (first.done) return first.value;
    const next = transaction.next(await take(connection, first.value));
    if (next.done && first.value.kind === 'statement') {
      await tellOfCommitted(connection, call, next.value);
      return next.value;
    }
    throw new Error(`${call.part}.${call.name} is named as one statement, and has more.`);
  }

  /** The call has been committed: it neither fails with its wake-up, which may be lost, nor is it retried. */
  async function tellOfCommitted(connection: Connection, call: StoreCall, result: unknown): Promise<void> {
    await tellOthers(connection, call, result).catch((error: unknown) => {
      if (!(error instanceof DatabaseTrouble)) throw error;
    });
  }

  /** A call whose statements are committed by themselves: `isOne` of them, or one after the other. */
  async function withoutTransaction(
    connection: Connection,
    call: StoreCall,
    begun: Begun,
    isOne: boolean,
  ): Promise<unknown> {
    try {
      if (isOne) return await aloneToEnd(connection, call, begun);
      const result = await toEnd(connection, begun.transaction, begun.first);
      await tellOfCommitted(connection, call, result);
      return result;
    } catch (error) {
      if (!isMedium(error) || isRead(call) || (isOne && isRolledBack(error.cause))) throw error;
      throw failed(shown, error, '', LOST_COMMIT);
    }
  }

  async function inTransaction(
    connection: Connection,
    begin: string,
    call: StoreCall,
    begun: Begun,
  ): Promise<unknown> {
    await connection.command(begin);
    let result: unknown;
    try {
      result = await toEnd(connection, begun.transaction, begun.first);
      await tellOthers(connection, call, result);
    } catch (error) {
      if (!connection.isBroken) await connection.command('rollback').catch(() => undefined);
      throw error;
    }
    try {
      await connection.command('commit');
    } catch (error) {
      const consequence = isRead(call) ? '' : LOST_COMMIT;
      throw isMedium(error) ? failed(shown, error, ' while it committed', consequence) : error;
    }
    return result;
  }

  function once(call: StoreCall, { isolation, mayBeLost }: CallIsolation): Promise<unknown> {
    return connections.use(async (connection) => {
      const transaction = parts.begin(call);
      const begun = { transaction, first: transaction.next() };
      const isOne = isolation === 'one statement' || isWhole(begun);
      if (isOne || isolation === 'statement by statement')
        return withoutTransaction(connection, call, begun, isOne);
      const begin = `${BEGIN[isolation]}${mayBeLost ? MAY_BE_LOST : ''}`;
      return inTransaction(connection, begin, call, begun);
    });
  }

  return async (call) => {
    const isolation = isolationOf(call);
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await once(call, isolation);
      } catch (error) {
        const rejected = rejection(error, isolation.isolation, shown);
        if (rejected !== undefined) throw rejected;
        if (attempt + 1 >= limits.attempts) throw lastRejection(error, shown, limits);
        if (error instanceof DatabaseTrouble && error.meaning === 'outdated') statements.renew();
      }
      await sleep(time, backoffMs(attempt, limits.firstWaitMs, limits.lastWaitMs, chance.fraction()));
    }
  };
}

/** A transaction that has yielded its first step. */
interface Begun {
  readonly transaction: Transaction<unknown>;
  readonly first: IteratorResult<Step, unknown>;
}

function isWhole({ first }: Begun): boolean {
  return !first.done && first.value.kind === 'statement' && first.value.isWhole === true;
}

function failed(shown: string, { cause }: DatabaseTrouble, when = '', consequence = ''): StoreFailed {
  const code = codeOf(cause);
  const how = `${when}${code === undefined ? '' : ` (${code})`}`;
  return new StoreFailed(`The database ${shown} failed${how}: ${wordsOf(cause)}.${consequence}`, { cause });
}

/** The error that a call rejects with; undefined: it is to be retried. */
function rejection(error: unknown, isolation: Isolation, shown: string): unknown {
  if (!(error instanceof DatabaseTrouble)) return error;
  const { meaning, cause } = error;
  if (meaning === 'medium') return failed(shown, error);
  return meaning === 'wrong' || (meaning === 'taken' && isolation !== 'serializable') ? cause : undefined;
}

/** The error of a call that is not retried any more. A conflict over the same key cannot occur each time. */
function lastRejection(error: unknown, shown: string, { attempts }: PostgresLimits): unknown {
  if (!(error instanceof DatabaseTrouble)) return error;
  return error.meaning === 'taken' ? error.cause : failed(shown, error, ` ${attempts} times`);
}

function isMedium(error: unknown): error is DatabaseTrouble {
  return error instanceof DatabaseTrouble && error.meaning === 'medium';
}
