const ABSENT_FROM_POSTGRES = /\0/g;

/**
 * The JSON of a column that statements read. PostgreSQL's reading of JSON fails on U+0000 and on half of a surrogate
 * pair (its manual, 8.14), and then a whole list would fail for one row: both become U+FFFD.
 */
export function columnJson(value: unknown): string {
  return JSON.stringify(value, (_name, member: unknown) =>
    typeof member === 'string' ? member.toWellFormed().replace(ABSENT_FROM_POSTGRES, '\uFFFD') : member,
  );
}
