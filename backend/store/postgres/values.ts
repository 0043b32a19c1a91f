import { types } from 'pg';
import type { SqlValue } from '../statements/statement.ts';
import { arrayParameter } from './array-bytes.ts';
import { withoutNul } from './texts.ts';

/** How PostgreSQL's values become ours, by the type's number in `pg_type`. Others are as the driver has them. */
const PARSERS: ReadonlyMap<number, (text: string) => unknown> = new Map<number, (text: string) => unknown>([
  // bool, as in SQLite. Columns are integers; a condition is a boolean.
  [16, (text) => (text === 't' ? 1 : 0)],
  // int8: times and counters, all below 2^53.
  [20, Number],
  // numeric: a sum of int8.
  [1700, Number],
  // json and jsonb are parsed as a whole, by their readers.
  [114, String],
  [3802, String],
]);

/** The parsers of a connection. They are not set for the whole process, which may use the driver otherwise. */
export const parsers = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    (format !== 'binary' ? PARSERS.get(oid) : undefined) ??
    (types.getTypeParser(oid, format) as unknown)) as typeof types.getTypeParser,
};

/** What a value is for the driver, which sends buffers in binary form. */
export type DriverValue = string | number | null | Buffer;

/** Lists are one parameter, whose type is that of its elements (array-bytes.ts). */
export function toDriver(value: SqlValue): DriverValue {
  if (typeof value === 'string') return withoutNul(value);
  if (value === null || typeof value === 'number') return value;
  if (value instanceof Uint8Array) return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  return arrayParameter(value);
}
