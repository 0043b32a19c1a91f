import { PARTITIONS } from '../../../../protocol/partitions.ts';
import { quicklyCompressed } from './compression.ts';
import type { PostgresMigration } from './migration.ts';

/**
 * Messages that wait to be published, by partition, and what was dropped of them. Their numbers are counted by partition,
 * in rows that have room for their next versions in their pages.
 */
export const outbox: PostgresMigration = {
  version: 2,
  name: 'outbox',
  sql: `
    create table outbox (
      -- with its partition in the upper bits: backend/store/postgres/outbox/outbox-positions.ts
      position bigint primary key,
      partition smallint not null,
      message_id text not null,
      vehicle_id text collate "C" not null,
      fleet_id text collate "C" not null,
      name text not null,
      version text not null,
      flow_id text not null,
      created_ms bigint not null,
      body text not null
    );
    ${quicklyCompressed('outbox', 'body')}

    -- One row for each partition. Whoever writes messages locks it until the commit: so of a partition no position comes
    -- into view before a lower one.
    create table outbox_positions (
      partition smallint primary key,
      -- the last that was given out
      last_position bigint not null,
      -- what was ever written
      messages bigint not null default 0,
      bytes bigint not null default 0
    ) with (fillfactor = 10);
    insert into outbox_positions (partition, last_position)
      select partition, partition::bigint << 46 from generate_series(0, ${PARTITIONS - 1}) as partition;

    -- What was ever taken out of it, sent or dropped. It stands beside what was written, so that who takes messages out
    -- does not wait for who writes some.
    create table outbox_removed (
      partition smallint primary key,
      messages bigint not null default 0,
      bytes bigint not null default 0
    ) with (fillfactor = 10);
    insert into outbox_removed (partition) select generate_series(0, ${PARTITIONS - 1});

    create table outbox_dropped (
      -- that of the outbox
      position bigint primary key,
      -- in the order in which they were dropped
      ordinal bigint generated always as identity unique,
      message_id text collate "C" not null,
      vehicle_id text collate "C" not null,
      fleet_id text collate "C" not null,
      -- messages, bytes, age: which bound
      reason text collate "C" not null,
      created_ms bigint not null,
      dropped_ms bigint not null
    );
    create index outbox_dropped_by_message on outbox_dropped (message_id);

    create table outbox_drops (
      fleet_id text collate "C" not null,
      reason text collate "C" not null,
      messages bigint not null,
      -- of them those that the broker confirmed all the same
      arrived bigint not null default 0,
      last_ms bigint not null,
      primary key (fleet_id, reason)
    );
  `,
};
