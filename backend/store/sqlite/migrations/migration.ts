/** One migration of the schema. A released one is never changed: the next change is the next number. */
export interface Migration {
  /** 1, 2, 3, ... without a gap; the database's `user_version` after it. */
  readonly version: number;
  readonly sql: string;
}
