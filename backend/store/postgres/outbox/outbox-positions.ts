import { type RawBuilder, sql } from 'kysely';

/**
 * A position has its partition in its upper bits, and the count of that partition's messages in the lower 46. So each
 * is unique over all partitions, is a safe integer (52 bits), and the messages of a partition are adjacent in the one
 * index of the outbox.
 */
const COUNT_BITS = sql.lit(46);

/** How many positions each partition has. */
const POSITIONS = 0x4000_0000_0000;

/** The partition that a position is of. */
export function partitionAt(position: number): number {
  return Math.floor(position / POSITIONS);
}

/** The position of the nth message of a partition. */
export function positionIn(partition: number, nth: number): number {
  return partition * POSITIONS + nth;
}

/** The partition of a position in SQL. */
export function partitionAtSql(position: RawBuilder<unknown>): RawBuilder<number> {
  return sql`(${position} >> ${COUNT_BITS})`;
}

/** The position before the first of a partition. */
export function beforeFirst(partition: RawBuilder<unknown>): RawBuilder<number> {
  return sql`(${partition} << ${COUNT_BITS})`;
}

/** The last position that a partition can have. */
export function lastOf(partition: RawBuilder<unknown>): RawBuilder<number> {
  return sql`((${partition} + 1) << ${COUNT_BITS})`;
}
