import { type CompiledQuery, type QueryExecutorProvider, type RawBuilder, sql } from 'kysely';
import { type DatabaseName, type Dialect, dialects } from './dialect.ts';

/**
 * One SQL statement, written once for each database. It is compiled when it is first used there, and its text never
 * depends on values: so a database prepares it once.
 */
export interface Statement<Values, Row> {
  /** Its text and the order of its values, for that database. */
  compiledFor(database: DatabaseName): CompiledStatement;
  /** Never there: they carry the types. */
  readonly values?: Values;
  readonly row?: Row;
}

export interface CompiledStatement {
  readonly sql: string;
  /** The values that the text has places for, in their order. */
  readonly places: readonly Place[];
}

/** A place for a value. */
export interface Place {
  /** The name of the value. */
  readonly name: string;
  /** `list`: a list of texts or numbers, which is one parameter. */
  readonly kind: 'value' | 'list';
}

/** Makes the place of a single value, as an expression of its type. */
export type ValueOf<Values> = <Name extends keyof Values & string>(name: Name) => RawBuilder<Values[Name]>;

/**
 * Makes the place of a list of texts or numbers, which is one parameter however many there are: for `Dialect.texts` and
 * `Dialect.numbers`.
 */
export type ListOf<Values> = (name: keyof Values & string) => RawBuilder<unknown>;

/** What a value can be in a database. `null` is NULL; a boolean is 0 or 1. */
export type SqlValue = string | number | null | Uint8Array | SqlList;

/** Texts or integers; for PostgreSQL also bytes, and NULL among them. */
export type SqlList =
  | readonly (string | null)[]
  | readonly (number | null)[]
  | readonly (Uint8Array | null)[];

/** A statement that was built: by Kysely's builder, or as a whole by its `sql`. */
export interface Built<Row> {
  compile(compiler: QueryExecutorProvider): CompiledQuery<Row>;
}

class Parameter implements Place {
  readonly name: string;
  readonly kind: Place['kind'];

  constructor(name: string, kind: Place['kind']) {
    this.name = name;
    this.kind = kind;
  }
}

/**
 * A statement by its builder. Annotate `value` with the shape of the values. What is the same at each call is written with
 * `sql.lit`.
 *
 * ```ts
 * const findFleet = statement(({ query }, value: ValueOf<{ id: string }>) =>
 *   query.selectFrom('fleets').select(['id', 'name']).where('id', '=', value('id')));
 * ```
 */
export function statement<Values, Row>(
  build: (dialect: Dialect, value: ValueOf<Values>, list: ListOf<Values>) => Built<Row>,
): Statement<Values, Row> {
  const compiled = new Map<DatabaseName, CompiledStatement>();
  return {
    compiledFor(database) {
      const there = compiled.get(database);
      if (there !== undefined) return there;
      const made = compile(build, database);
      compiled.set(database, made);
      return made;
    },
  };
}

function compile<Values, Row>(
  build: (dialect: Dialect, value: ValueOf<Values>, list: ListOf<Values>) => Built<Row>,
  database: DatabaseName,
): CompiledStatement {
  const value: ValueOf<Values> = (name) => sql`${new Parameter(name, 'value')}`;
  const list: ListOf<Values> = (name) => sql`${new Parameter(name, 'list')}`;
  const dialect = dialects[database];
  const { sql: text, parameters } = build(dialect, value, list).compile(dialect.query);
  const places = parameters.map((parameter) => {
    if (parameter instanceof Parameter) return parameter;
    throw new Error(
      `A statement holds the value ${JSON.stringify(parameter)}: name it, or write it with sql.lit. ${text}`,
    );
  });
  return { sql: text, places };
}
