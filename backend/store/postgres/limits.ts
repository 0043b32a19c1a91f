/** Bounds of a store in PostgreSQL, as settings of a process: tests set shorter ones. */
export interface PostgresLimits {
  /**
   * Connections of one process for its calls; in addition it has one for its leases and one that listens for commits of
   * others. All processes together stay below the server's `max_connections` (100, unless it says otherwise).
   */
  readonly connections: number;
  /** How long connecting, and waiting for a free connection, may take. */
  readonly connectMs: number;
  /** The server gives up a statement after this time (`statement_timeout`), */
  readonly statementMs: number;
  /** ... and this process gives up the connection if the server has not answered by then: it may be cut off. */
  readonly answerMs: number;
  /**
   * How long a statement waits for a lock (`lock_timeout`). Longer than the server takes to find a deadlock, 1 s, and
   * than `idleTransactionMs`: a call that waits for a stalled process gets the lock, and does not fail.
   */
  readonly lockMs: number;
  /**
   * The server ends a connection whose transaction is idle for this long: a process that was suspended within one holds
   * its locks no longer. With the beat of backend/base/limits.ts it is shorter than a lease: others still renew blocked
   * leases in time, and the leases of that process are unlocked once they end.
   */
  readonly idleTransactionMs: number;
  /** A connection that was unused for this long is closed. */
  readonly idleMs: number;
  /**
   * An unused connection checks the server after this long, and is closed about ten seconds later without an answer
   * (TCP keep-alive, once a second). Sooner than `answerMs`: if a server's machine is gone, only calls in progress wait
   * that long.
   */
  readonly keepAliveMs: number;
  /** How often a call is retried because of a conflict with another transaction. */
  readonly attempts: number;
  /** Waits before that: doubled from the first to the last, with jitter. */
  readonly firstWaitMs: number;
  readonly lastWaitMs: number;
  /** Waits before the connection that listens for commits of others is reopened: doubled, with jitter. */
  readonly firstListenMs: number;
  readonly lastListenMs: number;
  /** How often that connection is tested: a broken one looks like an idle one. */
  readonly listenCheckMs: number;
  /** How long opening waits for another process that migrates the schema, and how long one statement of it may take. */
  readonly migrateMs: number;
  /**
   * How long a migration waits for the tables that it changes. Calls of other processes queue behind it for this long,
   * so it is shorter than their lock time-out.
   */
  readonly migrationLockMs: number;
}

export const postgresLimits: PostgresLimits = {
  connections: 10,
  connectMs: 5_000,
  statementMs: 20_000,
  answerMs: 25_000,
  lockMs: 5_000,
  idleTransactionMs: 3_000,
  idleMs: 5 * 60_000,
  firstListenMs: 100,
  lastListenMs: 5_000,
  listenCheckMs: 30_000,
  keepAliveMs: 10_000,
  attempts: 20,
  firstWaitMs: 5,
  lastWaitMs: 250,
  migrateMs: 10 * 60_000,
  migrationLockMs: 2_000,
};

/** The oldest server that is supported, by its major number: older ones get no more fixes. */
export const oldestServer = 13;
