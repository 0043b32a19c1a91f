import { Pool, type PoolClient, type PoolConfig } from 'pg';
import type { DatabaseAddress } from './address.ts';
import type { PostgresLimits } from './limits.ts';
import { type Meaning, meaningOf } from './meaning.ts';
import type { PreparedQuery } from './prepared.ts';
import { parsers } from './values.ts';

/** The database, or the connection to it, failed. `cause` is the driver's error. */
export class DatabaseTrouble extends Error {
  override readonly name = 'DatabaseTrouble';
  readonly meaning: Meaning;

  constructor(cause: unknown) {
    super('The database did not carry this out.', { cause });
    this.meaning = meaningOf(cause);
  }
}

/** A connection for the time of one use. Its calls reject with `DatabaseTrouble`. */
export interface Connection {
  /** The medium failed during its use: the state of its transaction is unknown. It is closed after this use. */
  readonly isBroken: boolean;
  query(query: PreparedQuery): Promise<{ readonly rows: readonly unknown[]; readonly changes: number }>;
  /** Statements without parameters, such as BEGIN, in one message. */
  command(sql: string): Promise<void>;
}

export interface Connections {
  /** Lends a connection, which `work` leaves outside a transaction. Rejects with `DatabaseTrouble` if there is none. */
  use<Result>(work: (connection: Connection) => Promise<Result>): Promise<Result>;
  /** To be called once no connection is in use. */
  close(): Promise<void>;
}

/**
 * How to connect: every option is set, since the driver would read missing ones from the environment and from files.
 */
export function connectionConfig(
  { host, port, user, password, database, tls }: DatabaseAddress,
  authority: string | undefined,
  limits: PostgresLimits,
): PoolConfig {
  return {
    host,
    port,
    user,
    // Without one the driver would take it from the environment or from a file.
    password: () => password ?? '',
    database,
    ssl:
      tls === 'disable'
        ? false
        : {
            rejectUnauthorized: tls !== 'require',
            ...(authority === undefined ? {} : { ca: authority }),
            ...(tls === 'verify-ca' ? { checkServerIdentity: () => undefined } : {}),
          },
    sslnegotiation: 'postgres',
    application_name: 'boxtwin',
    options: '-c synchronous_commit=on',
    keepAlive: true,
    keepAliveInitialDelayMillis: limits.keepAliveMs,
    connectionTimeoutMillis: limits.connectMs,
    statement_timeout: limits.statementMs,
    query_timeout: limits.answerMs,
    lock_timeout: limits.lockMs,
    idle_in_transaction_session_timeout: limits.idleTransactionMs,
    types: parsers,
  };
}

export function openConnections(config: PoolConfig, limits: PostgresLimits): Connections {
  const pool = new Pool({ ...config, max: limits.connections, idleTimeoutMillis: limits.idleMs });
  // A connection that breaks while unused is removed by the pool. The next call reports the error.
  pool.on('error', () => undefined);
  // A break during use is reported twice: to the query, and here.
  pool.on('connect', (client) => client.on('error', () => undefined));

  return {
    async use(work) {
      const client = await pool.connect().catch((error: unknown) => {
        throw new DatabaseTrouble(error);
      });
      const connection = new PooledConnection(client);
      try {
        return await work(connection);
      } finally {
        client.release(connection.isBroken);
      }
    },
    close: () => pool.end(),
  };
}

class PooledConnection implements Connection {
  readonly #client: PoolClient;
  #isBroken = false;

  constructor(client: PoolClient) {
    this.#client = client;
  }

  get isBroken(): boolean {
    return this.#isBroken;
  }

  async query(
    query: PreparedQuery,
  ): Promise<{ readonly rows: readonly unknown[]; readonly changes: number }> {
    const { rows, rowCount } = await this.#done(this.#client.query<Record<string, unknown>>(query));
    return { rows, changes: rowCount ?? 0 };
  }

  async command(sql: string): Promise<void> {
    await this.#done(this.#client.query(sql));
  }

  async #done<Result>(answer: Promise<Result>): Promise<Result> {
    try {
      return await answer;
    } catch (error) {
      const trouble = new DatabaseTrouble(error);
      if (trouble.meaning === 'medium') this.#isBroken = true;
      throw trouble;
    }
  }
}
