/**
 * One migration of the schema in PostgreSQL. A released one is never changed: the next change is the next number.
 *
 * A migration is written so that the program before it still works on the new schema: backends are replaced one after the
 * other, and those that are still running meanwhile keep writing. So in one release a column or table is only added (a
 * column optional or with a default, which PostgreSQL does without rewriting the table), and what nobody uses any more is
 * removed in the release after that. An index over a large table blocks its writers while it is built.
 */
export interface PostgresMigration {
  /** 1, 2, 3, ... without a gap. */
  readonly version: number;
  /** What it brings, for the table `schema_version`: that of its file. */
  readonly name: string;
  /** Statements, carried out in one transaction. */
  readonly sql: string;
}
