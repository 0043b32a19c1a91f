import { DatabaseError } from 'pg';
import { errorText } from '../../../world/error-text.ts';

/**
 * What an error of the driver means for its call:
 *
 * - again: it conflicted with another transaction, and nothing of it was written: it is retried;
 * - taken: a key exists already. In a serializable transaction that may be another one's row which this one did not see
 *   yet (PostgreSQL 17, 13.5), so it is retried too; otherwise the call is wrong;
 * - outdated: the tables have changed since its statement was prepared: it is prepared again and retried;
 * - medium: the server, the way to it, or its resources failed;
 * - wrong: a fault in this program.
 */
export type Meaning = 'again' | 'taken' | 'outdated' | 'medium' | 'wrong';

/** By SQLSTATE, or its class of two characters (PostgreSQL 17, appendix A). What is not here is `wrong`. */
const MEANINGS: Readonly<Record<string, Meaning>> = {
  /** serialization_failure */
  '40001': 'again',
  /** deadlock_detected */
  '40P01': 'again',
  /** unique_violation */
  '23505': 'taken',
  /** connection exception */
  '08': 'medium',
  /** read_only_sql_transaction: since a failover this server is the standby. */
  '25006': 'medium',
  /** idle_in_transaction_session_timeout */
  '25P03': 'medium',
  /** invalid authorization specification: the account or its password were changed. */
  '28': 'medium',
  /** invalid_catalog_name: the database was removed, or renamed. */
  '3D000': 'medium',
  /** insufficient_privilege */
  '42501': 'medium',
  /** insufficient resources: disk, memory, connections */
  '53': 'medium',
  /** lock_not_available: by lock_timeout */
  '55P03': 'medium',
  /** operator intervention: statement_timeout, shutdown, crash of another session, starting up, dropped database */
  '57': 'medium',
  /** system error: input and output */
  '58': 'medium',
  /** data and index corrupted */
  XX001: 'medium',
  XX002: 'medium',
};

/** The server's answer to a prepared statement whose columns have changed is a feature_not_supported of this routine. */
const OUTDATED = { code: '0A000', routine: 'RevalidateCachedQuery' };

/** What an error means that the driver has thrown: the server's, the socket's, or its own. */
export function meaningOf(error: unknown): Meaning {
  if (!(error instanceof DatabaseError)) return isMistake(error) ? 'wrong' : 'medium';
  const { code = '', routine } = error;
  if (code === OUTDATED.code && routine === OUTDATED.routine) return 'outdated';
  // Without a code it is the driver, which could not parse the answer.
  if (code === '') return 'medium';
  return MEANINGS[code] ?? MEANINGS[code.slice(0, 2)] ?? 'wrong';
}

/**
 * Errors of a statement that the server has given up before its commit: insufficient_privilege, lock_not_available,
 * query_canceled, read_only_sql_transaction. Others of the medium can come with the end of the session or of the server,
 * whose last word leaves open whether a commit was written.
 */
const ROLLED_BACK: ReadonlySet<string> = new Set(['42501', '55P03', '57014', '25006']);

/** Whether a statement that failed with this error of the medium has certainly written nothing. */
export function isRolledBack(error: unknown): boolean {
  return error instanceof DatabaseError && ROLLED_BACK.has(error.code ?? '');
}

/** What is wrong with a value that this program has given. Node's errors of sockets and certificates have a code. */
function isMistake(error: unknown): boolean {
  if (error instanceof Error && 'code' in error) return false;
  return !(error instanceof Error) || error instanceof TypeError || error instanceof RangeError;
}

/** SQLSTATE, the name of the system's error, or that there is none. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/** The error's own words. Those of several attempts to connect, to one address each, are those of the last. */
export function wordsOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') return wordsOf(error.errors.at(-1));
  return errorText(error);
}
