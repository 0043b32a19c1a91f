import { sql } from 'kysely';
import { type OutboxBounds, outboxShare } from '../../port/outbox-limits.ts';
import type { DropReason } from '../../port/outbox-store.ts';
import { type ListOf, statement, type ValueOf } from '../../statements/statement.ts';
import { all, first, run, type Transaction } from '../../statements/transaction.ts';
import { beforeFirst, lastOf, partitionAtSql } from './outbox-positions.ts';

/** The size of an outbox, and when its oldest message was created; null: it has none. */
export interface OutboxSizeRow {
  readonly messages: number;
  readonly bytes: number;
  readonly oldest_ms: number | null;
}

/** What was written and what was removed are counted by partition; the oldest of each partition is its first. */
export const measure = statement<unknown, OutboxSizeRow>(
  () => sql<OutboxSizeRow>`
    select cast(w.messages - r.messages as bigint) as messages, cast(w.bytes - r.bytes as bigint) as bytes,
      (select min(o.created_ms) from outbox_removed p cross join lateral (
        select created_ms from outbox
        where position > ${beforeFirst(sql.raw('p.partition::bigint'))}
          and position <= ${lastOf(sql.raw('p.partition::bigint'))}
        order by position limit 1) o) as oldest_ms
    from (select sum(messages) as messages, sum(bytes) as bytes from outbox_positions) w,
      (select sum(messages) as messages, sum(bytes) as bytes from outbox_removed) r`,
);

interface OldestRow {
  readonly position: number;
  readonly created_ms: number;
  readonly bytes: number;
}

/** The oldest messages. Of each partition they are its first ones; between partitions the time decides. */
const findOldest = statement(
  (_, value: ValueOf<{ readonly most: number }>) => sql<OldestRow>`
    select o.* from outbox_removed p cross join lateral (
      select position, created_ms, octet_length(body) as bytes from outbox
      where position > ${beforeFirst(sql.raw('p.partition::bigint'))}
        and position <= ${lastOf(sql.raw('p.partition::bigint'))}
      order by position limit ${value('most')}) o
    order by o.created_ms, o.position limit ${value('most')}`,
);

type Drop = {
  readonly positions: readonly number[];
  readonly reasons: readonly string[];
  readonly atMs: number;
};

/**
 * Drops messages, keeps their names, and counts them, unless they were removed meanwhile. Each remover of messages
 * locks their partitions first, in rising order.
 */
const drop = statement(
  (_, value: ValueOf<Drop>, list: ListOf<Drop>) => sql`
    with listed as (
      select *, ${partitionAtSql(sql.raw('position'))} as partition
      from unnest(${list('positions')}::bigint[], ${list('reasons')}::text[]) as listed (position, reason)
    ), held as materialized (
      select partition from outbox_removed where partition in (select partition from listed)
      order by partition for update
    ), gone as (
      delete from outbox o using listed l join held h on h.partition = l.partition where o.position = l.position
      returning o.*, l.reason
    ), named as (
      insert into outbox_dropped (position, message_id, vehicle_id, fleet_id, reason, created_ms, dropped_ms)
      select position, message_id, vehicle_id, fleet_id, reason, created_ms, ${value('atMs')}::bigint
      from gone order by created_ms, position
    ), totals as (
      insert into outbox_drops (fleet_id, reason, messages, last_ms)
      select fleet_id, reason, count(*), ${value('atMs')}::bigint from gone group by fleet_id, reason
      order by fleet_id, reason
      on conflict (fleet_id, reason) do update
        set messages = outbox_drops.messages + excluded.messages, last_ms = excluded.last_ms
    )
    update outbox_removed r set messages = r.messages + g.messages, bytes = r.bytes + g.bytes
    from (select partition, count(*) as messages, sum(octet_length(body)) as bytes from gone group by partition) g
    where r.partition = g.partition`,
);

