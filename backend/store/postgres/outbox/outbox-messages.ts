import { sql } from 'kysely';
import { type OutboxBounds, outboxLimits } from '../../port/outbox-limits.ts';
import type { OutboxRow, OutgoingMessage } from '../../port/outbox-store.ts';
import { type ListOf, statement } from '../../statements/statement.ts';
import { all, type Transaction } from '../../statements/transaction.ts';
import { outboxBound } from './outbox-bound.ts';

type Given = {
  /** Of each partition that gets messages, rising: how many, and the bytes of their bodies. */
  readonly partitions: readonly number[];
  readonly messages: readonly number[];
  readonly bytes: readonly number[];
  /** Of each message: its partition, its place among the messages of that partition (from 1), and its columns. */
  readonly partitionOf: readonly number[];
  readonly place: readonly number[];
  readonly messageId: readonly string[];
  readonly vehicleId: readonly string[];
  readonly fleetId: readonly string[];
  readonly name: readonly string[];
  readonly version: readonly string[];
  readonly flowId: readonly string[];
  readonly createdMs: readonly number[];
  readonly body: readonly string[];
};

/**
 * Appends messages to their partitions, and returns the last position before them.
 *
 * The rows of `outbox_positions` are locked first, in rising order: so two writers do not deadlock, and the one that
 * gets a lock continues from what the previous one has committed.
 */
const write = statement(
  (_, __, list: ListOf<Given>) => sql<{ readonly partition: number; readonly before: number }>`
    with given as (
      select * from unnest(${list('partitions')}::bigint[], ${list('messages')}::bigint[], ${list('bytes')}::bigint[])
        as given (partition, messages, bytes)
    ), held as materialized (
      select p.partition from outbox_positions p join given g on g.partition = p.partition
      order by p.partition for update of p
    ), raised as (
      update outbox_positions p set last_position = p.last_position + g.messages, messages = p.messages + g.messages,
        bytes = p.bytes + g.bytes
      from given g join held h on h.partition = g.partition where p.partition = g.partition
      returning p.partition, p.last_position - g.messages as before
    ), written as (
      insert into outbox (position, partition, message_id, vehicle_id, fleet_id, name, version, flow_id, created_ms, body)
      select r.before + m.place, r.partition, m.message_id, m.vehicle_id, m.fleet_id, m.name, m.version, m.flow_id,
        m.created_ms, m.body
      from unnest(${list('partitionOf')}::bigint[], ${list('place')}::bigint[], ${list('messageId')}::text[],
        ${list('vehicleId')}::text[], ${list('fleetId')}::text[], ${list('name')}::text[], ${list('version')}::text[],
        ${list('flowId')}::text[], ${list('createdMs')}::bigint[], ${list('body')}::text[])
        as m (partition, place, message_id, vehicle_id, fleet_id, name, version, flow_id, created_ms, body)
      join raised r on r.partition = m.partition
    )
    select partition, before from raised`,
);

/**
 * Writes messages after all others of their partitions, and keeps the outbox within its bounds: part of the transaction
 * of the data that they report, at its end, since other writers of the same partitions wait from here on until the
 * commit. Their rows; none if any messages were dropped.
 */
export function messageWriter(
  bounds: OutboxBounds = outboxLimits,
): (messages: readonly OutgoingMessage[]) => Transaction<readonly OutboxRow[]> {
  const keepWithin = outboxBound(bounds);

  return function* (messages) {
    const newest = messages.at(-1);
    if (newest === undefined) return [];
    const { given, places } = inPartitions(messages);
    const before = new Map((yield* all(write, given)).map((row) => [row.partition, row.before]));
    const rows = messages.map((message, index): OutboxRow => {
      const position = (before.get(message.partition) ?? 0) + (places[index] ?? 0);
      return { position, ...message };
    });
    const hasDropped = yield* keepWithin({
      messages: messages.length,
      bytes: given.bytes.reduce((sum, bytes) => sum + bytes, 0),
      oldestMs: given.createdMs.reduce((oldest, createdMs) => Math.min(oldest, createdMs)),
      newestMs: newest.createdMs,
    });
    return hasDropped ? [] : rows;
  };
}

function inPartitions(messages: readonly OutgoingMessage[]): {
  readonly given: Given;
  readonly places: readonly number[];
} {
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
    places,
    given: {
      partitions: rising.map(([partition]) => partition),
      messages: rising.map(([, sum]) => sum.messages),
      bytes: rising.map(([, sum]) => sum.bytes),
      partitionOf: messages.map(({ partition }) => partition),
      place: places,
      messageId: messages.map(({ messageId }) => messageId),
      vehicleId: messages.map(({ vehicleId }) => vehicleId),
      fleetId: messages.map(({ fleetId }) => fleetId),
      name: messages.map(({ name }) => name),
      version: messages.map(({ version }) => version),
      flowId: messages.map(({ flowId }) => flowId),
      createdMs: messages.map(({ createdMs }) => createdMs),
      body: messages.map(({ body }) => body),
    },
  };
}
