import { type RawBuilder, sql } from 'kysely';
import { type OutboxBounds, outboxLimits } from '../../port/outbox-limits.ts';
import type { OutboxRow, OutgoingMessage } from '../../port/outbox-store.ts';
import { type ListOf, statement } from '../../statements/statement.ts';
import { all, type Transaction } from '../../statements/transaction.ts';
import { outboxBound, type WrittenMessages } from './outbox-bound.ts';

/** Messages as lists, for `appendMessages`. */
export type MessageLists = {
  /** Of each partition that gets messages, rising: how many, and the bytes of their bodies. */
  readonly partitions: readonly number[];
  readonly messages: readonly number[];
  readonly bytes: readonly number[];
  /** Of each message: its partition, its place among the messages of that partition (from 1), and its columns. */
  readonly partitionOf: readonly number[];
  readonly place: readonly number[];
  readonly writtenId: readonly string[];
  readonly vehicleId: readonly string[];
  readonly fleetId: readonly string[];
  readonly name: readonly string[];
  readonly messageVersion: readonly string[];
  readonly flowId: readonly string[];
  readonly createdMs: readonly number[];
  readonly body: readonly string[];
};

/** Of a partition that messages were appended to: the last position before them. */
export interface PositionBefore {
  readonly partition: number;
  readonly before: number;
}

/**
 * Appends messages to their partitions, as parts of a WITH; what it returns is in \`raised\`. Nothing is written, or
 * locked, unless the condition holds.
 *
 * The rows of \`outbox_positions\` are locked first, in rising order: so two writers do not deadlock, and the one that
 * gets a lock continues from what the previous one has committed.
 */
export function appendMessages(
  list: ListOf<MessageLists>,
  onlyIf: RawBuilder<unknown> = sql`true`,
): RawBuilder<unknown> {
  return sql`
    given as (
      select * from unnest(${list('partitions')}::bigint[], ${list('messages')}::bigint[], ${list('bytes')}::bigint[])
        as given (partition, messages, bytes)
    ), locked as materialized (
      select p.partition from outbox_positions p join given g on g.partition = p.partition where ${onlyIf}
      order by p.partition for update of p
    ), raised as (
      update outbox_positions p set last_position = p.last_position + g.messages, messages = p.messages + g.messages,
        bytes = p.bytes + g.bytes
      from given g join locked l on l.partition = g.partition where p.partition = g.partition
      returning p.partition, p.last_position - g.messages as before
    ), written as (
      insert into outbox (position, partition, message_id, vehicle_id, fleet_id, name, version, flow_id, created_ms, body)
      select r.before + m.place, r.partition, m.message_id, m.vehicle_id, m.fleet_id, m.name, m.version, m.flow_id,
        m.created_ms, m.body
      from unnest(${list('partitionOf')}::bigint[], ${list('place')}::bigint[], ${list('writtenId')}::text[],
        ${list('vehicleId')}::text[], ${list('fleetId')}::text[], ${list('name')}::text[], ${list('messageVersion')}::text[],
        ${list('flowId')}::text[], ${list('createdMs')}::bigint[], ${list('body')}::text[])
        as m (partition, place, message_id, vehicle_id, fleet_id, name, version, flow_id, created_ms, body)
      join raised r on r.partition = m.partition
    )`;
}

const append = statement(
  (_, __, list: ListOf<MessageLists>) => sql<PositionBefore>`
    with ${appendMessages(list)} select partition, before from raised`,
);

/** Writes messages after all others of their partitions, and keeps the outbox within its bounds. */
export interface MessageWriter {
  /**
   * Part of the transaction of the data that they report, at its end, since other writers of the same partitions wait
   * from here on until the commit. Their rows; none if any messages were dropped.
   */
  write(messages: readonly OutgoingMessage[]): Transaction<readonly OutboxRow[]>;
  /** Whether they may be written by \`appendMessages\` alone: there is room for them, which is taken. */
  takeRoom(messages: readonly OutgoingMessage[]): boolean;
}

export function messageWriter(bounds: OutboxBounds = outboxLimits): MessageWriter {
  const bound = outboxBound(bounds);
  return {
    *write(messages) {
      if (messages.length === 0) return [];
      const lists = messageLists(messages);
      const rows = messageRows(messages, yield* all(append, lists));
      const hasDropped = yield* bound.keepWithin(sizeOf(messages));
      return hasDropped ? [] : rows;
    },
    takeRoom: (messages) => messages.length === 0 || bound.takeRoom(sizeOf(messages)),
  };
}

function sizeOf(messages: readonly OutgoingMessage[]): WrittenMessages {
  return {
    messages: messages.length,
    bytes: messages.reduce((sum, { body }) => sum + Buffer.byteLength(body), 0),
    oldestMs: messages.reduce(
      (oldest, { createdMs }) => Math.min(oldest, createdMs),
      Number.POSITIVE_INFINITY,
    ),
    newestMs: messages.at(-1)?.createdMs ?? 0,
  };
}

/** Messages as rows, by what \`appendMessages\` has returned. */
export function messageRows(
  messages: readonly OutgoingMessage[],
  positions: readonly PositionBefore[],
): readonly OutboxRow[] {
  const last = new Map(positions.map(({ partition, before }) => [partition, before]));
  return messages.map((message): OutboxRow => {
    const position = (last.get(message.partition) ?? 0) + 1;
    last.set(message.partition, position);
    return { position, ...message };
  });
}

/** Messages as lists, for \`appendMessages\`. */
export function messageLists(messages: readonly OutgoingMessage[]): MessageLists {
  const sums = new Map<number, { messages: number; bytes: number }>();
  const places = messages.map(({ partition, body }) => {
    const sum = sums.get(partition) ?? { messages: 0, bytes: 0 };
    sums.set(partition, sum);
    sum.messages += 1;
    sum.bytes += Buffer.byteLength(body);
    return sum.messages;
  });
  const rising = [...sums].sort(([one], [other]) => one - other);
  return {
    partitions: rising.map(([partition]) => partition),
    messages: rising.map(([, sum]) => sum.messages),
    bytes: rising.map(([, sum]) => sum.bytes),
    partitionOf: messages.map(({ partition }) => partition),
    place: places,
    writtenId: messages.map(({ messageId }) => messageId),
    vehicleId: messages.map(({ vehicleId }) => vehicleId),
    fleetId: messages.map(({ fleetId }) => fleetId),
    name: messages.map(({ name }) => name),
    messageVersion: messages.map(({ version }) => version),
    flowId: messages.map(({ flowId }) => flowId),
    createdMs: messages.map(({ createdMs }) => createdMs),
    body: messages.map(({ body }) => body),
  };
}
