import {
  DummyDriver,
  type Expression,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type RawBuilder,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  sql,
} from 'kysely';
import type { Tables } from './tables.ts';

export type DatabaseName = 'sqlite' | 'postgres';

type Some = Expression<unknown>;

/**
 * Builds statements. Kysely only compiles them: our own code executes them, since SQLite's are executed at once and
 * prepared once (docs/store.md).
 *
 * The members other than `query` are what the two databases write differently.
 */
export interface Dialect {
  readonly database: DatabaseName;
  readonly query: Kysely<Tables>;
  /** The rows of a list, for `in`: `where('id', 'in', dialect.texts(list('ids')))`. */
  texts(list: Some): RawBuilder<string>;
  numbers(list: Some): RawBuilder<number>;
  /** A table of a list of texts, with the columns `value` and `position` (from 0), to be given an alias. */
  textRows(list: Some): RawBuilder<{ value: string; position: number }>;
  /**
   * A value that is compared with an indexed column in a statement with a join. SQLite would prepare a bare one again
   * at each call: docs/store.md, Parameters beside a join or a limit.
   */
  fixed<T>(value: Expression<T>): RawBuilder<T>;
  /** The number of rows at most. */
  most(value: Expression<number>): RawBuilder<number>;
  /** `JOIN` whose left table leads: docs/store.md, The plan is chosen here. */
  readonly leadingJoin: RawBuilder<unknown>;
  /** A member of a JSON object as text; null if it is absent. */
  member(json: Some, name: string): RawBuilder<string | null>;
  /** The JSON object without that member. */
  without(json: Some, name: string): RawBuilder<string>;
  /** Whether a JSON list of texts has this one. */
  hasText(json: Some, text: Some): RawBuilder<boolean>;
  /** Whether `text` holds `part`. */
  holds(text: Some, part: Some): RawBuilder<boolean>;
  /** The text with its ASCII letters in lower case, all others as they are. */
  lowerAscii(text: Some): RawBuilder<string>;
  /** The smaller and the larger one of two. Neither is null: SQLite would give null then, PostgreSQL the other one. */
  smaller<T>(one: Expression<T>, other: Expression<T>): RawBuilder<T>;
  larger<T>(one: Expression<T>, other: Expression<T>): RawBuilder<T>;
  /** The store's own clock, in milliseconds since 1970. Clocks of backends may differ from it, and from each other. */
  readonly nowMs: RawBuilder<number>;
  /** Texts in the order of their characters' codes, as JavaScript sorts ASCII. */
  inOrder<Column extends string>(column: Column): Expression<string>;
  /** At the end of a SELECT: its rows are locked until the commit. SQLite has one writer. */
  readonly locked: RawBuilder<unknown>;
  /** The same, and rows that another transaction has locked are left out. */
  readonly unlockedOnly: RawBuilder<unknown>;
  /**
   * At the end of a SELECT: no other transaction locks its rows by `locked` or `unlockedOnly` until the commit. Changes
   * without these locks are still possible.
   */
  readonly shared: RawBuilder<unknown>;
  /** As `locked`, but compatible with `shared` locks of others. */
  readonly lockedBesideShared: RawBuilder<unknown>;
  /**
   * For an UPDATE: whether a row meets the condition, by the table's key. The rows are locked in the order of the key, as
   * by `lockedBesideShared`, so that no two transactions wait for each other. SQLite has one writer and needs no list.
   */
  lockedByKey(table: keyof Tables, key: string, condition: RawBuilder<unknown>): RawBuilder<boolean>;
  /** The same for the rows of one table of a join, by its alias: those of the others may be locked. */
  unlockedOnlyOf(alias: string): RawBuilder<unknown>;
}

const NOTHING = sql.raw('');

const sqlite: Dialect = {
  database: 'sqlite',
  query: new Kysely<Tables>({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (database) => new SqliteIntrospector(database),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
  }),
  texts: (list) => sql`(select value from json_each(${list}))`,
  numbers: (list) => sql`(select value from json_each(${list}))`,
  textRows: (list) => sql`(select value, key as position from json_each(${list}))`,
  fixed: (value) => sql`(select ${value})`,
  most: (value) => sql`${value} + 0`,
  leadingJoin: sql.raw('cross join'),
  member: (json, name) => sql`json_extract(${json}, ${sql.lit(`$.${name}`)})`,
  without: (json, name) => sql`json_remove(${json}, ${sql.lit(`$.${name}`)})`,
  hasText: (json, text) => sql`exists (select 1 from json_each(${json}) where value = ${text})`,
  holds: (text, part) => sql`instr(${text}, ${part}) > 0`,
  lowerAscii: (text) => sql`lower(${text})`,
  smaller: (one, other) => sql`min(${one}, ${other})`,
  larger: (one, other) => sql`max(${one}, ${other})`,
  // A subquery: the clock is read once in a statement, not once for each row.
  nowMs: sql`(select coalesce(given_clock(), cast(unixepoch('subsec') * 1000 as integer)))`,
  inOrder: (column) => sql.ref(column),
  locked: NOTHING,
  unlockedOnly: NOTHING,
  shared: NOTHING,
  lockedBesideShared: NOTHING,
  lockedByKey: (_table, _key, condition) => sql`${condition}`,
  unlockedOnlyOf: () => NOTHING,
};

const postgres: Dialect = {
  database: 'postgres',
  query: new Kysely<Tables>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (database) => new PostgresIntrospector(database),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  }),
  texts: (list) => sql`(select unnest(${list}::text[]))`,
  numbers: (list) => sql`(select unnest(${list}::bigint[]))`,
  textRows: (list) =>
    sql`(select value, position - 1 as position from unnest(${list}::text[]) with ordinality as listed (value, position))`,
  fixed: (value) => sql`${value}`,
  most: (value) => sql`${value}`,
  leadingJoin: sql.raw('join'),
  member: (json, name) => sql`(${json}::json ->> ${sql.lit(name)})`,
  without: (json, name) => sql`(${json}::jsonb - ${sql.lit(name)})::text`,
  hasText: (json, text) => sql`(${json}::jsonb ? ${text})`,
  holds: (text, part) => sql`strpos(${text}, ${part}) > 0`,
  lowerAscii: (text) => sql`lower((${text}) collate "C")`,
  smaller: (one, other) => sql`least(${one}, ${other})`,
  larger: (one, other) => sql`greatest(${one}, ${other})`,
  nowMs: sql`(extract(epoch from clock_timestamp()) * 1000)::bigint`,
  inOrder: (column) => sql`${sql.ref(column)} collate "C"`,
  locked: sql.raw('for update'),
  unlockedOnly: sql.raw('for update skip locked'),
  shared: sql.raw('for key share'),
  lockedBesideShared: sql.raw('for no key update'),
  lockedByKey: (table, key, condition) =>
    sql`${sql.ref(key)} in (select ${sql.ref(key)} from ${sql.table(table)} where ${condition} order by ${sql.ref(key)} for no key update)`,
  unlockedOnlyOf: (alias) => sql`for update of ${sql.id(alias)} skip locked`,
};

export const dialects: Readonly<Record<DatabaseName, Dialect>> = { sqlite, postgres };