/** Ordinals rise by one or more: so at most that many names stay. */
const forgetNames = statement(
  (_, value: ValueOf<{ readonly most: number }>) => sql`
    delete from outbox_dropped where ordinal <= (select max(ordinal) from outbox_dropped) - ${value('most')}::bigint`,
);

/** The number and size of written messages. */
export interface WrittenMessages {
  readonly messages: number;
  readonly bytes: number;
  readonly oldestMs: number;
  /** Creation time of the newest: ages are relative to it. */
  readonly newestMs: number;
}

/** How many at a time are checked for being dropped. */
const PORTION = 128;

/** Keeps the outbox within its bounds. */
export interface OutboxBound {
  /** Whether there is room for messages, which it is taken for; without room the outbox has to be measured. */
  takeRoom(written: WrittenMessages): boolean;
  /**
   * To be called within the transaction that has written messages: takes room for them, or makes it. True if messages
   * were dropped. The id of a dropped message is kept, so that it does not count as lost.
   */
  keepWithin(written: WrittenMessages): Transaction<boolean>;
}

/**
 * The outbox is measured only after this process has written a share of the room that there was, or once the oldest
 * message may be too old. A retried transaction makes it measure earlier, never later.
 */
export function outboxBound(bounds: OutboxBounds): OutboxBound {
  const room = { messages: 0, bytes: 0 };
  // No message is older, as far as this process knows: other writers check their own.
  let oldestMs = Number.NEGATIVE_INFINITY;

  function takeRoom(written: WrittenMessages): boolean {
    room.messages -= written.messages;
    room.bytes -= written.bytes;
    oldestMs = Math.min(oldestMs, written.oldestMs);
    return room.messages >= 0 && room.bytes >= 0 && oldestMs >= written.newestMs - bounds.ageMs;
  }

  return {
    takeRoom,
    *keepWithin(written) {
      if (takeRoom(written)) return false;
      const size = yield* first(measure, {});
      if (size === undefined || size.oldest_ms === null) return false;
      if (reasonToDrop(size, size.oldest_ms, written.newestMs, bounds) !== undefined)
        return yield* dropOldest(size, written, bounds);
      room.messages = Math.floor((bounds.messages - size.messages) * outboxShare);
      room.bytes = Math.floor((bounds.bytes - size.bytes) * outboxShare);
      oldestMs = size.oldest_ms;
      return false;
    },
  };
}

function* dropOldest(
  size: Pick<OutboxSizeRow, 'messages' | 'bytes'>,
  { messages, newestMs }: WrittenMessages,
  bounds: OutboxBounds,
): Transaction<boolean> {
  const left: { messages: number; bytes: number } = { messages: size.messages, bytes: size.bytes };
  const most = Math.max(bounds.droppedPerCall, 2 * messages);
  let dropped = 0;
  while (dropped < most) {
    const oldest = yield* all(findOldest, { most: Math.min(PORTION, most - dropped) });
    const positions: number[] = [];
    const reasons: DropReason[] = [];
    for (const row of oldest) {
      const reason = reasonToDrop(left, row.created_ms, newestMs, bounds);
      if (reason === undefined) break;
      left.messages -= 1;
      left.bytes -= row.bytes;
      positions.push(row.position);
      reasons.push(reason);
    }
    if (positions.length === 0) break;
    yield* run(drop, { positions, reasons, atMs: newestMs });
    dropped += positions.length;
    if (positions.length < oldest.length) break;
  }
  if (dropped > 0) yield* run(forgetNames, { most: bounds.droppedNames });
  return dropped > 0;
}

/** The bound that the oldest message exceeds; undefined if none. */
function reasonToDrop(
  size: Pick<OutboxSizeRow, 'messages' | 'bytes'>,
  oldestMs: number,
  nowMs: number,
  bounds: OutboxBounds,
): DropReason | undefined {
  if (oldestMs < nowMs - bounds.ageMs) return 'age';
  if (size.messages > bounds.messages) return 'messages';
  if (size.bytes > bounds.bytes) return 'bytes';
  return undefined;
}
