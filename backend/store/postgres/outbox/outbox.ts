import { type Selectable, sql } from 'kysely';
import { type DropReason, type OutboxRow, type OutboxStore, shareOf } from '../../port/outbox-store.ts';
import { type ListOf, statement, type ValueOf } from '../../statements/statement.ts';
import type { Tables } from '../../statements/tables.ts';
import { all, type Calls, first, run } from '../../statements/transaction.ts';
import { measure } from './outbox-bound.ts';
import { beforeFirst, lastOf, partitionAt } from './outbox-positions.ts';

type MessageRow = Selectable<Tables['outbox']>;

const next = statement(
  ({ query, most }, value: ValueOf<{ readonly afterPosition: number; readonly limit: number }>) =>
    query
      .selectFrom('outbox')
      .selectAll()
      .where('position', '>', value('afterPosition'))
      .orderBy('position')
      .limit(most(value('limit'))),
);

type ByPartition = {
  readonly partitions: readonly number[];
  readonly afterPositions: readonly number[];
  readonly share: number;
};

const nextByPartition = statement(
  (_, value: ValueOf<ByPartition>, list: ListOf<ByPartition>) => sql<MessageRow>`
    select m.* from unnest(${list('partitions')}::bigint[], ${list('afterPositions')}::bigint[])
      as cursor (partition, after_position)
    cross join lateral (
      select * from outbox
      where position > greatest(cursor.after_position, ${beforeFirst(sql.raw('cursor.partition'))})
        and position <= ${lastOf(sql.raw('cursor.partition'))}
      order by position limit ${value('share')}) m
    order by m.position`,
);

type Sent = {
  readonly positions: readonly number[];
  readonly partitions: readonly number[];
};

/** Removes messages and counts them. Their partitions are locked first: see `drop` in outbox-bound.ts. */
const remove = statement(
  (_, __, list: ListOf<Sent>) => sql<{ readonly messages: number }>`
    with held as materialized (
      select partition from outbox_removed where partition = any(${list('partitions')}::bigint[])
      order by partition for update
    ), gone as (
      delete from outbox o using held h where o.partition = h.partition and o.position = any(${list('positions')}::bigint[])
      returning o.partition, octet_length(o.body) as bytes
    )
    update outbox_removed r set messages = r.messages + g.messages, bytes = r.bytes + g.bytes
    from (select partition, count(*) as messages, sum(bytes) as bytes from gone group by partition) g
    where r.partition = g.partition
    returning g.messages`,
);
const countArrived = statement(
  (_, __, list: ListOf<Pick<Sent, 'positions'>>) => sql`
    with gone as (
      delete from outbox_dropped where position = any(${list('positions')}::bigint[]) returning fleet_id, reason
    )
    update outbox_drops d set arrived = d.arrived + g.messages
    from (select fleet_id, reason, count(*) as messages from gone group by fleet_id, reason) g
    where d.fleet_id = g.fleet_id and d.reason = g.reason`,
);

const readDrops = statement(({ query }) =>
  query.selectFrom('outbox_drops').selectAll().orderBy('fleet_id').orderBy('reason'),
);
const findDropped = statement(
  (_, __, list: ListOf<{ readonly messageIds: readonly string[] }>) => sql<
    Selectable<Tables['outbox_dropped']>
  >`
    select * from outbox_dropped where message_id = any(${list('messageIds')}::text[]) order by ordinal`,
);

/** Messages to be published. They are written by the transactions of the data that they report (outbox-messages.ts). */
export function outboxCalls(): Calls<OutboxStore> {
  return {
    *next(query) {
      return (yield* all(next, query)).map(toOutboxRow);
    },
    *nextByPartition({ cursors, limit }) {
      const found = yield* all(nextByPartition, {
        partitions: cursors.map(({ partition }) => partition),
        afterPositions: cursors.map(({ afterPosition }) => afterPosition),
        share: shareOf(limit, cursors.length),
      });
      return found.map(toOutboxRow);
    },
    *sent(positions) {
      const partitions = [...new Set(positions.map(partitionAt))];
      const removed = yield* all(remove, { positions, partitions });
      const messages = removed.reduce((sum, row) => sum + row.messages, 0);
      if (messages < positions.length) yield* run(countArrived, { positions });
    },
    *size() {
      const size = yield* first(measure, {});
      return {
        messages: size?.messages ?? 0,
        bytes: size?.bytes ?? 0,
        oldestMs: size?.oldest_ms ?? undefined,
      };
    },
    *drops() {
      return (yield* all(readDrops, {})).map((row) => ({
        fleetId: row.fleet_id,
        reason: row.reason as DropReason,
        messages: row.messages,
        arrived: row.arrived,
        lastMs: row.last_ms,
      }));
    },
    *dropped(messageIds) {
      return (yield* all(findDropped, { messageIds })).map((row) => ({
        messageId: row.message_id,
        vehicleId: row.vehicle_id,
        fleetId: row.fleet_id,
        reason: row.reason as DropReason,
        createdMs: row.created_ms,
        droppedMs: row.dropped_ms,
      }));
    },
  };
}

function toOutboxRow(row: MessageRow): OutboxRow {
  return {
    position: row.position,
    messageId: row.message_id,
    vehicleId: row.vehicle_id,
    fleetId: row.fleet_id,
    partition: row.partition,
    name: row.name,
    version: row.version,
    flowId: row.flow_id,
    createdMs: row.created_ms,
    body: row.body,
  };
}
